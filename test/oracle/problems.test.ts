import { readFileSync } from 'node:fs';
import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { ifNotLongest, LONGEST, sweep } from '../support/long.js';
import { eachMove, fenOf, type Stipulation, solveProblems } from './problems.js';

interface Published {
  readonly longest: number;
  readonly solvable: number;
  readonly sound: number;
  readonly blackToMove: Readonly<Record<string, number>>;
  readonly whiteToMove: Readonly<Record<string, number>>;
}
const { classes } = JSON.parse(
  readFileSync(new URL('../golden/helpmates.json', import.meta.url), 'utf8'),
) as { classes: Record<string, Published> };

function counted(name: string, stipulation: Stipulation) {
  const solved = solveProblems(name, stipulation);
  const histograms: [Record<string, number>, Record<string, number>] = [{}, {}];
  let solvable = 0;
  let sound = 0;
  for (const board of solved.boards()) {
    // Published tables have no cells for rights to capture en passant.
    const value = board.passant < 0 ? solved.value(board) : null;
    if (value === null) continue;
    solvable++;
    if (value.number === 1) sound++;
    const histogram = histograms[board.side];
    histogram[value.plies] = (histogram[value.plies] ?? 0) + 1;
  }
  return { solvable, sound, whiteToMove: histograms[0], blackToMove: histograms[1] };
}

it.each(sweep(['KQvK'], ['KRvK', 'KPvK'], ['KQvKR', 'KBvKN', 'KNvKR', 'KQQvK', 'KRvKQ']))(
  'finds the published helpmates of %s: plies, and the sound ones',
  (name) => {
    const { solvable, sound, whiteToMove, blackToMove } = classes[name];
    expect(counted(name, 'help')).toEqual({ solvable, sound, whiteToMove, blackToMove });
  },
);

// A second solver counts those of KQvKR in the short tests: test/golden/selfmates.test.ts.
it.skipIf(!LONGEST).each([
  ['KQvKR', 306],
  ['KQvKQ', 801],
  ['KRvKR', 603],
])(`finds no selfmates of %s but the mates themselves${ifNotLongest}`, (name, mates) => {
  expect(counted(name, 'self')).toMatchObject({
    solvable: mates,
    whiteToMove: { 0: mates },
    blackToMove: {},
  });
});

describe('its moves', () => {
  it.each([
    '8/8/8/k1K5/p7/8/1P6/5B2 w - - 0 1',
    '8/8/8/k1K5/pP6/8/8/5B2 b - b3 0 1',
    '8/1P1k4/8/3pP3/8/8/5Kp1/7R w - d6 0 1',
    '3r4/1P6/8/2k5/8/4n3/4K1P1/8 w - - 0 1',
    'r7/1P6/8/2k5/8/4n3/p3K1P1/1B6 b - - 0 1',
  ])('are those of chess.js: %s', (fen) => {
    const rules = new Chess(fen);
    const [placement, side, , passant] = fen.split(' ');
    const squares = new Int8Array(64);
    placement
      .replace(/\d/g, (empty) => ' '.repeat(Number(empty)))
      .split('/')
      .forEach((rank, i) => {
        [...rank].forEach((letter, file) => {
          const man = ' KQRBNP'.indexOf(letter.toUpperCase());
          squares[8 * (7 - i) + file] = letter === letter.toUpperCase() ? man : -man;
        });
      });
    const square = passant === '-' ? -1 : 'abcdefgh'.indexOf(passant[0]) + 8 * (Number(passant[1]) - 1);
    const after: string[] = [];
    eachMove({ squares, side: side === 'w' ? 0 : 1, passant: square }, (board) => {
      after.push(fenOf(board).split(' ')[0]);
    });
    const expected = rules.moves({ verbose: true }).map((move) => move.after.split(' ')[0]);
    expect(after.sort()).toEqual(expected.sort());
  });
});
