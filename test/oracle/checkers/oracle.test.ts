import { describe, expect, it, test } from 'vitest';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { classesOf, closureOf, hasBothSides, mirrorOf, positionsOf } from './classes.js';
import { type CheckersOracle, type OracleResult, solveClasses, solveUpTo } from './oracle.js';
import { mirrored, moves, type Position } from './rules.js';

const three = solveUpTo(3);

/** Every `stride`-th position of the classes, Black to move. */
function* sample(oracle: CheckersOracle, stride: number): IterableIterator<Position> {
  let i = 0;
  for (const name of oracle.classes) {
    for (const position of oracle.positions(name)) if (i++ % stride === 0) yield position;
  }
}

/** Value of a position whose successors have these values for the other side. */
function bestOf(successors: readonly OracleResult[]): OracleResult {
  const plies = (wdl: number) => successors.filter((value) => value.wdl === wdl).map((value) => value.plies);
  if (plies(-1).length > 0) return { wdl: 1, plies: Math.min(...plies(-1)) + 1 };
  if (plies(0).length > 0) return { wdl: 0, plies: 0 };
  return { wdl: -1, plies: successors.length === 0 ? 0 : Math.max(...plies(1)) + 1 };
}

/** The value by plain search, if the game is decided within `depth` plies. */
function search(position: Position, depth: number): OracleResult | undefined {
  const after = moves(position).map((move) => move.after);
  if (after.length === 0) return { wdl: -1, plies: 0 };
  if (depth === 0) return undefined;
  const found = after.map((next) => search(next, depth - 1));
  const lost = found.filter((value) => value?.wdl === -1) as OracleResult[];
  if (lost.length > 0) return bestOf(lost);
  return found.some((value) => value === undefined) ? undefined : bestOf(found as OracleResult[]);
}

describe('sizes', () => {
  const sizeOf = (names: readonly string[]) => {
    let size = 0;
    for (const name of names) for (const _ of positionsOf(name)) size++;
    return size;
  };
  /** Lake, Schaeffer & Lu 1994, Table 1. */
  it.each(
    sweep(
      [
        [1, 120],
        [2, 6972],
        [3, 261_224],
      ],
      [[4, 7_092_774]],
    ),
  )('all positions of %i pieces', (pieces, size) => expect(sizeOf(classesOf(pieces))).toBe(size));

  /** The same paper, Table 2; its figure for one against one misprints 3,488. */
  it.each(
    sweep(
      [
        [1, 1, 3488],
        [2, 1, 98_016],
        [1, 2, 98_016],
      ],
      [
        [2, 2, 2_662_932],
        [3, 1, 1_773_192],
        [1, 3, 1_773_192],
      ],
    ),
  )('%i black against %i white pieces', (black, white, size) => {
    const names = classesOf(black + white).filter((name) => Number(name[0]) + Number(name[2]) === black);
    expect(sizeOf(names)).toBe(size);
  });
});

describe('classes', () => {
  test('a class has the classes that captures and promotions lead to', () => {
    expect(closureOf(['1100'])).toEqual(['1100']);
    expect(closureOf(['0011'])).toEqual(['0011', '0110', '1001', '1100']);
    expect(closureOf(['2100'])).toEqual(['1100', '1200', '2100']);
    expect(mirrorOf('2110')).toBe('1201');
  });

  test('up to three pieces', () => {
    const expected = [...classesOf(2), ...classesOf(3)].filter(hasBothSides).sort();
    expect(three.classes).toEqual(expected);
    expect(expected).toHaveLength(16);
  });

  test('a class has the same values solved alone or with others', () => {
    const alone = solveClasses(['2100']);
    for (const name of alone.classes) expect(alone.counts(name)).toEqual(three.counts(name));
  });
});

describe('values', () => {
  test('a value follows from those of the moves, also with White to move', () => {
    let compared = 0;
    for (const position of sample(three, LONG ? 7 : 71)) {
      const white = mirrored(position);
      // After White's moves it is Black's turn: these values are looked up as they are.
      const successors = moves(white).map(({ after }) => three.value(after));
      expect(bestOf(successors)).toEqual(three.value(white));
      expect(three.value(position)).toEqual(three.value(white));
      compared++;
    }
    expect(compared).toBeGreaterThan(LONG ? 25_000 : 2500);
  });

  test('plain search finds the same short wins, and none in drawn positions', () => {
    const depth = 5;
    let decided = 0;
    for (const position of sample(three, 503)) {
      const value = three.value(position);
      const isShort = value.wdl !== 0 && value.plies <= depth;
      expect(search(position, depth)).toEqual(isShort ? value : undefined);
      if (isShort) decided++;
    }
    expect(decided).toBeGreaterThan(50);
  });

  test.skipIf(!LONG)(`four kings${ifShort}`, () => {
    const four = solveClasses(['2200']);
    for (const position of sample(four, 31)) {
      expect(bestOf(moves(position).map(({ after }) => four.value(after)))).toEqual(four.value(position));
    }
    const { total, wins, losses, draws } = four.counts('2200');
    expect(total).toBe(215_760);
    expect(wins + losses + draws).toBe(total);
  });
});

describe('known results', () => {
  /** A report of another generator: World Draughts Forum, damforum.nl/bb3, topic 2603. */
  test('king against king', () => {
    expect(three.counts('1100')).toMatchObject({ wins: 230, draws: 654, losses: 108, maxWinPlies: 11 });
  });

  /** Edward Lasker, Chess and Checkers: the Way to Mastership, on diagram 88: it is all about the opposition. */
  test('king against king: White to move wins, Black to move draws', () => {
    expect(three.value('W:WK32:BK26').wdl).toBe(1);
    expect(three.value('B:WK32:BK26').wdl).toBe(0);
  });

  /** The same, diagram 89: 19-24 32-28 23-19 28-32 24-28 32-27 28-32 27-31 19-15 31-26 15-18 26-31 18-22, and takes. */
  test('two kings drive a king out of the double corner', () => {
    const line = '19-24 32-28 23-19 28-32 24-28 32-27 28-32 27-31 19-15 31-26 15-18 26-31 18-22'.split(' ');
    expect(three.value('W:WK19,K23:BK32')).toEqual({ wdl: 1, plies: line.length + 2 });
  });

  /** The same: it can go from 32 to 28 and back for ever. */
  test('a king in the double corner holds against a king', () => {
    for (let square = 1; square <= 20; square++) {
      for (const corner of [28, 32]) {
        expect(three.value(`W:WK${square}:BK${corner}`).wdl).not.toBe(1);
        expect(three.value(`B:WK${square}:BK${corner}`).wdl).not.toBe(-1);
      }
    }
  });
});

test('the value of a position that was not solved is an error', () => {
  expect(() => three.value('B:WK1,K2:BK3,K4')).toThrow('2200');
  expect(() => solveClasses(['1100']).value('B:W9:BK3')).toThrow('1001');
  expect(() => three.value('B:W:BK3')).toThrow('1000');
  expect(three.value('B:W9:B')).toEqual({ wdl: -1, plies: 0 });
});
