/** The games of samples/, solved through the package root, against search and theory. */
import { type Game, solveInMemory } from 'mergemate';
import { expect, test } from 'vitest';
import subtraction from '../../../../../samples/subtraction/game.js';
import ticTacToe from '../../../../../samples/tic-tac-toe/game.js';
import { valuesOf } from '../../../../support/paged.js';

const BUDGET = { memory: 2 ** 20, fanIn: 4, batchRows: 1000 };

async function solved<Position>(game: Game<Position>, metric: 'dtw' | 'wdl' = 'dtw') {
  const { summaries, ...solved } = await solveInMemory(game, { metric, budget: BUDGET });
  return { ...summaries[0], ...solved };
}

interface Outcome {
  readonly wdl: 'win' | 'draw' | 'loss';
  readonly plies: number;
}

/** Values of boards as strings of nine signs, by search through the whole game; in `known`, every board that it comes to. */
function play(board: string, sign: 'x' | 'o', known: Map<string, Outcome>): Outcome {
  const before = known.get(board);
  if (before !== undefined) return before;
  const other = sign === 'x' ? 'o' : 'x';
  const line = new RegExp(
    `^(...)*${other}{3}|${other}..${other}..${other}|^${other}...${other}...${other}|^..${other}.${other}.${other}`,
  );
  const after = [...board].flatMap((square, i) =>
    square === '.' ? [board.slice(0, i) + sign + board.slice(i + 1)] : [],
  );
  let outcome: Outcome;
  if (line.test(board)) outcome = { wdl: 'loss', plies: 0 };
  else if (after.length === 0) outcome = { wdl: 'draw', plies: 0 };
  else {
    const next = after.map((each) => play(each, other, known));
    const losses = next.filter(({ wdl }) => wdl === 'loss').map(({ plies }) => plies + 1);
    if (losses.length > 0) outcome = { wdl: 'win', plies: Math.min(...losses) };
    else if (next.every(({ wdl }) => wdl === 'win'))
      outcome = { wdl: 'loss', plies: 1 + Math.max(...next.map(({ plies }) => plies)) };
    else outcome = { wdl: 'draw', plies: 0 };
  }
  known.set(board, outcome);
  return outcome;
}

test('tic-tac-toe: all 5,478 reachable positions, 765 up to symmetry, have the values of a search', async () => {
  const { table, verified, store, probe } = await solved(ticTacToe);
  const known = new Map<string, Outcome>();
  expect(play('.........', 'x', known).wdl).toBe('draw');
  expect(known.size).toBe(5478);
  expect(table.positions[0] + table.positions[1]).toBe(765);
  expect(verified).toBe(765);
  const lost = [...known].filter(([, { wdl, plies }]) => wdl === 'loss' && plies === 0);
  expect(lost.length).toBe(626 + 316);

  // Every board is one of the images of a position in the table.
  const images = new Set<string>();
  const slice = ticTacToe.slice('tic-tac-toe');
  const values = await valuesOf(ticTacToe, 'tic-tac-toe', 'dtw', store);
  for (const [board, { wdl, plies }] of known) {
    const { side, key } = ticTacToe.locate(ticTacToe.parse(board));
    const code = { win: plies, draw: 0, loss: -plies - 1 }[wdl];
    expect([board, values[side][key]]).toEqual([board, code]);
    const image = ticTacToe.board({ slice: 'tic-tac-toe', side, part: 0, key });
    const orbit = ticTacToe.images!(image).map((each) => ticTacToe.format(each).replaceAll('/', ''));
    expect(orbit).toContain(board);
    const size = Uint8Array.of(0);
    slice.orbitSizes(0, Uint32Array.of(key), 1, size);
    expect(size[0]).toBe(orbit.length);
    for (const each of orbit) images.add(each);
  }
  expect(images).toEqual(new Set(known.keys()));
  const { moves, ...value } = await probe('x.o/.../..x');
  expect(value).toMatchObject({ wdl: 'loss', plies: 4 });
  expect(moves.map(({ san, plies }) => [san, plies])).toContainEqual(['e', 4]);
});

test('subtraction: the side to move has lost where both heaps leave the same remainder by 4', async () => {
  for (const metric of ['dtw', 'wdl'] as const) {
    const { table, store, probe } = await solved(subtraction, metric);
    expect(table.positions).toEqual([4096, 4096]);
    // A quarter of all pairs.
    expect(table.losses).toEqual([1024, 1024]);
    expect(table.wins).toEqual([3072, 3072]);
    for (const side of await valuesOf(subtraction, 'subtraction', metric, store)) {
      side.forEach((code, index) => {
        const [a, b] = [Math.floor(index / 64), index % 64];
        expect([a, b, Math.sign(code!)]).toEqual([a, b, a % 4 === b % 4 ? -1 : 1]);
      });
    }
    // The loser takes one at a time; the winner makes it four, or takes the rest.
    const value = await probe('63+63 w');
    expect(value.plies).toBe(metric === 'wdl' ? null : 66);
  }
});

test('positions and moves have names', () => {
  const board = ticTacToe.parse('x../.o./...');
  expect(ticTacToe.format(board)).toBe('x../.o./...');
  expect(ticTacToe.diagram(board)).toBe('x..\n.o.\n...\n');
  expect(ticTacToe.mover(board)).toBe('white');
  expect(ticTacToe.moves(board).map(({ san }) => san)).toEqual(['b', 'c', 'd', 'f', 'g', 'h', 'i']);
  expect(ticTacToe.terminal(board)).toBe('open');
  expect(ticTacToe.terminal(ticTacToe.parse('xxx/oo./...'))).toBe('lost');
  expect(ticTacToe.moves(ticTacToe.parse('xxx/oo./...'))).toEqual([]);
  expect(ticTacToe.format(ticTacToe.board(ticTacToe.locate(board)))).toBe('.../.o./..x');
  expect(() => ticTacToe.parse('xx./.../...')).toThrow('tic-tac-toe: "xx./.../...": no game comes to this');
  expect(subtraction.moves(subtraction.parse('1+2 b')).map(({ san }) => san)).toEqual([
    '1 of the first',
    '1 of the second',
    '2 of the second',
  ]);
});
