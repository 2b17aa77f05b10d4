/** Optional parts of a numbered game: with them and without, every position has the same value. */
import { expect, test } from 'vitest';
import { checkGame } from '../../../../../pipeline/check/check-game.js';
import type { Game, Side } from '../../../../../pipeline/game/game.js';
import type {
  NumberedGame,
  NumberedSlice,
} from '../../../../../pipeline/games/yours/numbered/numbered-definition.js';
import { numberedGame } from '../../../../../pipeline/games/yours/numbered/numbered-game.js';
import { solveInMemory } from '../../../../../pipeline/solve-in-memory.js';
import { LONGEST, sweep } from '../../../../support/long.js';
import { type At, walk } from './walks.js';

/**
 * Two knights, one of each player, on a 4x4 board with counters. A knight that moves to the corner 0, 3, 12 or 15 takes a
 * counter off; the player who takes the last has won. The other knight's square is not to be moved to.
 */
interface Board {
  readonly mine: number;
  readonly his: number;
  readonly counters: number;
  readonly side: Side;
}
const SIDE = 4;
const SQUARES = SIDE * SIDE;
const CORNERS = [0, 3, 12, 15];
const squares = Array.from({ length: SQUARES }, (_, square) => square);
const knightMoves = squares.map((from) =>
  squares.filter((to) => {
    const [files, ranks] = [(to % SIDE) - (from % SIDE), Math.floor(to / SIDE) - Math.floor(from / SIDE)];
    return files * files + ranks * ranks === 5;
  }),
);
const turn = (square: number) => (square % SIDE) * SIDE + (SIDE - 1 - Math.floor(square / SIDE));
const flip = (square: number) => square + SIDE - 1 - 2 * (square % SIDE);
const MOST = 2;

/** Moves from `mine` are those to `his` from the other side: with the roles of the knights exchanged. */
const knights: NumberedGame<Board> = {
  name: 'knights',
  size: (MOST + 1) * SQUARES ** 2,
  index: ({ mine, his, counters }) => (counters * SQUARES + mine) * SQUARES + his,
  position(index, side) {
    const mine = Math.floor(index / SQUARES) % SQUARES;
    const his = index % SQUARES;
    return mine === his ? null : { mine, his, counters: Math.floor(index / SQUARES ** 2), side };
  },
  mover: ({ side }) => side,
  ended: ({ counters }) => (counters === 0 ? 'lost' : null),
  *moves({ mine, his, counters, side }) {
    for (const to of knightMoves[mine]) {
      if (to === his) continue;
      const left = counters - (CORNERS.includes(to) ? 1 : 0);
      yield [String(to), { mine: his, his: to, counters: left, side: (1 - side) as Side }];
    }
  },
};

const symmetries: NumberedGame<Board>['symmetries'] = function* (board) {
  for (let quarters = 0, at = board; quarters < 4; quarters++) {
    at = { ...at, mine: turn(at.mine), his: turn(at.his) };
    yield at;
    yield { ...at, mine: flip(at.mine), his: flip(at.his) };
  }
};
/** Before, it was his knight that moved, and with a counter more if it stands on a corner now. */
const unmoves: NumberedGame<Board>['unmoves'] = function* ({ mine, his, counters, side }) {
  const before = counters + (CORNERS.includes(his) ? 1 : 0);
  if (before > MOST) return;
  for (const from of knightMoves[his])
    if (from !== mine) yield { mine: from, his: mine, counters: before, side: (1 - side) as Side };
};
const slices: NumberedSlice[] = [0, 1, 2].map((counters) => ({
  name: `left-${counters}`,
  size: SQUARES ** 2,
  leadsTo: counters === 0 ? [] : [`left-${counters - 1}`],
}));

/** The values of a fifth of the positions, by index and side, and counts over all that is stored. */
async function valuesOf(definition: NumberedGame<Board>) {
  const game = numberedGame(definition);
  const { summaries, probe } = await solveInMemory(game);
  const values: unknown[] = [];
  for (let index = 0; index < knights.size; index += 5) {
    for (const side of [0, 1] as const) {
      const position = knights.position(index, side);
      if (position === null) continue;
      const { code, moves } = await probe(position);
      values.push([index, side, code, moves.map(({ code }) => code)]);
    }
  }
  const sum = (pair: readonly number[]) => pair[0] + pair[1];
  const stored = summaries.reduce((so, { table }) => so + sum(table.positions), 0);
  const rows = summaries.reduce((so, { table }) => so + table.requests, 0);
  return { values, stored, rows, names: summaries.map(({ slice }) => slice) };
}

