/** A check calls the functions of a game less often than a solve does, also where a position has eight symmetries and many moves. */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { checkKeyed } from '../../../pipeline/check/check-keyed.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { lGame } from '../../support/l-game.js';
import { ifShort, LONG } from '../../support/long.js';

function counted() {
  const calls = { key: 0, position: 0, moves: 0, symmetries: 0 };
  const count =
    <In, Out>(field: keyof typeof calls, call: (given: In) => Out) =>
    (given: In) => {
      calls[field]++;
      return call(given);
    };
  const game = keyedGame({
    ...lGame,
    key: count('key', lGame.key),
    position: count('position', lGame.position),
    moves: count('moves', lGame.moves),
    symmetries: count('symmetries', lGame.symmetries!),
  });
  return { calls, game };
}

test.skipIf(!LONG)(`check of the L game calls its functions less often than solve${ifShort}`, async () => {
  const solving = counted();
  const solved = await solveKeyed({ game: solving.game, store: memoryStore() });
  // Both sides may be to move.
  expect(solved.reached!.layers.at(-1)!.total).toBe(2 * 2296);
  const checking = counted();
  const report = await checkKeyed(checking.game as KeyedRules, { positions: 1000, seed: 1 });
  expect(report.violations).toEqual([]);
  expect(report.positions).toBeGreaterThan(1000);
  const sum = (calls: object) => Object.values(calls).reduce((so: number, n: number) => so + n, 0);
  expect(sum(checking.calls)).toBeLessThan(sum(solving.calls));
});
