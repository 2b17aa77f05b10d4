/** The record of a slice that ranks have solved, made of the manifests of its steps before these are cleared away. */
import { StorageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import { sumCounters } from '../../game/counters-record.js';
import { FORMAT_VERSION, readManifest, TableManifest } from '../../game/manifest.js';
import { SHARED_BY_RANKS } from '../../game/mode.js';
import type { SliceRecord } from './record-shapes.js';
import { replaceSliceRecord } from './slice-record.js';
import { slicePrefix } from '../table-names.js';
import { peakOf, phasesOf, roundsOf } from './history.js';
import {
  commitsOf,
  type JoinedSteps,
  manifestOf,
  readSteps,
  type StepObjects,
  stepsAmong,
} from './joined-steps.js';
import { manifestReader, objectOf, type SliceAt } from './slices.js';
import { type Strategy } from '../../game/strategy.js';

export interface RankMemory {
  readonly strategy: Strategy;
  /** Bytes of buffers of each rank. */
  readonly memory: number;
}

/**
 * Records how ranks solved and verified the slice, if its steps are there. A store that fails here fails where it matters, too:
 * nothing is thrown for that.
 */
export async function recordRanks(
  store: Store,
  at: SliceAt,
  { strategy, memory }: RankMemory,
): Promise<void> {
  try {
    const prefix = `${slicePrefix(at.game.name, at.metric, at.slice)}/`;
    const names = (await store.list(prefix)).map((name) => name.slice(prefix.length));
    const found = stepsAmong(names).find((steps) => steps.strategy === strategy);
    const table = await readManifest(store, objectOf(at, 'table.json'), TableManifest);
    if (found === undefined || table === null) return;
    const steps = await readSteps(manifestReader(store), at, found);
    if (steps.enumerated === null) return;
    const record = recordOf(steps, table, await endOfRounds(store, at, found), memory);
    if (record !== null) await replaceSliceRecord(store, at, () => record);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}

/** When the last labels were committed, by the clock of the store: the last rounds may have left no other record. */
async function endOfRounds(store: Store, at: SliceAt, steps: StepObjects): Promise<number | null> {
  const last = commitsOf(steps).at(-1);
  return last === undefined ? null : store.modified(manifestOf(at, steps, last));
}

function recordOf(
  steps: JoinedSteps,
  table: TableManifest,
  roundsEnd: number | null,
  memory: number,
): SliceRecord | null {
  const phases = phasesOf(steps, roundsEnd);
  const first = phases[0];
  const last = phases.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    version: FORMAT_VERSION,
    startedAt: first.startedAt,
    phases,
    rounds: roundsOf(steps),
    counters: sumCounters([table.counters, ...steps.verified]),
    by: 'ranks',
    endedAt: last.startedAt + last.wallMs,
    memory,
    peakRss: peakOf(steps) ?? 0,
    mode: SHARED_BY_RANKS,
  };
}