const plain = await valuesOf(knights);

type Parts = [string, Partial<NumberedGame<Board>>];
const few: Parts[] = [
  ['slices', { slices }],
  ['symmetries', { symmetries }],
];
const more: Parts[] = [['all of them', { symmetries, slices, unmoves }]];
const most: Parts[] = [
  ['unmoves', { unmoves }],
  ['symmetries and slices', { symmetries, slices }],
];
test.each(sweep(few, more, most))(
  'with %s all values are the same, and check finds no violation',
  async (_, more) => {
    const { values, stored, rows, names } = await valuesOf({ ...knights, ...more });
    expect(values).toEqual(plain.values);
    expect(names).toEqual(more.slices === undefined ? ['knights'] : ['left-0', 'left-1', 'left-2']);
    if (more.symmetries === undefined) expect(stored).toBe(plain.stored);
    else {
      // Burnside: 2 * 3 * (240 + 2 * 12) / 8, as the diagonals alone leave pairs of squares where they are.
      expect(stored).toBe(198);
      expect(rows).toBeLessThan(plain.rows / 5);
    }
    const game = numberedGame({ ...knights, ...more });
    const report = await checkGame(game as Game, {
      slices: game.whole!.slices,
      positions: LONGEST ? 1000 : 150,
      seed: 1,
    });
    expect(report.violations).toEqual([]);
    const skipped = new Set(report.slices.flatMap((slice) => slice.skipped.map(({ rule }) => rule)));
    expect(skipped.has('symmetry')).toBe(more.symmetries === undefined);
    expect(skipped.has('unmoves')).toBe(more.unmoves === undefined);
  },
);

test('the game of these tests has five different values', () => {
  const codes = plain.values.map((value) => (value as number[])[2]);
  expect(new Set(codes).size).toBe(5);
});

test('a position stands for as many boards as it has images', () => {
  const game = numberedGame({ ...knights, symmetries });
  const slice = game.slice('knights');
  let boards = 0;
  for (let index = 0; index < SQUARES ** 2; index++) {
    const position = knights.position(index, 0);
    if (position === null || game.locate(position).key !== index) continue;
    const out = new Uint8Array(1);
    slice.orbitSizes(0, Uint32Array.of(index), 1, out);
    boards += out[0];
  }
  expect(boards).toBe(SQUARES * (SQUARES - 1));
});

test('slices are endings, and the game is all of them', () => {
  const game = numberedGame({ ...knights, slices });
  expect(game.whole).toMatchObject({ name: 'knights', slices: ['left-0', 'left-1', 'left-2'], pieces: 3 });
  expect(game.ending('LEFT-1')).toMatchObject({ name: 'left-1', slices: ['left-1'], class: 'knights' });
  expect(game.ending(game.ending('left-1').exchanged).exchanged).toBe('left-1');
  expect(game.endingsUpTo(2).map(({ name }) => name)).toEqual(['left-0', 'left-1']);
  expect(game.endingsUpTo(3).map(({ name }) => name)).toEqual(['knights']);
  expect(() => game.ending('left-7')).toThrow(
    '"left-7" is not a part of knights: "knights" is all of it, and its slices are left-0, left-1, left-2',
  );
});

const slice = (name: string, size: number, ...leadsTo: string[]): NumberedSlice => ({ name, size, leadsTo });

