import { describe, expect, it, test } from 'vitest';
import { formatFen, parseFen } from '../../../pipeline/games/chess/fen.js';
import {
  type ChessBoard,
  inCheck,
  isCapture,
  legalMoves,
  PAWN,
  play,
} from '../../../pipeline/games/chess/rules.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../support/long.js';
import { knownOracle, type Oracle, type OracleValue, solveOracle } from '../oracle.js';
import { playedUnder } from './counter.js';
import { PUBLISHED, type PublishedSide } from './published.js';

/** Positions without en-passant right: by plies how many are won and lost, and how many drawn, by side to move. */
function statistics(oracle: Oracle): PublishedSide[] {
  const sides = [0, 1].map(() => ({
    wins: new Map<number, number>(),
    losses: new Map<number, number>(),
    draws: 0,
  }));
  for (const board of oracle.boards()) {
    if (board.passant !== undefined) continue;
    const side = sides[board.side];
    const { wdl, plies } = oracle.value(board);
    const counts = wdl === 1 ? side.wins : side.losses;
    if (wdl === 0) side.draws++;
    else counts.set(plies, (counts.get(plies) ?? 0) + 1);
  }
  const text = (counts: Map<number, number>) =>
    [...counts]
      .sort(([a], [b]) => a - b)
      .map(([plies, count]) => `${plies}:${count}`)
      .join(' ');
  return sides.map(({ wins, losses, draws }) => ({ wins: text(wins), losses: text(losses), draws }));
}

function longest(oracle: Oracle): number {
  let plies = 0;
  for (const board of oracle.boards()) plies = Math.max(plies, oracle.value(board).plies);
  return plies;
}

/** Value of a board by its moves: the best of them, by dtz. */
function bestOf(oracle: Oracle, board: ChessBoard): Pick<OracleValue, 'wdl' | 'plies'> {
  const after = legalMoves(board).map((step) => {
    const { wdl, plies, cursed } = oracle.value(play(board, step));
    const isZeroing = isCapture(board, step) || Math.abs(board.squares[step.from]) === PAWN;
    return { wdl, plies: 1 + (!isZeroing ? plies : cursed ? 100 : 0) };
  });
  const wins = after.filter(({ wdl }) => wdl === -1).map(({ plies }) => plies);
  if (wins.length > 0) return { wdl: 1, plies: Math.min(...wins) };
  if (after.length === 0) return { wdl: inCheck(board.squares, board.side) ? -1 : 0, plies: 0 };
  const loses = after.every(({ wdl }) => wdl === 1);
  return loses ? { wdl: -1, plies: Math.max(...after.map(({ plies }) => plies)) } : { wdl: 0, plies: 0 };
}

function checkMoves(oracle: Oracle, board: ChessBoard): void {
  const { wdl, plies } = oracle.value(board);
  const best = bestOf(oracle, board);
  if (best.wdl !== wdl || best.plies !== plies) expect({ fen: formatFen(board), wdl, plies }).toEqual(best);
}

describe('KPK', () => {
  it.skipIf(!LONG)(
    `has the published counts of every number of plies to a capture or pawn move${ifShort}`,
    () => {
      const oracle = knownOracle('KPK', 'dtz');
      expect(statistics(oracle)).toEqual(PUBLISHED.KPK);
      let boards = 0;
      for (const board of oracle.boards()) if (boards++ % 50 === 0) checkMoves(oracle, board);
      // The longest published: White's 20th ply is the move of a pawn.
      expect(oracle.value(parseFen('8/8/7k/8/7K/1P6/8/8 b'))).toEqual({ wdl: -1, plies: 20, cursed: false });
      expect(oracle.value(parseFen('8/8/1p6/7k/8/7K/8/8 w'))).toEqual({ wdl: -1, plies: 20, cursed: false });
    },
  );

  it.skipIf(!LONGEST)(`takes at most the published 28 moves to mate${ifNotLongest}`, () => {
    const oracle = knownOracle('KPK', 'dtm');
    expect(oracle.positions).toBe(81_664 + 84_012);
    expect(longest(oracle)).toBe(2 * 28);
    expect(oracle.value(parseFen('k7/8/8/8/8/8/P7/K7 w')).wdl).toBe(0);
  });

  it.skipIf(!LONGEST)(`ends, to conversion, with a promotion${ifNotLongest}`, () => {
    const oracle = knownOracle('KPK', 'dtc');
    const plies = (fen: string) => oracle.value(parseFen(fen)).plies;
    // The pawn runs alone: five moves from the third rank, one less with a double step from the second.
    expect(plies('8/8/8/8/7k/P7/8/7K w')).toBe(9);
    expect(plies('8/8/8/8/7k/8/P7/7K w')).toBe(9);
    expect(plies('8/P7/8/8/7k/8/8/7K w')).toBe(1);
    expect(plies('8/P7/8/8/8/7k/8/7K b')).toBe(2);
  });
});

/** Some positions of each kind of value. */
function sample(oracle: Oracle, most: number): ChessBoard[] {
  const kinds = new Map<string, ChessBoard[]>();
  for (const board of oracle.boards()) {
    const { wdl, cursed } = oracle.value(board);
    const kind = `${wdl} ${cursed}`;
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind)!.push(board);
  }
  expect([...kinds.keys()].sort()).toEqual(['-1 false', '-1 true', '0 false', '1 false', '1 true']);
  return [...kinds.values()].flatMap((boards) =>
    boards.filter((_, i) => i % Math.ceil(boards.length / most) === 0),
  );
}

it.skipIf(!LONG)(
  `tells cursed wins and blessed losses apart as playing with a counter does${ifShort}`,
  () => {
    const rule = 4;
    const oracle = solveOracle('KPK', 'dtz', rule);
    const played = playedUnder(rule);
    for (const board of sample(oracle, 2)) {
      const { wdl, cursed } = oracle.value(board);
      expect([formatFen(board), played(board)]).toEqual([formatFen(board), cursed ? 0 : wdl]);
    }
  },
);

test.skipIf(!LONGEST)(
  `KPKP has the published counts, and values captures en passant${ifNotLongest}`,
  {
    timeout: 3_600_000,
  },
  () => {
    const oracle = solveOracle('KPKP', 'dtz');
    expect(statistics(oracle)).toEqual(PUBLISHED.KPKP);
    let rights = 0;
    let decisive = 0;
    for (const board of oracle.boards()) {
      if (board.passant === undefined) continue;
      rights++;
      const { wdl, plies } = oracle.value(board);
      const best = bestOf(oracle, board);
      if (best.wdl !== wdl || best.plies !== plies) expect([formatFen(board), { wdl, plies }]).toEqual(best);
      if (oracle.value({ squares: board.squares, side: board.side }).wdl !== wdl) decisive++;
    }
    expect(rights).toBeGreaterThan(40_000);
    expect(decisive).toBeGreaterThan(0);
  },
);
