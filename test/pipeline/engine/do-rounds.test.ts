/** Which rounds a slice has, and how they are committed, whatever its partitions label. */
import { expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { MemoryCrew } from '../../../pipeline/engine/crew/crew.js';
import { SliceRounds } from '../../../pipeline/engine/crew/do-rounds.js';
import { PACE } from '../../../pipeline/engine/crew/pace.js';
import type { Partition } from '../../../pipeline/engine/crew/partition.js';
import { type SliceOptions, SliceWork } from '../../../pipeline/engine/crew/slice-work.js';
import type { ConvertManifest, EnumerateManifest } from '../../../pipeline/game/manifest.js';
import type { CommittedPart } from '../../../pipeline/game/step-manifests.js';

const NO_LABELS: CommittedPart['labels'] = { counts: [[], []], unwon: [[], []], countPlanes: [8, 8] };

/** A partition that labels a position in each of these rounds. */
function partition(labelling: readonly number[]): Partition {
  const sent = { what: 'requests', rows: 0, runs: null };
  const calls: Partial<Partition> = {
    openRounds: async () => {},
    closeRounds: async () => {},
    send: async () => sent,
    round: async (ply, _received, expand) => {
      const won = labelling.includes(ply) ? 1 : 0;
      return { won: [won, 0], lost: [0, 0], stayed: 0, met: 0, changed: 0, sent: expand ? sent : null };
    },
    commit: async () => ({ labels: NO_LABELS, frontier: [] }),
    takeCounters: () => newCounters(),
  };
  return calls as Partition;
}

/** The commits of a slice whose conversions bring events at some plies. */
async function commitsOf(labelling: readonly number[], events: readonly number[], commitRounds: number) {
  const options = {
    game: { name: 'test', slice: () => ({ size: 100 }) } as unknown as SliceOptions['game'],
    slice: 'a',
    metric: 'dtm',
    strategy: 'count',
    store: memoryStore(),
    progress: () => {},
    pace: { ...PACE, commitRounds },
  } as const;
  const open = () => {
    const members = new Map([[0, partition(labelling)]]);
    const crew = new MemoryCrew(
      options.store,
      [{ from: 0, to: 2 }],
      members,
      { mode: 'streaming', why: '' },
      true,
    );
    const enumerated = { labels: NO_LABELS, mates: [], legal: [50, 50] } as unknown as EnumerateManifest;
    const converted = { events: [], numbers: events } as unknown as ConvertManifest;
    return new SliceRounds(new SliceWork(options, crew), enumerated, converted, []);
  };
  const rounds = open();
  await rounds.run();
  // Another process finds all of them.
  const again = open();
  await again.run();
  expect(again.rounds).toEqual(rounds.rounds);
  return rounds.epochs.map(({ from, to, version, rounds }) => ({
    from,
    to,
    version,
    plies: rounds.map(({ ply }) => ply),
  }));
}

test('a commit without some of its rounds has a version of its own, for programs that number a round by counting those before it', async () => {
  expect(await commitsOf([1, 12], [12], 1)).toEqual([
    { from: 1, to: 2, version: 3, plies: [1] },
    { from: 2, to: 3, version: 3, plies: [2] },
    { from: 3, to: 13, version: 4, plies: [12] },
    { from: 13, to: 14, version: 3, plies: [13] },
  ]);
  expect(await commitsOf([1, 12], [12], 256)).toEqual([
    { from: 1, to: 14, version: 4, plies: [1, 2, 12, 13] },
  ]);
  expect(await commitsOf([1, 3], [3], 256)).toEqual([{ from: 1, to: 5, version: 3, plies: [1, 2, 3, 4] }]);
});
