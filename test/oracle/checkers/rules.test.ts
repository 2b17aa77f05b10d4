import { describe, expect, it, test } from 'vitest';
import { LONG, LONGEST } from '../../support/long.js';
import { classesOf, positionsOf } from './classes.js';
import { formatFen, parseFen } from './fen.js';
import { isLost, mirrored, moves, type Position } from './rules.js';

const START = 'B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12';

function paths(fen: string): string[] {
  return moves(parseFen(fen)).map(({ path }) => path.join('-'));
}

function perft(position: Position, depth: number): number {
  const found = moves(position);
  if (depth === 1) return found.length;
  return found.reduce((sum, { after }) => sum + perft(after, depth - 1), 0);
}

/** As published at aartbik.com/MISC/checkers.html, and OEIS A133046. */
test('the start position has the published numbers of games', () => {
  const published = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931];
  expect(published.map((_, i) => perft(parseFen(START), i + 1))).toEqual(published);
});

describe('steps', () => {
  it.each([
    ['a black man goes towards higher numbers', 'B:W:B14', ['14-17', '14-18']],
    ['a white man goes towards lower ones', 'W:W19:B', ['19-15', '19-16']],
    ['a king goes both ways', 'B:W:BK18', ['18-14', '18-15', '18-22', '18-23']],
    ['a piece on the side has half the ways', 'B:W:B4,K13', ['4-8', '13-9', '13-17']],
    ['no piece steps onto another', 'B:W:B14,K18', ['14-17', '18-15', '18-22', '18-23']],
  ])('%s', (_, fen, expected) => expect(paths(fen)).toEqual(expected));
});

describe('jumps', () => {
  it.each([
    ['must be made', 'B:W18:B14,K1', ['14-23']],
    ['may be chosen', 'B:W17,18:B14', ['14-21', '14-23']],
    ['are not made backwards by a man', 'B:W18:B23', ['23-26', '23-27']],
    ['are made backwards by a king', 'B:W18:BK23', ['23-14']],
    ['need an empty square behind', 'B:W18,K23:B14', ['14-17']],
    ['need a square behind', 'B:W13:B9', ['9-14']],
    ['are not made over the own side', 'B:W32:B14,18', ['14-17', '18-22', '18-23']],
    ['go on while they can, by every way', 'B:W6,14,15:B1', ['1-10-17', '1-10-19']],
    ['need not be the longest', 'B:W6,7,15:B2', ['2-9', '2-11-18']],
    ['end where a man is crowned', 'B:W26,27:B22', ['22-31']],
    ['do not end there for a king', 'B:W26,27:BK22', ['22-31-24']],
    ['take no piece twice', 'B:W18:BK14', ['14-23']],
    ['may end where they began', 'B:W10,11,18,19:BK14', ['14-7-16-23-14', '14-23-16-7-14']],
    ['may pass where they began', 'B:W10,11,18,19,K9:BK14', ['14-5', '14-7-16-23-14-5', '14-23-16-7-14-5']],
  ])('%s', (_, fen, expected) => expect(paths(fen).sort()).toEqual(expected.sort()));

  it('take all jumped pieces and no other', () => {
    const [move] = moves(parseFen('B:W6,14,15,K32:B1,3'));
    expect(move.path).toEqual([1, 10, 17]);
    expect(move.captured).toEqual([6, 14]);
    expect(formatFen(move.after)).toBe('W:W15,K32:B3,17');
  });

  it('pass a square again and again, but no jumped piece', () => {
    // Three ways join 14 and 23: over 10, 11 and 19; over 18; over 17, 25 and 26. Every order of the three is a move.
    const found = moves(parseFen('B:W10,11,17,18,19,25,26:BK14'));
    expect(found).toHaveLength(6);
    expect(new Set(found.map(({ path }) => path.join())).size).toBe(6);
    for (const { path, captured, after } of found) {
      expect(path).toHaveLength(8);
      expect([...captured].sort((a, b) => a - b)).toEqual([10, 11, 17, 18, 19, 25, 26]);
      expect(formatFen(after)).toBe('W:W:BK23');
    }
  });
});

describe('crowning', () => {
  it.each([
    ['by a step', 'B:WK1:B25', ['W:WK1:BK29', 'W:WK1:BK30']],
    ['by a jump', 'B:WK1,26:B22', ['W:WK1:BK31']],
    ['of White', 'W:W5:BK32', ['B:WK1:BK32']],
  ])('%s', (_, fen, expected) => {
    expect(moves(parseFen(fen)).map(({ after }) => formatFen(after))).toEqual(expected);
  });
});

it.each([
  ['without a piece', 'B:W32:B', true],
  ['without a move', 'B:W32:B28', true],
  ['without a move, White to move', 'W:W5:B1', true],
  ['with a move', 'B:W31:B28', false],
])('a side %s has lost or not', (_, fen, lost) => expect(isLost(parseFen(fen))).toBe(lost));

test('the rules are the same for both sides', () => {
  const afters = (position: Position) => moves(position).map(({ after }) => after);
  let compared = 0;
  const differ: unknown[] = [];
  const [pieces, stride] = LONGEST ? [4, 997] : [3, LONG ? 37 : 353];
  for (const name of classesOf(pieces)) {
    let i = 0;
    for (const position of positionsOf(name)) {
      if (i++ % stride !== 0) continue;
      const direct = afters(mirrored(position)).map(formatFen).sort();
      const turned = afters(position)
        .map((after) => formatFen(mirrored(after)))
        .sort();
      if (direct.join() !== turned.join()) differ.push([formatFen(position), direct, turned]);
      compared++;
    }
  }
  expect(differ.slice(0, 3)).toEqual([]);
  expect(compared).toBeGreaterThan(LONG ? 7000 : 700);
});

test('FEN is read in either order and written in one', () => {
  expect(formatFen(parseFen('B:BK3,1:WK24,18'))).toBe('B:W18,K24:B1,K3');
  expect(formatFen(parseFen('W:W:B12,K32.'))).toBe('W:W:B12,K32');
  expect(formatFen(parseFen(START))).toBe(START);
});

it.each([
  '',
  'B:W1',
  'X:W9:B8',
  'B:W9:W8',
  'B:W33:B1',
  'B:W0:B1',
  'B:W9,:B8',
  'B:W9:B9',
  'B:W9:B29',
  'B:W4:B9',
])('"%s" is no FEN', (fen) => expect(() => parseFen(fen)).toThrow());
