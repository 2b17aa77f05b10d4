/** Histories of work on a slice, and the record of how it was solved: one object, replaced by another under the next number. */
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import { sumCounters } from '../../game/counters-record.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import { readManifest, TableManifest } from '../../game/manifest.js';
import { SHARED_BY_RANKS } from '../../game/mode.js';
import { putRecord } from '../../game/record.js';
import type { Strategy } from '../../game/strategy.js';
import { type History, recordNumbers, type SliceProgress, SliceRecord } from './record-shapes.js';
import { stepsAmong } from './slice-steps.js';
import { ManifestReader, objectOf, type SliceAt } from './slices.js';

/** Joins the work before an interruption and the work after it. Rounds done again count as they were the last time. */
export function joinHistories(before: History, after: History): History {
  const first = after.rounds[0]?.ply ?? Number.POSITIVE_INFINITY;
  return {
    startedAt: before.startedAt,
    phases: [...before.phases, ...after.phases],
    rounds: [...before.rounds.filter(({ ply }) => ply < first), ...after.rounds],
    counters: sumCounters([before.counters, after.counters]),
  };
}

/** The work of a process on a slice up to its last sign of life, `at`: the phase under way ended then. */
export function interrupted(
  { startedAt, phases, rounds, counters, phase }: SliceProgress,
  at: number,
): History {
  const last = { phase: phase.phase, startedAt: phase.startedAt, wallMs: Math.max(0, at - phase.startedAt) };
  return { startedAt, phases: [...phases, last], rounds, counters };
}

/**
 * Replaces the record that is there (null: none, or a damaged one) by the one that `make` makes of it. If two processes do the same at
 * once, one of both records stands.
 */
export async function replaceSliceRecord(
  store: Store,
  at: SliceAt,
  make: (before: SliceRecord | null) => SliceRecord,
): Promise<void> {
  const prefix = objectOf(at, '');
  const numbers = recordNumbers(
    (await store.list(`${prefix}record-`)).map((name) => name.slice(prefix.length)),
  );
  const name = (number: number) => `${prefix}record-${number}.json`;
  const last = numbers.at(-1) ?? 0;
  const before = last === 0 ? null : await readSound(store, name(last));
  await putRecord(store, name(last + 1), make(before));
  for (const number of numbers) await store.delete(name(number));
}

async function readSound(store: Store, name: string): Promise<SliceRecord | null> {
  try {
    return await readManifest(store, name, SliceRecord);
  } catch (error) {
    if (error instanceof DamageError) return null;
    throw error;
  }
}

/**
 * Records how ranks solved and verified a slice, by the manifests of its steps, before these are deleted. Errors of the store are
 * not thrown: if the store fails, the solve itself reports it.
 *
 * @param memory bytes of buffers of each rank.
 */
export async function recordRanks(
  store: Store,
  at: SliceAt,
  { strategy, memory }: { readonly strategy: Strategy; readonly memory: number },
): Promise<void> {
  try {
    const prefix = objectOf(at, '');
    const names = (await store.list(prefix)).map((name) => name.slice(prefix.length));
    const listed = stepsAmong({ ...at, names }).find((steps) => steps.strategy === strategy);
    const table = await readManifest(store, `${prefix}table.json`, TableManifest);
    const steps = await listed?.read(new ManifestReader(store));
    if (listed === undefined || steps?.get('enumerate') === undefined || table === null) return;
    // The last rounds may have left no other record than the commit of their labels.
    const commit = listed.commits.at(-1);
    const committed = commit === undefined ? null : await store.modified(listed.nameOf(commit));
    // The other times are by the clocks of the ranks. That of the store may differ by hours.
    const roundsEnd = committed === null ? null : committed - (await store.clockAhead());
    const phases = steps.phases(roundsEnd);
    const [first, last] = [phases[0], phases.at(-1)];
    if (first === undefined || last === undefined) return;
    const verified = steps.parts('verify').map(({ counters = {} }) => counters);
    await replaceSliceRecord(store, at, () => ({
      version: FORMAT_VERSION,
      startedAt: first.startedAt,
      phases,
      rounds: steps.rounds(),
      counters: sumCounters([table.counters, ...verified]),
      by: 'ranks',
      endedAt: last.startedAt + last.wallMs,
      memory,
      peakRss: steps.peakRss ?? 0,
      mode: SHARED_BY_RANKS,
    }));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
