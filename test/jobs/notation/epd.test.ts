/** Positions of chess a line each: FEN and EPD, with operations and remarks. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChessPosition } from '../../../jobs/notation/epd.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';
import { readText } from './reading.js';

const KBNK = '8/8/6k1/3B4/3K4/4N3/8/8 w - -';

test.each([
  [`${KBNK} hmvc 54; fmvn 106; id "x";`, `${KBNK} 54 106`, { hmvc: ['54'], fmvn: ['106'], id: ['x'] }],
  [`${KBNK} bm Ke5 Kd5; dm 5; am "Ke4";`, `${KBNK} 0 1`, { bm: ['Ke5', 'Kd5'], dm: ['5'], am: ['Ke4'] }],
  [`${KBNK} 54 106 id "after \\"clocks\\"; so";`, `${KBNK} 54 106`, { id: ['after "clocks"; so'] }],
  [`${KBNK} 54; id "a";`, `${KBNK} 54 1`, { id: ['a'] }],
  [
    `${KBNK} c0 "a comment; with a semicolon"; c9 "b"; bm Ke5`,
    `${KBNK} 0 1`,
    { c0: ['a comment; with a semicolon'], c9: ['b'], bm: ['Ke5'] },
  ],
  [`${KBNK} noop; hmvc 3;`, `${KBNK} 3 1`, { noop: [], hmvc: ['3'] }],
  [`${KBNK} 3 4 ; a remark`, `${KBNK} 3 4`, {}],
  [`${KBNK} # a remark`, `${KBNK} 0 1`, {}],
  ['8/8/6k1/3B4/3K4/4N3/8/8_w_-_-_3_4', `${KBNK} 3 4`, {}],
  ['8/8/6k1/3B4/3K4/4N3/8/8_w_-_- id "a_b";', `${KBNK} 0 1`, { id: ['a_b'] }],
  [`${KBNK} constructor 1; __proto__ 2; hmvc 5;`, `${KBNK} 5 1`, { constructor: ['1'], hmvc: ['5'] }],
])('%j', (line, fen, operations) => {
  const read = readChessPosition(line);
  expect(read.fen).toBe(fen);
  expect(Object.entries(read.operations)).toEqual(Object.entries(operations));
});

test.each([`${KBNK} x 1`, `${KBNK} 0 1 1`, `${KBNK} 3 4 White mates`, '8/8/6k1/3B4/3K4/4N3/8/8 white'])(
  '%j is read as a FEN, and refused as one',
  (line) => {
    expect(readChessPosition(line)).toEqual({ fen: line, operations: {}, isPlain: true });
  },
);

test('a study has the clock, the title and the operations of its line', async () => {
  const { studies, problems } = await readText(
    [
      '# remarks',
      '% between',
      '',
      `${KBNK} hmvc 54; fmvn 106; id "x"; bm Ke5;`,
      '1. e4 *',
      `${KBNK} 0 1`,
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(studies.map(({ title, fen, operations }) => [title, fen, operations.bm])).toEqual([
    ['x', `${KBNK} 54 106`, ['Ke5']],
    ['x.pgn, game 1 (line 5)', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', undefined],
    ['x.pgn, line 6', `${KBNK} 0 1`, undefined],
  ]);
});

describe('commands', () => {
  const folder = newFolder();
  const store = join(folder, 'tables');
  const mergemate = program(store);
  beforeAll(async () => {
    await putEndings(store, chess, ['KRK'], ['dtz']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const KRK = '8/8/8/3k4/8/8/1R6/K7 w - -';
  const EPD = `${KRK} hmvc 54; fmvn 106; id "rook";`;
  const flags = ['--metric', 'dtz'];

  test('probe answers lines of EPD as the FEN with their clock, and passes over remarks', async () => {
    const path = join(folder, 'list.epd');
    writeFileSync(path, `\ufeff# remark\r\n${EPD}\r\n${KRK} 54 106\r\n\r\n${KRK} x 106\r\n`);
    const { stdout, code } = await mergemate.run(['probe', 'chess', '--file', path, ...flags]);
    const [first, second, third] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(first).toEqual({ id: 'rook', ...second });
    expect(second).toMatchObject({ position: `${KRK} 54 106` });
    expect(third).toMatchObject({
      position: `${KRK} x 106`,
      error: expect.stringContaining('half-move clock is "x"'),
    });
    expect(code).toBe(2);
  });

  test('probe reads one position as EPD, too', async () => {
    const [epd, fen] = [
      await mergemate.run(['probe', 'chess', EPD, ...flags]),
      await mergemate.run(['probe', 'chess', `${KRK} 54 106`, ...flags]),
    ];
    expect(epd).toEqual(fen);
    expect(epd.code).toBe(0);
  });
});
