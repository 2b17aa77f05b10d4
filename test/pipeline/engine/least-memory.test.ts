/** Parts that are wider than the memory: worked on in stretches, or refused before anything is begun. */
import { expect, test } from 'vitest';
import { UserError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { sharersOf } from '../../../pipeline/engine/crew/engine.js';
import { leastMemory } from '../../../pipeline/engine/crew/least-memory.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { sweep } from '../../support/long.js';
import { solveByRanks } from '../../support/ranks.js';
import { budgetOf, digestsOf, MiB, solveGame } from '../../support/solving.js';

const games: Record<string, Game> = { chess: chess as Game, checkers: checkers as Game };

test.each(
  sweep<[game: string, slice: string, metric: Metric, memory: number]>(
    [['chess', 'KRK', 'dtz', 50_000]],
    [['checkers', '3100', 'dtw', 200_000]],
    [['chess', 'KQKR', 'dtm', 300_000]],
  ),
)(
  '%s %s, %s: the table is the same in stretches of parts, and verified',
  async (name, slice, metric, memory) => {
    const game = games[name];
    expect(game.slice(slice).partSize(0)).toBeGreaterThan(2 ** 14);
    const solved = async (memory: number) => {
      const solving = { metric, verify: true, budget: budgetOf(memory) };
      return digestsOf((await solveGame(game, [slice], solving)).summaries);
    };
    expect(await solved(memory)).toEqual(await solved(64 * MiB));
  },
  120_000,
);

/** Bytes that the rounds take of six men without pawns: six bits of a count and one of a set for each position of a part, and counts of its pages. */
const SIX = ((7 / 8) * 64 ** 4 + 2 ** 16) / 0.52;

test('six men without pawns need 27 MiB a worker, seven 60 times as much, and five, or pawns by ranks, no more than any', () => {
  const bytesOf = (slice: string) => leastMemory(chess, chess.slice(slice), 'count').bytes;
  expect(bytesOf('KQRKBN')).toBe(Math.ceil(SIX));
  expect(bytesOf('KQRBKNR')).toBeGreaterThan(60 * SIX);
  // Two knights make half as many sets as two men that differ.
  expect(bytesOf('KRBKNN')).toBeLessThan(0.52 * SIX);
  expect(bytesOf('KRBKN')).toBe(0);
  const [pawns] = chess.ending('KPPPKPP').slices;
  expect(bytesOf(pawns)).toBeLessThan(16 * MiB);
});

test('workers are as many as the memory has room for', () => {
  const slice = chess.slice('KQRKBN');
  const sharers = (memory: number) =>
    sharersOf({ game: chess as Game, metric: 'dtm', strategy: 'count', budget: budgetOf(memory) }, slice, 2);
  expect(sharers(2 * Math.ceil(SIX))).toBe(2);
  expect(sharers(2 * Math.ceil(SIX) - 2)).toBe(1);
});

test('a slice of wider parts is refused before anything is done, by one process and by ranks', async () => {
  const store = memoryStore();
  const refused = solveGame(chess, ['KQRKBN'], { store, budget: budgetOf(24 * MiB) });
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow(
    `KQRKBN has parts of 16777216 positions, and needs ${Math.ceil(SIX / MiB)} MiB for buffers: give --memory ${Math.ceil(SIX / MiB)}MiB or more`,
  );
  const byRanks = solveByRanks(
    chess as Game,
    ['KQRKBN'],
    { ranks: 2, partitions: 4, memory: 48 * MiB },
    store,
  );
  await expect(byRanks).rejects.toThrow(/needs 55 MiB for buffers, for 2 partitions: give --memory 55MiB/);
  expect(await store.list('')).toEqual([]);
});
