/** Games and positions of checkers as programs and people write them in PDN. */
import { describe, expect, test } from 'vitest';
import { PDN } from '../../../jobs/notation/read-pdn.js';
import { readStudies } from '../../../jobs/notation/read-studies.js';
import { annotated, NO_FINDINGS } from '../../../jobs/study/annotate.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { readBoard } from '../../../pipeline/games/checkers/fen.js';
import { all, readText, sans } from './reading.js';

const read = (text: string) => readText(text, 'x.pdn', PDN);
const BLACK = '1,2,3,4,5,6,7,8,9,10,11,12';
const WHITE = '21,22,23,24,25,26,27,28,29,30,31,32';

describe('positions', () => {
  test.each([
    ['ranges of men', 'W:W21-32:B1-12', `W:W${WHITE}:B${BLACK}`],
    ['ranges of kings', 'W:WK12-14:BK28-31', 'W:WK12,K13,K14:BK28,K29,K30,K31'],
    ['ranges with K at both ends, and squares beside them', 'B:W18,K24-K25:B1-2,K3', 'B:W18,K24,K25:B1,2,K3'],
    ['the colours in either order', 'B:B1,K3:W18', 'B:W18:B1,K3'],
    ['spaces, small letters and a full stop', 'b: w18, k24 : b1,k3.', 'B:W18,K24:B1,K3'],
  ])('%s', (_, fen, written) => {
    expect(readBoard(fen)).toEqual(readBoard(written));
  });

  test.each([
    ['W:W21-20:B1', 'the range 21-20 runs backwards'],
    ['W:W21-33:B1', 'there is no square 33'],
    ['W:W21-K23:B1', 'the range 21-K23 is of men at one end and of kings at the other'],
    ['W:W21-24,22:B1', 'square 22 has two pieces'],
    ['W:W21-:B1', '"21-" is not a piece'],
    ['W:W2-5:BK30', 'a white man stands where it would have been crowned'],
  ])('%j is refused: %s', (fen, why) => {
    expect(() => checkers.parse(fen)).toThrow(why);
  });

  test('are read from lines of their own and from the tags of games', async () => {
    const { studies, problems } = await read('W:WK31-32:BK1\n\n[FEN "W:WK31-32:BK1"]\n\n1... 31-27 *\n');
    expect(problems).toEqual([]);
    expect(studies.map(({ fen, moves }) => [fen, sans(moves)])).toEqual([
      ['W:WK31-32:BK1', ''],
      ['W:WK31,K32:BK1', '31-27'],
    ]);
  });
});

