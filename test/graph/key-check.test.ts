/** Number and choice of the moves that are compared: the cost is bounded, and a position of the sample has no way left out. */
import { expect, test } from 'vitest';
import { UserError } from '../../operators/core/errors.js';
import { seededRandom } from '../../pipeline/check/sample.js';
import { keyedGame } from '../../pipeline/games/keyed/keyed-game.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { newKeyCheck } from '../../pipeline/graph/reachable/key-check.js';

interface At {
  readonly n: number;
  readonly hidden?: boolean;
}

const game = keyedGame<At>({
  name: 'line',
  roots: () => [{ n: 50 }],
  key: ({ n }) => BigInt(n),
  position: (key) => ({ n: Number(key) }),
  mover: () => 0,
  moves: ({ n, hidden }) => (n === 0 ? [] : [['on', { n: n - (hidden ? 2 : 1) }]]),
}) as KeyedRules;

const FIRST = 2 ** 13;
const MOVES_OF_A_POSITION = 8;

test('all moves at first, then a share, all of those to some positions', () => {
  const check = newKeyCheck(game);
  const random = seededRandom(7);
  const compared: number[] = [];
  const moves = 1_000_000;
  for (let move = 0; move < moves; move++) {
    if (move % MOVES_OF_A_POSITION === 0) check.expanded();
    const bits = random(2 ** 24);
    if (!check.wants(bits)) continue;
    check.compare({ from: { n: 2 }, move: 'on' }, { n: 1 });
    if (compared.push(bits) === FIRST) expect(move).toBe(FIRST - 1);
  }
  expect(check.take()).toBe(compared.length);
  expect(check.take()).toBe(0);
  // Two expansions a move; some moves were compared before the sample was thinned out.
  const share = moves / MOVES_OF_A_POSITION / 40 / 2;
  expect(compared.length - FIRST).toBeGreaterThan(share / 4);
  expect(compared.length - FIRST).toBeLessThan(2 * share);
  // A position that is compared late was always compared.
  const late = compared.at(-1)!;
  const again = newKeyCheck(game);
  const same = seededRandom(7);
  for (let move = 0; move < moves / 4; move++) {
    if (move % MOVES_OF_A_POSITION === 0) again.expanded();
    expect(again.wants(late)).toBe(true);
    if (again.wants(same(2 ** 24))) again.compare({ from: { n: 2 }, move: 'on' }, { n: 1 });
  }
}, 60_000);

test('roots and random games are not counted', () => {
  const check = newKeyCheck(game);
  expect(check.wants(1)).toBe(true);
  check.compare(null, { n: 50 });
  check.play();
  expect(check.take()).toBe(0);
  expect(() => check.compare({ from: { n: 9 }, move: 'on' }, { n: 8, hidden: true })).toThrow(UserError);
});
