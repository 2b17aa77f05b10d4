/** Does the rounds of a slice, in epochs (epoch.ts), from the last one that is committed on. */
import { addCounters, newCounters } from '../../operators/core/counters.js';
import {
  type ConvertManifest,
  type EnumerateManifest,
  type EventRun,
  type LabelRuns,
  type PartRun,
  RoundsManifest,
  readManifest,
} from '../game/manifest.js';
import { runNamesIn } from '../game/step-manifests.js';
import { type Crew, deleteShare } from './crew.js';
import { Epoch, type EpochStart, epochName, isIdle } from './epoch.js';
import { HandOver } from './hand-over.js';
import { type SliceWork, tellPhase } from './slice-work.js';

/** The input of the rounds. */
export interface RoundsInput {
  readonly enumerated: EnumerateManifest;
  readonly converted: ConvertManifest;
  /** Only for slices without unmoves. */
  readonly edges: readonly PartRun[];
}

/** All epochs that are committed. */
export interface RoundsDone extends EpochStart {
  readonly epochs: readonly RoundsManifest[];
  readonly labels: LabelRuns;
  /** Everything that was labelled. */
  readonly events: readonly EventRun[];
}

export async function doRounds(
  work: SliceWork,
  crew: Crew,
  input: RoundsInput,
): Promise<RoundsDone & { readonly deleting: Promise<void> }> {
  const epochs = crew.durable ? await committedEpochs(work) : [];
  const handOver =
    crew.alone === undefined
      ? null
      : new HandOver(work.pace, work.game.slice(work.slice), crew.partitions.length);
  let opened: Crew | null = null;
  let deleting = Promise.resolve();
  if (epochs.at(-1)?.done !== true) {
    const { legal } = input.enumerated;
    tellPhase(work, 'rounds', legal[0] + legal[1]);
  }
  try {
    while (epochs.at(-1)?.done !== true) {
      const before = stateOf(input, epochs);
      const few = epochs.at(-1)?.few === true && crew.alone !== undefined;
      const isSame: boolean = opened !== null && (opened === crew) !== few;
      await deleting;
      if (!isSame) {
        await opened?.each((partition) => partition.closeRounds());
        opened = few ? await crew.alone!() : crew;
        const { labels, events, rounds } = before;
        const { events: conversions, turns = [] } = input.converted;
        const state = { labels, events, conversions, turns, edges: input.edges };
        await opened?.each((partition) => partition.openRounds({ ...state, nextPly: rounds + 1 }));
      }
      const manifest = epochName(work, before.rounds + 1);
      const next: RoundsManifest =
        opened === null
          ? await crew.awaited!(manifest, RoundsManifest)
          : await new Epoch({
              work,
              crew: opened,
              converted: input.converted,
              start: before,
              handOver,
              isAlone: few,
            }).run();
      addCounters(work.counters, { ...newCounters(), ...next.counters });
      epochs.push(next);
      if (crew.durable && work.keepRuns !== true) {
        const kept = new Set(runNamesIn(next.labels));
        const superseded = runNamesIn(before.labels).filter((run) => !kept.has(run));
        deleting = deleteShare(work.store, crew, superseded);
        // Whoever waits for it hears of it.
        deleting.catch(() => {});
      }
    }
  } catch (error) {
    // Open partitions hold a file in the store, and space in scratch.
    await opened?.each((partition) => partition.closeRounds()).catch(() => {});
    throw error;
  }
  await opened?.each((partition) => partition.closeRounds());
  if (crew.durable && work.keepRuns !== true) {
    const edges = input.edges.map(({ name }) => name);
    await deleteShare(work.store, crew, edges);
  }
  return { ...stateOf(input, epochs), deleting };
}

async function committedEpochs(work: SliceWork): Promise<RoundsManifest[]> {
  const epochs: RoundsManifest[] = [];
  for (let from = 1; ; from = epochs.at(-1)!.to) {
    const epoch = await readManifest(work.store, epochName(work, from), RoundsManifest);
    if (epoch === null) return epochs;
    addCounters(work.counters, { ...newCounters(), ...epoch.counters });
    epochs.push(epoch);
    if (epoch.done) return epochs;
  }
}

function stateOf({ enumerated }: RoundsInput, epochs: readonly RoundsManifest[]): RoundsDone {
  const last = epochs.at(-1);
  return {
    epochs,
    labels: last?.labels ?? enumerated.labels,
    events: [...enumerated.mates, ...epochs.flatMap((epoch) => epoch.frontier)],
    longest: last?.longest ?? 0,
    turned: epochs.flatMap((epoch) => epoch.turned ?? []),
    isIdle: isIdle(last?.rounds.at(-1)),
    rounds: (last?.to ?? 1) - 1,
  };
}