describe('games', () => {
  test.each([
    ['White first', '[FEN "W:WK15,K18:BK3"]\n\n1. ... 15-10 2. 3-8', '15-10 3-8'],
    ['numbers for each half-move', '1. 11-15 1... 23-19 2. 8-11', '11-15 23-19 8-11'],
    [
      'suffixes',
      '1. 11-15! 23-19?! 2. 8-11* 22-17(!) 3. 9-13(*) 17-14 $6',
      '11-15 23-19 8-11 22-17 9-13 17-14',
    ],
    [
      'every way to write a capture',
      '1. 11-15 23-19 2. 8-11 22-17 3. 9-13 17-14 4. 10:17 21x14',
      '11-15 23-19 8-11 22-17 9-13 17-14 10x17 21x14',
    ],
    ['spaces within moves', '1. 11 - 15 23 - 19', '11-15 23-19'],
    ['brackets that open before a move', '(11-15)', '11-15'],
  ])('%s', async (_, text, moves) => {
    const { studies, problems } = await read(text);
    expect(problems).toEqual([]);
    expect(sans(studies[0].moves)).toBe(moves);
  });

  // A black man on 1 takes 6 and 15; on 5 it takes 9 and 17 or 18, and from there both ways.
  const JUMPS = '[FEN "B:W6,15,24:B1"]\n\n';
  test.each([
    ['jump by jump', `${JUMPS}1. 1x10 10x19 19x28 *`, '1x28'],
    ['with words of several jumps', `${JUMPS}1. 1x10x19 19x28 *`, '1x28'],
    ['with the short form of several jumps', `${JUMPS}1. 1x19 19x28 *`, '1x28'],
    [
      'over the end of a line, with comments and glyphs',
      `${JUMPS}1. 1x10! {takes}\n10 x 19 $1 19:28 *`,
      '1x28',
    ],
    ['with numbers between them', `${JUMPS}1. 1x10 1. 10x19 1. 19x28 *`, '1x28'],
    [
      'within variations, and before the reply',
      '[FEN "B:W6,15,31:B1,2"]\n\n1. 1x10 10x19 (1. 2x9) 31-26 2. 19-23 *',
      '1x19 (2x9) 31-26 19-23',
    ],
    [
      'so that the way is told where two have the same ends',
      '[FEN "B:W6,7,14,15:BK2"]\n\n1. 2x9 9x18 18x11 11x2 *',
      '2x9x18x11x2',
    ],
  ])('read the capture %s', async (_, text, moves) => {
    const { studies, problems } = await read(text);
    expect(problems).toEqual([]);
    expect(sans(studies[0].moves)).toBe(moves);
  });

  test.each([
    [`${JUMPS}1. 1x10 *`, '1. 1x10 is only part of a capture'],
    [`${JUMPS}1. 1x10 10x19 24x15 *`, '1. 1x10 10x19 is only part of a capture'],
    [`${JUMPS}1. 1x10 10x17 *`, '1. 1x10 10x17 is not a legal move'],
    [`${JUMPS}1. 1-10 10-19 19-28 *`, '1. 1-10 is not a legal move'],
    [`${JUMPS}1. 1x28 (1. 1x10) *`, '1. 1x10 is only part of a capture'],
  ])('a capture that is not played to its end is refused by name: %j', async (text, why) => {
    const { problems } = await read(text);
    expect(problems).toEqual([`x.pdn, game 1 (line 1): ${why}`]);
  });

  test('a capture that is written jump by jump is written back as it is, with what was found behind it', async () => {
    const { studies } = await read(`${JUMPS}1. 1x10 10x19 {so}\n19x28 $1 {far} *\n`);
    const [move] = studies[0].moves;
    expect([move.before, move.after]).toEqual(['B:W6,15,24:B1', 'W:W:B28']);
    expect(move.comments).toEqual(['far']);
    expect(annotated(studies[0], NO_FINDINGS)).toBe(`${JUMPS}1. 1x10 10x19 {so}\n19x28 $1 {far} *\n`);
  });

  test.each([
    ['1. 11-15 1-0', '1-0'],
    ['1. 11-15 0-2', '0-1'],
    ['1. 11-15 1-1', '1/2-1/2'],
    ['[Result "2-0"]\n\n1. 11-15 *', '1-0'],
    ['1. 11-15 *', null],
  ])('the result of %j is %j', async (text, result) => {
    expect((await read(text)).studies[0].result).toBe(result);
  });

  test.each(['21', '21,B,8,8,N1,0', '', '?'])('of the type %j are English draughts', async (type) => {
    const { studies } = await read(`[GameType "${type}"]\n\n1. 11-15`);
    expect(sans(studies[0].moves)).toBe('11-15');
  });

  test.each([
    ['20', 'international draughts'],
    ['20,W,10,10,N2,0', 'international draughts'],
    ['25', 'Russian draughts'],
    ['22,W,8,8,N2,1', 'Italian draughts'],
  ])('of the type %j are refused by name: %s', async (type, name) => {
    const { studies, problems } = await read(`[GameType "${type}"]\n\n1. 32-28\n\n[Event "b"]\n\n1. 11-15`);
    expect(studies).toHaveLength(1);
    expect(problems).toEqual([
      `x.pdn, game 1 (line 1): GameType "${type.slice(0, 2)}" is another game, ${name}`,
    ]);
  });

  test.each([
    ['1. 11-15 23-18 2. 12-99', '11-15 23-18', '2. 12-99 is not a legal move'],
    ['1. 11-15 what', '11-15', '1... what is not a move'],
    ['1. c3-d4', '', '1. c3-d4: squares must be numbers, as in 11-15'],
  ])('%j: the moves before are kept, and the place and the cause are named', async (text, moves, why) => {
    const { studies, problems } = await read(text);
    expect(sans(studies[0].moves)).toBe(moves);
    expect(problems).toEqual([`x.pdn, game 1 (line 1): ${why}`]);
  });
});

const TINSLEY = process.env.MERGEMATE_TEST_TINSLEY;
test.skipIf(TINSLEY === undefined)(
  `Tinsley's games: 721 of 724 are read, the others named${TINSLEY === undefined ? ' (skipped: MERGEMATE_TEST_TINSLEY names no file)' : ''}`,
  async () => {
    const { studies, problems } = await all(readStudies(TINSLEY!, PDN));
    expect(studies).toHaveLength(724);
    expect(problems.map((problem) => /game (\d+)/.exec(problem)![1])).toEqual(['541', '623', '693']);
  },
);
