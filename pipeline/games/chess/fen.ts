import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game.js';
import { MOST_MEN } from './endings.js';
import { type ChessBoard, inCheck, LETTERS } from './rules.js';

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
      if (/[pP]/.test(letter)) fail(text, 'placement: pawns are not supported');
      const man = letter === '.' ? -1 : LETTERS.indexOf(letter.toUpperCase());
      if (man < 1) fail(text, `placement: ${JSON.stringify(letter)} in rank ${8 - i} is no man`);
      if (file < 8) squares[(7 - i) * 8 + file] = letter === LETTERS[man] ? man : -man;
      file++;
    }
    if (file !== 8) fail(text, `placement: rank ${8 - i} has ${file} squares, expected 8`);
  }
  return squares;
}

/** What makes a position illegal, or null. */
export function illegality(board: ChessBoard): string | null {
  const { squares, side } = board;
  let men = 0;
  let whiteKings = 0;
  let blackKings = 0;
  for (const man of squares) {
    if (man !== 0) men++;
    if (man === 1) whiteKings++;
    if (man === -1) blackKings++;
  }
  if (whiteKings !== 1) return whiteKings === 0 ? 'the white king is missing' : `${whiteKings} white kings`;
  if (blackKings !== 1) return blackKings === 0 ? 'the black king is missing' : `${blackKings} black kings`;
  if (men > MOST_MEN) return `${men} men, at most ${MOST_MEN} are supported`;
  const white = squares.indexOf(1);
  const black = squares.indexOf(-1);
  if (Math.abs((white & 7) - (black & 7)) < 2 && Math.abs((white >> 3) - (black >> 3)) < 2) {
    return 'the kings are adjacent';
  }
  if (inCheck(squares, side === 0 ? 1 : 0)) {
    return `the side not to move (${side === 0 ? 'black' : 'white'}) is in check`;
  }
  return null;
}

/**
 * Reads a position in FEN with 2, 4 or 6 fields. Castling and en passant must be "-": without pawns and castling rights
 * placement and side to move are the whole position. Throws UserError naming the field that is malformed, or the reason
 * why the position is illegal.
 */
export function parseFen(text: string): ChessBoard {
  const fields = text.trim().split(/\s+/);
  if (![2, 4, 6].includes(fields.length)) {
    fail(text, `${fields.length} fields, expected 2, 4 or 6 (placement, side to move, ...)`);
  }
  const [placement, turn, castling = '-', passant = '-', half = '0', full = '1'] = fields;
  const squares = readPlacement(text, placement);
  if (turn !== 'w' && turn !== 'b') {
    fail(text, `side to move is ${JSON.stringify(turn)}, expected "w" or "b"`);
  }
  if (castling !== '-') fail(text, `castling is ${JSON.stringify(castling)}, only "-" is supported`);
  if (passant !== '-') fail(text, `en passant is ${JSON.stringify(passant)}, only "-" is supported`);
  if (!/^\d+$/.test(half)) fail(text, `half-move clock is ${JSON.stringify(half)}, expected a number`);
  if (!/^\d+$/.test(full)) fail(text, `move number is ${JSON.stringify(full)}, expected a number`);
  const side: Side = turn === 'w' ? 0 : 1;
  const board = { squares, side };
  const wrong = illegality(board);
  if (wrong) fail(text, `illegal position: ${wrong}`);
  return board;
}

/** The position in FEN, all six fields. */
export function formatFen(board: ChessBoard): string {
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let line = '';
    for (let file = 0; file < 8; file++) {
      const man = board.squares[rank * 8 + file];
      const letter = LETTERS[Math.abs(man)];
      line += man > 0 ? letter : letter.toLowerCase();
    }
    ranks.push(line.replace(/\.+/g, (free) => String(free.length)));
  }
  return `${ranks.join('/')} ${board.side === 0 ? 'w' : 'b'} - - 0 1`;
}
