import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game/game.js';
import { UntabledError } from '../../game/untabled.js';
import { isOrthodox, readRights, rightsText } from './castling.js';
import { MOST_MEN } from './endings.js';
import { isByMoves, splitMoves } from './move-tail.js';
import { type ChessBoard, canTakeEnPassant, inCheck, LETTERS, PAWN, squareName, squareOf } from './rules.js';
import { type Placed, playUci } from './written-moves.js';

function fail(text: string, what: string): never {
  throw new UserError(`FEN ${JSON.stringify(text)}: ${what}`);
}

function readPlacement(text: string, placement: string): Int8Array {
  const squares = new Int8Array(64);
  const ranks = placement.split('/');
  if (ranks.length !== 8) fail(text, `a placement must have 8 ranks, not ${ranks.length}`);
  for (const [i, rank] of ranks.entries()) {
    let file = 0;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const man = letter === '.' ? -1 : LETTERS.indexOf(letter.toUpperCase());
      if (man < 1) fail(text, `placement: ${JSON.stringify(letter)} in rank ${8 - i} is not a man`);
      if (file < 8) squares[(7 - i) * 8 + file] = letter === LETTERS[man] ? man : -man;
      file++;
    }
    if (file !== 8) fail(text, `placement: rank ${8 - i} must have 8 squares, not ${file}`);
  }
  return squares;
}

const COLOURS = ['white', 'black'] as const;

/** Why no table can hold a position for its number of men; null if one can. */
export function tooManyMen({ squares }: ChessBoard): string | null {
  let men = 0;
  for (const man of squares) men += Number(man !== 0);
  return men > MOST_MEN ? `no table has ${men} men, at most ${MOST_MEN} are supported` : null;
}

/** All men of a game. */
const ALL_MEN = 32;

/** The reason why a position is illegal, or null. */
export function illegality({ squares, side }: ChessBoard): string | null {
  let men = 0;
  let whiteKings = 0;
  let blackKings = 0;
  let pawn = -1;
  for (let square = 0; square < 64; square++) {
    const man = squares[square];
    if (man === 0) continue;
    men++;
    if (man === 1) whiteKings++;
    else if (man === -1) blackKings++;
    else if (Math.abs(man) === PAWN && (square < 8 || square >= 56)) pawn = square;
  }
  if (whiteKings !== 1) return whiteKings === 0 ? 'the white king is missing' : `${whiteKings} white kings`;
  if (blackKings !== 1) return blackKings === 0 ? 'the black king is missing' : `${blackKings} black kings`;
  if (men > ALL_MEN) return `${men} men, at most ${ALL_MEN} are possible`;
  if (pawn >= 0) return `a pawn stands on ${squareName(pawn)}`;
  const white = squares.indexOf(1);
  const black = squares.indexOf(-1);
  if (Math.abs((white & 7) - (black & 7)) < 2 && Math.abs((white >> 3) - (black >> 3)) < 2) {
    return 'the kings are adjacent';
  }
  const other = side === 0 ? 1 : 0;
  if (inCheck(squares, other)) return `the side not to move (${COLOURS[other]}) is in check`;
  return null;
}

/**
 * The square of an en-passant right that a legal capture uses; null for "-". Any other square of ranks 3 and 6 gives
 * null, too, for a right that no move can use changes nothing. Refuses all else.
 */
function readPassant(text: string, field: string, { squares, side }: ChessBoard): number | null {
  if (field === '-') return null;
  if (!/^[a-h][36]$/.test(field))
    fail(text, `en passant is ${JSON.stringify(field)}, expected "-" or a square of rank 3 or 6`);
  if (Number(field[1]) !== (side === 0 ? 6 : 3)) return null;
  const passed = squareOf(field);
  const [from, to] = side === 0 ? [passed + 8, passed - 8] : [passed - 8, passed + 8];
  const pawn = side === 0 ? -PAWN : PAWN;
  if (squares[to] !== pawn || squares[passed] !== 0 || squares[from] !== 0) return null;
  const before = squares.slice();
  before[to] = 0;
  before[from] = pawn;
  // The pawn cannot have stepped while the side that is to move now was in check.
  if (inCheck(before, side)) return null;
  return canTakeEnPassant(squares, side, passed) ? passed : null;
}

/**
 * The castlings whose king and rook are at home, as squares of the rooks; in Chess960 these may be at home elsewhere. Letters may
 * come in any order. Rights that no game could use are dropped.
 */
function readCastling(text: string, field: string, squares: Int8Array, castling: CastlingRules): number[] {
  const rooks = castling === 'orthodox' && /[A-H]/i.test(field) ? null : readRights(field, squares);
  if (rooks === null) fail(text, `castling is ${JSON.stringify(field)}, expected "-" or letters of KQkq`);
  return castling === 'orthodox' ? rooks.filter((rook) => isOrthodox(rook, squares)) : rooks;
}

/** The position that games begin with, which UCI calls "startpos". */
export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** No game is nearly as long, and no number of moves is longer. */
const COUNTER = /^\d{1,5}$/;
/** For the fields that are left out. */
const DEFAULTS = ['', 'w', '-', '-', '0', '1'] as const;

/** Contents of a FEN. */
export type Fen = Placed;

/** Where kings and rooks that may castle stand: on e, a and h, or anywhere on the first rank. */
export type CastlingRules = 'orthodox' | 'chess960';

/**
 * Reads a position of any number of men: in FEN, or "startpos". "moves" and moves as UCI writes them may follow, which are played. Underscores may
 * stand for spaces. Fields of a FEN may be left out from the end: White is then to move, and the counters are 0 and 1. Rights of castling
 * and en passant that no move can use are dropped. Throws UserError naming the field that is malformed, the reason why the position is
 * illegal, or the move that is.
 */
