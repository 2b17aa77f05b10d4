/** Number and choice of the moves that are compared: the cost is bounded, and a position of the sample has no way left out. */
import { expect, test } from 'vitest';
import { UserError } from '../../../../../operators/core/errors.js';
import { seededRandom } from '../../../../../pipeline/game/sample.js';
import { Examiner } from '../../../../../pipeline/games/yours/examiner/examiner.js';
import { keyedGame } from '../../../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../../../../../pipeline/games/yours/keyed/keyed-rules.js';

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

test('all moves are compared at first, then a share: all moves to some of the positions', () => {
  const check = new Examiner(game);
  const random = seededRandom(7);
  const compared: number[] = [];
  const moves = 1_000_000;
  for (let move = 0; move < moves; move++) {
    if (move % MOVES_OF_A_POSITION === 0) check.expanded(1);
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
  const again = new Examiner(game);
  const same = seededRandom(7);
  for (let move = 0; move < moves / 4; move++) {
    if (move % MOVES_OF_A_POSITION === 0) again.expanded(1);
    expect(again.wants(late)).toBe(true);
    if (again.wants(same(2 ** 24))) again.compare({ from: { n: 2 }, move: 'on' }, { n: 1 });
  }
}, 60_000);

test('roots and random games are not counted', () => {
  const check = new Examiner(game);
  expect(check.wants(1)).toBe(true);
  check.compare(null, { n: 50 });
  check.play();
  expect(check.take()).toBe(0);
  expect(() => check.compare({ from: { n: 9 }, move: 'on' }, { n: 8, hidden: true })).toThrow(UserError);
});

test('the comparison is bounded by moves where a position has many thousands', () => {
  const MOVES = 20_000;
  let asked = 0;
  const wide = keyedGame<number, number>({
    name: 'wide',
    roots: () => [0],
    key: (n) => n,
    position: (n) => n,
    mover: () => 0,
    moves(n) {
      if (n === 3) return [];
      asked += MOVES;
      return Array.from({ length: MOVES }, (_, i) => [`m${i}`, n + 1] as const);
    },
  }) as KeyedRules;
  const check = new Examiner(wide);
  check.play();
  for (let n = 0; n < 3; n++) {
    check.expanded(MOVES);
    for (let move = 0; move < MOVES; move++) if (check.wants(8)) check.compare({ from: n, move: '' }, n + 1);
  }
  // Each move to the second and to the third would be 800 million.
  expect(asked).toBeLessThan(4_000_000);
});

test('moves in another order are the same moves, also where there are many', () => {
  const MOVES = 1000;
  const backwards = keyedGame<{ n: number; turned: boolean }, number>({
    name: 'backwards',
    roots: () => [{ n: 0, turned: false }],
    key: ({ n }) => n,
    position: (n) => ({ n, turned: true }),
    mover: () => 0,
    moves({ n, turned }) {
      if (n >= 2) return [];
      const targets = Array.from({ length: MOVES }, (_, i) => 2 + (i % 500));
      return (turned ? targets.reverse() : targets).map((to, i) => [`m${i}`, { n: to, turned }] as const);
    },
  }) as KeyedRules;
  new Examiner(backwards).compare(null, { n: 0, turned: false });
});