test.each<[string, NumberedSlice[], string]>([
  [
    'sizes that do not add up',
    [slice('a', 4), slice('b', 5)],
    'its slices have 9 numbers together, but size is 10',
  ],
  ['two of one name', [slice('a', 5), slice('A', 5)], 'there are two slices A'],
  [
    'a name that is no folder',
    [slice('a/b', 10)],
    '"a/b" cannot be a slice\'s name: letters, digits, - and _ can',
  ],
  [
    'the name of the game',
    [slice('Walk', 10)],
    'slice Walk has the name of the game, which is that of all slices together',
  ],
  [
    'a size that is none',
    [slice('a', 0), slice('b', 10)],
    'slice a has size 0, not a whole number from 1 to 2^53 - 1',
  ],
  ['an unknown slice', [slice('a', 10, 'b')], 'slice a leads to b, which is not a slice'],
  ['a circle', [slice('a', 5, 'b'), slice('b', 5, 'a')], 'slices lead in a circle: a → b → a'],
  ['a circle of one', [slice('a', 10, 'a')], 'slices lead in a circle: a → a'],
])('slices that cannot be are refused: %s', (_, slices, message) => {
  expect(() => numberedGame(walk(() => [], { slices }))).toThrow(`walk: ${message}`);
});

const mirror = ({ at, side }: At) => [{ at: 9 - at, side }];
const bothWays = ({ at, side }: At) =>
  [at - 1, at + 1]
    .filter((to) => to >= 0 && to < 10)
    .map((to) => [`to ${to}`, { at: to, side: (1 - side) as Side }] as const);

test.each<[string, Partial<NumberedGame<At>>, string]>([
  [
    'a move to a slice that is not named',
    { slices: [slice('low', 4), slice('high', 6)] },
    'walk: 4w: the move to 3 leads to 3b in the slice low, which high does not name in leadsTo',
  ],
  [
    'an image with another side to move',
    { symmetries: ({ at, side }) => [{ at: 9 - at, side: (1 - side) as Side }] },
    'walk: 0w: its image 9b has another side to move',
  ],
  [
    'an image that is no position',
    { symmetries: mirror, moves: bothWays, position: (at, side) => (at === 8 ? null : { at, side }) },
    'walk: 1w: its image 8w is not a position',
  ],
  [
    'an image in another slice',
    { symmetries: mirror, slices: [slice('low', 4), slice('high', 6, 'low')] },
    'walk: 0w: its image 9w is in the slice high',
  ],
  [
    'symmetries that are not those of their images',
    { symmetries: ({ at, side }) => [{ at: (at + 1) % 10, side }] },
    'walk: 0w: symmetries of its image 1w do not lead to the same positions',
  ],
])('%s is told by solve and by check', async (_, more, message) => {
  const game = numberedGame(walk((at) => (at > 0 ? [at - 1] : []), more)) as Game;
  const error = { name: 'UserError', message };
  await expect(solveInMemory(game)).rejects.toMatchObject(error);
  const checked = checkGame(game, { slices: game.whole!.slices, positions: 100, seed: 1 });
  await expect(checked).rejects.toMatchObject(error);
});

/** Faults that no single function shows. */
test.each<[string, Partial<NumberedGame<Board>>, RegExp]>([
  [
    'a board that is no symmetry of another',
    {
      symmetries: ({ mine, ...rest }) =>
        [{ mine: flip(mine), ...rest }].filter(({ mine, his }) => mine !== his),
    },
    /^knights: \d+ [wb]: symmetries gives \d+ [wb], which is taken for \d+ [wb] by symmetries: 2 moves there and 2 here, the move "\d+" only there, so they are not alike$/,
  ],
  [
    'a board that is at an end where its image is not',
    {
      symmetries,
      ended: ({ mine, counters }) => (counters === 0 || mine === 5 ? 'lost' : null),
    },
    /^knights: .*: ended is (null|'lost') there and ('lost'|null) here, so they are not alike$/,
  ],
  [
    'an unmove left out',
    { symmetries, slices, unmoves: (board) => [...unmoves(board)].slice(1) },
    /^knights: \d+ [wb]: unmoves gives \d+ [wb] not at all, but one move leads from there to here$/,
  ],
  [
    'unmoves within slices only',
    { slices, unmoves: (board) => [...unmoves(board)].filter(({ counters }) => counters === board.counters) },
    /^knights: \d+ [wb]: unmoves gives \d+ [wb] not at all, but one move leads from there to here$/,
  ],
])('%s is told by solve and by check', async (_, more, says) => {
  const game = numberedGame({ ...knights, ...more }) as Game;
  await expect(solveInMemory(game)).rejects.toThrow(says);
  const checked = checkGame(game, { slices: game.whole!.slices, positions: 1000, seed: 1 });
  await expect(checked).rejects.toThrow(says);
});