export function readFen(text: string, castlingRules: CastlingRules = 'orthodox'): Fen {
  const { start, moves } = splitMoves(text.replaceAll('_', ' ').trim());
  const position = readStart(text, start === 'startpos' ? START : start, castlingRules);
  return moves.reduce((placed: Fen, move, i) => {
    try {
      return playUci(placed, move);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return fail(text, `move ${i + 1}: ${error.message}`);
    }
  }, position);
}

/** The position as a FEN without moves: the text itself, if it has none. Throws as {@link readFen}. */
export function afterMoves(text: string): string {
  if (!isByMoves(text.replaceAll('_', ' '))) return text;
  const { board, rooks } = readFen(text, 'chess960');
  return formatFen(board, rooks);
}

function readStart(text: string, start: string, castlingRules: CastlingRules): Fen {
  const given = start.split(/\s+/);
  if (given[0] === 'startpos')
    fail(text, `"startpos" is followed by ${JSON.stringify(given[1])}, expected "moves"`);
  if (given.length > DEFAULTS.length)
    fail(
      text,
      `${given.length} fields, expected at most ${DEFAULTS.length}, and behind them nothing but "moves" and moves as UCI writes them`,
    );
  const [placement, turn, castling, passant, half, full] = DEFAULTS.map(
    (field, i) => given[i] ?? field,
  ) as string[];
  const squares = readPlacement(text, placement);
  if (turn !== 'w' && turn !== 'b') {
    fail(text, `side to move is ${JSON.stringify(turn)}, expected "w" or "b"`);
  }
  const rooks = readCastling(text, castling, squares, castlingRules);
  if (!COUNTER.test(half)) fail(text, `half-move clock is ${JSON.stringify(half)}, expected a number`);
  if (!COUNTER.test(full)) fail(text, `move number is ${JSON.stringify(full)}, expected a number`);
  const side: Side = turn === 'w' ? 0 : 1;
  const board = { squares, side, counters: { clock: Number(half), move: Number(full) } };
  const wrong = illegality(board);
  if (wrong) fail(text, `illegal position: ${wrong}`);
  const passed = readPassant(text, passant, board);
  return { board: passed === null ? board : { ...board, passant: passed }, rooks };
}

/**
 * As {@link readFen}, for positions that tables may have. Throws UntabledError where no table can hold the position: for
 * its number of men, or for rights to castle.
 */
export function parseFen(text: string): ChessBoard {
  const placed = readFen(text);
  const many = tooManyMen(placed.board);
  if (many !== null) throw new UntabledError(`FEN ${JSON.stringify(text)}: ${many}`);
  return withoutCastling(text, placed);
}

/** As {@link parseFen}, for any number of men. */
export function parseManyMen(text: string): ChessBoard {
  return withoutCastling(text, readFen(text));
}

function withoutCastling(text: string, { board, rooks }: Fen): ChessBoard {
  if (rooks.length > 0) {
    const rights = rightsText(rooks, board.squares);
    throw new UntabledError(
      `FEN ${JSON.stringify(text)}: castling rights ${rights} are not supported: no table has castling. "-" in their place is the position without them, whose value may be another`,
    );
  }
  return board;
}

/** Codes of the letters of men, from -6 on. */
const CODES = [...[...LETTERS.slice(1).toLowerCase()].reverse(), ...LETTERS].map((letter) =>
  letter.charCodeAt(0),
);
const NO_ROOKS: readonly number[] = [];
const ZERO = '0'.charCodeAt(0);
const SLASH = '/'.charCodeAt(0);
/** A placement at its longest: every square and seven slashes. */
const text = new Uint8Array(71);

/**
 * The position in FEN, all six fields; the en-passant square only if a legal capture uses it; counters that nobody counted
 * are 0 and 1; rights to castle by the squares of their rooks. Exports write millions:
 * letters are put together as codes, since strings that grow letter by letter take ten times the time and memory.
 */
export function formatFen(
  { squares, side, passant, counters }: ChessBoard,
  rooks: readonly number[] = NO_ROOKS,
): string {
  let length = 0;
  for (let first = 56; first >= 0; first -= 8) {
    let free = 0;
    for (let square = first; square < first + 8; square++) {
      const man = squares[square];
      if (man === 0) free++;
      else {
        if (free > 0) text[length++] = ZERO + free;
        text[length++] = CODES[man + 6];
        free = 0;
      }
    }
    if (free > 0) text[length++] = ZERO + free;
    if (first > 0) text[length++] = SLASH;
  }
  const placement = String.fromCharCode(...text.subarray(0, length));
  const counted = counters === undefined ? '0 1' : `${counters.clock} ${counters.move}`;
  return `${placement} ${side === 0 ? 'w' : 'b'} ${rooks.length === 0 ? '-' : rightsText(rooks, squares)} ${passant === undefined ? '-' : squareName(passant)} ${counted}`;
}

/** The board as text, white at the bottom. */
export function diagram({ squares }: ChessBoard): string {
  let text = '';
  for (let rank = 7; rank >= 0; rank--) {
    const row = Array.from(squares.subarray(8 * rank, 8 * rank + 8), (man) => {
      if (man === 0) return '.';
      return man > 0 ? LETTERS[man] : LETTERS[-man].toLowerCase();
    });
    text += `${rank + 1}  ${row.join(' ')}\n`;
  }
  return `${text}\n   a b c d e f g h\n`;
}
