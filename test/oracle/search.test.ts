/** The brute-force search against mate problems with known solutions, and against the oracle. */
import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { formatFen, readFen } from '../../pipeline/games/chess/fen.js';
import { type ChessBoard, legalMoves, PAWN, play } from '../../pipeline/games/chess/rules.js';
import { ifNotLongest, LONG, LONGEST } from '../support/long.js';
import { randomPositions } from '../support/random-positions.js';
import { knownOracle, type Oracle } from './oracle.js';
import { newSearch } from './search.js';

const search = newSearch();
const mate = (fen: string, plies: number) => search.mateWithin(readFen(fen).board, plies);

describe('mate problems', () => {
  it.each([
    ['mated: the back rank', 'R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1', -1, 0],
    ['mate on the back rank', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', 1, 1],
    ['mate by a knight that was a pawn', '6br/5P1k/5K1p/8/8/8/8/8 w - - 0 1', 1, 1],
    ['mate by a capture en passant', '8/5K1k/8/6pP/8/8/8/7R w - g6 0 1', 1, 1],
    ['the same without the right', '8/5K1k/8/6pP/8/8/8/7R w - - 0 1', null, 1],
    ['Paul Morphy, mate in two', 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', 1, 3],
    ['two rooks, mate in two', '7k/8/8/8/8/8/R7/1R4K1 w - - 0 1', 1, 3],
    ['its defender is mated in two plies', '7k/R7/8/8/8/8/8/1R4K1 b - - 0 1', -1, 2],
  ] as const)('%s', (_what, fen, wdl, plies) => {
    expect(mate(fen, plies)).toEqual(wdl === null ? null : { wdl, plies });
    if (plies > 0) expect(mate(fen, plies - 1)).toBeNull();
  });
});

/** Every so many of the positions that the oracle says take few plies. */
const NEAR = LONGEST ? 1 : LONG ? 15 : 40;

/** Compares every {@link NEAR}th position that takes at most `plies` plies by the oracle, and every so many of the others. */
function compare(oracle: Oracle, plies: number, others: number): number {
  let compared = 0;
  let seen = 0;
  let seenNear = 0;
  for (const board of oracle.boards()) {
    const value = oracle.value(board);
    const near = value.wdl !== 0 && value.plies <= plies;
    if (near ? seenNear++ % NEAR !== 0 : seen++ % others !== 0) continue;
    const expected = near ? { wdl: value.wdl, plies: value.plies } : null;
    const found = search.mateWithin(board, plies);
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      expect({ fen: formatFen(board), found }).toEqual({ fen: formatFen(board), found: expected });
    }
    compared++;
  }
  return compared;
}

describe('the oracle has the same mates', () => {
  const most = LONG ? 7 : 5;
  it(`KQK, at most ${most} plies`, () => {
    expect(compare(knownOracle('KQK', 'dtm'), most, 3000)).toBeGreaterThan(LONG ? 600 / NEAR : 30);
  });

  it.skipIf(!LONGEST)(`KPK, at most 7 plies${ifNotLongest}`, () => {
    expect(compare(knownOracle('KPK', 'dtm'), 7, 9000)).toBeGreaterThan(50);
  });
});

describe('random positions', () => {
  it('are legal, the same for a seed, and of either colour with either side to move', () => {
    const positions = randomPositions('KPPKN', 400, { seed: 1 });
    expect(randomPositions('KPPKN', 400, { seed: 1 })).toEqual(positions);
    expect(randomPositions('KPPKN', 400, { seed: 2 })).not.toEqual(positions);
    const kinds = new Set<string>();
    for (const board of positions) {
      const fen = formatFen(board);
      const { counters, ...read } = readFen(fen).board;
      expect(read).toEqual(board);
      expect(counters).toEqual({ clock: 0, move: 1 });
      const men = [...fen.split(' ')[0].replace(/[^a-z]/gi, '')].sort().join('');
      kinds.add(`${men} ${board.side}`);
    }
    expect([...kinds].sort()).toEqual(['KNkpp 0', 'KNkpp 1', 'KPPkn 0', 'KPPkn 1']);
  });

  it('with a right to capture en passant have such a capture', () => {
    for (const board of randomPositions('KPPKP', 300, { seed: 5, passant: true })) {
      const fen = formatFen(board);
      const { counters, ...read } = readFen(fen).board;
      expect(read).toEqual(board);
      expect(counters).toEqual({ clock: 0, move: 1 });
      const captures = (at: ChessBoard) =>
        legalMoves(at).filter(({ from, to }) => Math.abs(at.squares[from]) === PAWN && to === board.passant);
      expect(captures(board).some((step) => play(board, step).squares[step.to] !== 0)).toBe(true);
      expect(new Chess(fen).moves({ verbose: true }).some((move) => move.isEnPassant())).toBe(true);
    }
    expect(() => randomPositions('KPK', 1, { seed: 1, passant: true })).toThrow('no captures en passant');
    expect(() => randomPositions('QK', 1, { seed: 1 })).toThrow('no ending');
  });
});
