import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game.js';
import { MOST_MEN } from './endings.js';
import { type ChessBoard, canTakeEnPassant, inCheck, LETTERS, PAWN, squareName } from './rules.js';

function fail(text: string, what: string): never {
  throw new UserError(`FEN ${JSON.stringify(text)}: ${what}`);
}

function readPlacement(text: string, placement: string): Int8Array {
  const squares = new Int8Array(64);
  const ranks = placement.split('/');
  if (ranks.length !== 8) fail(text, `placement has ${ranks.length} ranks, expected 8`);
  for (const [i, rank] of ranks.entries()) {
    let file = 0;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const man = letter === '.' ? -1 : LETTERS.indexOf(letter.toUpperCase());
      if (man < 1) fail(text, `placement: ${JSON.stringify(letter)} in rank ${8 - i} is no man`);
      if (file < 8) squares[(7 - i) * 8 + file] = letter === LETTERS[man] ? man : -man;
      file++;
    }
    if (file !== 8) fail(text, `placement: rank ${8 - i} has ${file} squares, expected 8`);
  }
  return squares;
}

const COLOURS = ['white', 'black'] as const;

/** What makes a position illegal, or null. More men than any table can hold are illegal too, unless `most` says otherwise. */
export function illegality({ squares, side }: ChessBoard, most = MOST_MEN): string | null {
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
  if (men > most) return `${men} men, at most ${most} are supported`;
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
 * Reads the en-passant field of a legal position: null if there is no right, or none that a legal capture uses. Refuses
 * squares that no pawn can have passed in the last move.
 */
function readPassant(text: string, field: string, { squares, side }: ChessBoard): number | null {
  if (field === '-') return null;
  const refuse = (what: string) => fail(text, `en passant is ${JSON.stringify(field)}, ${what}`);
  if (!/^[a-h][1-8]$/.test(field)) refuse('expected "-" or a square');
  const rank = side === 0 ? 6 : 3;
  if (Number(field[1]) !== rank) refuse(`but with ${COLOURS[side]} to move it is a square of rank ${rank}`);
  const passed = 8 * (rank - 1) + 'abcdefgh'.indexOf(field[0]);
  const [from, to] = side === 0 ? [passed + 8, passed - 8] : [passed - 8, passed + 8];
  const pawn = side === 0 ? -PAWN : PAWN;
  if (squares[to] !== pawn)
    refuse(`but there is no ${pawn > 0 ? 'white' : 'black'} pawn on ${squareName(to)}`);
  for (const square of [passed, from]) {
    if (squares[square] !== 0) refuse(`but ${squareName(square)}, which the pawn came over, is not empty`);
  }
  const before = squares.slice();
  before[to] = 0;
  before[from] = pawn;
  if (inCheck(before, side)) {
    refuse(`but ${COLOURS[side]} would have been in check before ${squareName(from)}-${squareName(to)}`);
  }
  return canTakeEnPassant(squares, side, passed) ? passed : null;
}

/**
 * Reads a position in FEN with 2, 4 or 6 fields, of at most `most` men. Castling must be "-"; the counters of moves are
 * checked and ignored. An en-passant right that no legal capture uses is dropped. Throws UserError naming the field that
 * is malformed, or the reason why the position is illegal.
 */
export function readFen(text: string, most: number): ChessBoard {
  const fields = text.trim().split(/\s+/);
  if (![2, 4, 6].includes(fields.length)) {
    fail(text, `${fields.length} fields, expected 2, 4 or 6 (placement, side to move, ...)`);
  }
  const [placement, turn, castling = '-', passant = '-', half = '0', full = '1'] = fields;
  const squares = readPlacement(text, placement);
  if (turn !== 'w' && turn !== 'b') {
    fail(text, `side to move is ${JSON.stringify(turn)}, expected "w" or "b"`);
  }
  if (/^K?Q?k?q?$/.test(castling)) {
    fail(text, `castling rights ${castling} are not supported: give "-", the position without them`);
  }
  if (castling !== '-') fail(text, `castling is ${JSON.stringify(castling)}, expected "-"`);
  if (!/^\d+$/.test(half)) fail(text, `half-move clock is ${JSON.stringify(half)}, expected a number`);
  if (!/^\d+$/.test(full)) fail(text, `move number is ${JSON.stringify(full)}, expected a number`);
  const side: Side = turn === 'w' ? 0 : 1;
  const board = { squares, side };
  const wrong = illegality(board, most);
  if (wrong) fail(text, `illegal position: ${wrong}`);
  const passed = readPassant(text, passant, board);
  return passed === null ? board : { ...board, passant: passed };
}

/** As {@link readFen}, of at most as many men as tables can hold. */
export function parseFen(text: string): ChessBoard {
  return readFen(text, MOST_MEN);
}

/** Codes of the letters of men, from -6 on. */
const CODES = [...[...LETTERS.slice(1).toLowerCase()].reverse(), ...LETTERS].map((letter) =>
  letter.charCodeAt(0),
);
const ZERO = '0'.charCodeAt(0);
const SLASH = '/'.charCodeAt(0);
/** Of a placement: every square and seven slashes. */
const text = new Uint8Array(71);

/**
 * The position in FEN, all six fields; the en-passant square only if a legal capture uses it. Exports write millions:
 * letters are put together as codes, since strings that grow letter by letter take ten times the time and memory.
 */
export function formatFen({ squares, side, passant }: ChessBoard): string {
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
  return `${placement} ${side === 0 ? 'w' : 'b'} - ${passant === undefined ? '-' : squareName(passant)} 0 1`;
}
