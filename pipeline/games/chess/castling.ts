/**
 * Castling, which no table has: a right is the square of its rook, so the rules are those of Chess960, of which orthodox castling is a case.
 * Games are played with it, and the public Lichess tablebase API answers for positions with rights to castle.
 */
import type { Side } from '../../game/game.js';
import { type ChessBoard, inCheck, squareName } from './rules.js';

const KING = 1;
const ROOK = 3;
/** Files of king and rook after castling towards the h-file and the a-file. */
const AFTER = { h: [6, 5], a: [2, 3] } as const;

const sideOf = (rook: number): Side => (rook < 8 ? 0 : 1);
const kingOf = (squares: Int8Array, side: Side): number => squares.indexOf(side === 0 ? KING : -KING);

export interface CastlingMove {
  readonly from: number;
  /** Where the king goes. */
  readonly to: number;
  readonly rook: number;
  /** "O-O" or "O-O-O", without a mark of check. */
  readonly san: string;
  /** As orthodox chess writes it ("e1g1"), and with king or rook elsewhere as Chess960 does: the king takes its rook. */
  readonly uci: string;
  readonly squares: Int8Array;
}

/** The legal castlings: nothing stands between, and the king is not, does not get and does not pass in check. */
export function castlings({ squares, side }: ChessBoard, rooks: readonly number[]): CastlingMove[] {
  const king = kingOf(squares, side);
  return rooks.flatMap((rook) => {
    if (sideOf(rook) !== side || king >> 3 !== rook >> 3) return [];
    const [kingFile, rookFile] = rook > king ? AFTER.h : AFTER.a;
    const first = king & ~7;
    const [to, rookTo] = [first + kingFile, first + rookFile];
    const between = [...pathOf(king, to), ...pathOf(rook, rookTo)];
    if (between.some((square) => squares[square] !== 0 && square !== king && square !== rook)) return [];
    const without = squares.slice();
    without[king] = 0;
    const isAttacked = pathOf(king, to).some((square) => {
      const there = without.slice();
      // The rook shields the king on its way, as it stands there until the king has passed.
      there[square] = squares[king];
      return inCheck(there, side);
    });
    if (isAttacked) return [];
    const after = without;
    after[rook] = 0;
    after[to] = squares[king];
    after[rookTo] = squares[rook];
    if (inCheck(after, side)) return [];
    const isOrthodox = (king & 7) === 4 && ((rook & 7) === 7 || (rook & 7) === 0);
    const uci = squareName(king) + squareName(isOrthodox ? to : rook);
    return [{ from: king, to, rook, san: rook > king ? 'O-O' : 'O-O-O', uci, squares: after }];
  });
}

/** The board after a castling. @param board with counters, or without. */
export function playCastling(board: ChessBoard, { squares }: CastlingMove): ChessBoard {
  const side = board.side === 0 ? 1 : 0;
  if (board.counters === undefined) return { squares, side };
  const { clock, move } = board.counters;
  return { squares, side, counters: { clock: clock + 1, move: move + board.side } };
}

/** The squares from one to another of a rank, both included. */
function pathOf(from: number, to: number): number[] {
  const [least, most] = [Math.min(from, to), Math.max(from, to)];
  return Array.from({ length: most - least + 1 }, (_, i) => least + i);
}

/** Rights that are left when a man moves between these squares. */
export function rightsAfter(
  rooks: readonly number[],
  squares: Int8Array,
  from: number,
  to: number,
): number[] {
  return rooks.filter((rook) => rook !== from && rook !== to && kingOf(squares, sideOf(rook)) !== from);
}

/**
 * The rooks that the castling field of a FEN names, in the order White's h-side, White's a-side, Black's: by the letters KQkq the
 * outermost rooks, by those of files (Shredder-FEN) the rooks there. Rights that no game could use are dropped. Null if the field is malformed.
 */
export function readRights(field: string, squares: Int8Array): number[] | null {
  if (field === '-') return [];
  if (!/^[KQA-Hkqa-h]{1,4}$/.test(field)) return null;
  const rooks = [...field].map((letter) => rookOf(letter, squares)).filter((rook) => rook !== null);
  const order = (rook: number) => sideOf(rook) * 64 - (rook & 7);
  return [...new Set(rooks)].sort((a, b) => order(a) - order(b));
}

function rookOf(letter: string, squares: Int8Array): number | null {
  const side = letter === letter.toUpperCase() ? 0 : 1;
  const first = side === 0 ? 0 : 56;
  const king = kingOf(squares, side);
  if (king < 0 || (king & ~7) !== first) return null;
  const own = side === 0 ? ROOK : -ROOK;
  const files = [0, 1, 2, 3, 4, 5, 6, 7].filter((file) => squares[first + file] === own);
  const name = letter.toLowerCase();
  const file =
    name === 'k' ? files.at(-1) : name === 'q' ? files[0] : files.find((each) => 'abcdefgh'[each] === name);
  if (file === undefined) return null;
  const isBeyond = name === 'k' ? first + file > king : name === 'q' ? first + file < king : true;
  return isBeyond ? first + file : null;
}

/** The castling field of a FEN: KQkq, or the letter of its file for a rook that is not the outermost. */
export function rightsText(rooks: readonly number[], squares: Int8Array): string {
  const letters = rooks.map((rook) => {
    const king = kingOf(squares, sideOf(rook));
    const letter = rook > king ? 'K' : 'Q';
    const name = sideOf(rook) === 0 ? letter : letter.toLowerCase();
    if (rookOf(name, squares) === rook) return name;
    const file = 'ABCDEFGH'[rook & 7];
    return sideOf(rook) === 0 ? file : file.toLowerCase();
  });
  return letters.length === 0 ? '-' : letters.join('');
}

/** True if king and rook of the right stand where orthodox games begin with them. */
export function isOrthodox(rook: number, squares: Int8Array): boolean {
  return [0, 7].includes(rook & 7) && (kingOf(squares, sideOf(rook)) & 7) === 4;
}
