/** Kalah, a numbered game with scores: all ways in which the stones can lie against a naive solver, and the published winners. */
import { numberedGame } from 'mergemate';
import { expect, test } from 'vitest';
import { kalah } from '../../samples/kalah/game.js';
import { ifShort, LONG, sweep } from '../support/long.js';
import { solvedScores } from '../support/naive-keyed.js';

/** By how much South wins from a number with a side to move, by search: no move can be taken back. */
function searchedScores(pits: number, stones: number): Map<bigint, number> {
  const game = kalah(pits, stones);
  const found = new Map<bigint, number>();
  function scoreOf(position: Parameters<typeof game.index>[0]): number {
    const key = BigInt(2 * game.index(position) + game.mover(position));
    const known = found.get(key);
    if (known !== undefined) return known;
    const isOver = game.ended!(position) !== null;
    const scores = isOver ? [] : [...game.moves(position)].map(([, after]) => scoreOf(after));
    const best = game.mover(position) === 0 ? Math.max : Math.min;
    const score = scores.length === 0 ? game.score(position) : best(...scores);
    found.set(key, score);
    return score;
  }
  for (let index = 0; index < game.size; index++)
    for (const side of [0, 1] as const) scoreOf(game.position(index, side)!);
  return found;
}

test('two pits with two stones each: every distribution of the stones is solved, with the scores of a search', async () => {
  const { graph, summary, scores } = await solvedScores(numberedGame(kalah(2, 2)));
  // Eight stones in six bowls, with either side to move.
  expect(graph.nodes).toBe(2 * 1287);
  expect(summary.verified).toBe(graph.nodes);
  expect([...scores].sort()).toEqual([...searchedScores(2, 2)].sort());
});

/** Irving, Donkers & Uiterwijk 2000, "Solving Kalah", ICGA Journal 23(3): who begins wins, draws or loses, by stones in each pit. */
const PUBLISHED: readonly (readonly [pits: number, values: string])[] = [
  [1, 'DLWLWD'],
  [2, LONG ? 'WLL' : 'W'],
  ...sweep<readonly [number, string]>([], [[3, 'D']]),
];

test.skipIf(!LONG)(
  `the winners are the published ones${ifShort}`,
  async () => {
    for (const [pits, values] of PUBLISHED)
      for (const [i, value] of [...values].entries()) {
        const game = numberedGame(kalah(pits, i + 1));
        const { scores } = await solvedScores(game);
        const score = scores.get(game.keyOf([...game.starts()][0]))!;
        expect(score > 0 ? 'W' : score < 0 ? 'L' : 'D').toBe(value);
      }
  },
  120_000,
);
