/**
 * Moves as people and programs write them: "Nf3", "Ng1-f3", "g1f3", "♘f3", "e8=Q", "e8Q", "e8(Q)", "0-0", and null moves as "--". Castling
 * is that of Chess960, too.
 */
import { UserError } from '../../../operators/core/errors.js';
import { type CastlingMove, castlings, playCastling, rightsAfter } from './castling.js';
import {
  type ChessBoard,
  type CoordinateMove,
  LETTERS,
  legalMoves,
  PAWN,
  play,
  squareName,
  squareOf,
} from './rules.js';
import { checkMark, sanOf } from './san.js';

/** A board, and the rooks with which castling is still allowed. */
export interface Placed {
  readonly board: ChessBoard;
  readonly rooks: readonly number[];
}

interface Played {
  /** "--" for a null move. */
  readonly san: string;
  /** "0000" for a null move. */
  readonly uci: string;
  readonly after: Placed;
}

/** Figurines come in the order of these letters, White's first. */
const FIGURES = 'KQRBNP';
const FIRST_FIGURE = '♔'.charCodeAt(0);
const NULL_MOVE = /^(?:--|Z0|0000|@@@@)$/;
const CASTLING = /^[Oo0][-–—−][Oo0]([-–—−][Oo0])?$/;
const STEP =
  /^([KQRBNP])?([a-h])?([1-8])?[-–—x×:]?([a-h][1-8])(?:(?:=|\/)?([QRBNKPqrbnkp])|\(([QRBNqrbn])\))?(?:e\.?p\.?)?$/;
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

/** Plays a move as UCI writes it, in small or capital letters. Throws UserError if it is not one, or not legal. */
export function playUci(placed: Placed, text: string): Placed {
  const move = text.toLowerCase();
  if (!UCI.test(move))
    throw new UserError(`${JSON.stringify(text)} is not a move as UCI writes it (h1a8, e7e8q)`);
  return playWritten(placed, move).after;
}

/** Plays a move in any notation. Throws UserError with the reason why it is no move here. */
export function playWritten(placed: Placed, text: string): Played {
  if (NULL_MOVE.test(text)) return passed(placed);
  const move = plain(text);
  const side = CASTLING.exec(move);
  if (side !== null) {
    const san = side[1] === undefined ? 'O-O' : 'O-O-O';
    const found = castlings(placed.board, placed.rooks).find((each) => each.san === san);
    if (found === undefined) throw new UserError(`${text} is not a legal move`);
    return castled(placed, found);
  }
  const written = STEP.exec(move);
  if (written === null) throw new UserError(`${text} is not a move`);
  const [, letter, file = '', rank = '', target, ...pieces] = written;
  const to = squareOf(target);
  // A move between two squares names its man by them; without them, no letter means a pawn.
  const isWhole = file !== '' && rank !== '';
  const man = letter !== undefined ? LETTERS.indexOf(letter) : isWhole ? null : PAWN;
  const castling = isWhole && (man === null || man === 1) ? castlingTo(placed, file + rank, to) : undefined;
  if (castling !== undefined) return castled(placed, castling);
  const promotion = pieces.find((piece) => piece !== undefined)?.toUpperCase();
  const steps = candidates(placed.board, man, file, rank, to);
  const fits = steps.filter((step) =>
    step.promotion === undefined ? promotion === undefined : LETTERS[step.promotion] === promotion,
  );
  if (fits.length === 1) return stepped(placed, fits[0]);
  if (fits.length > 1) {
    const names = fits.map((each) => sanOf(placed.board, each)).join(', ');
    throw new UserError(`${text} is ambiguous (${names})`);
  }
  throw new UserError(
    promotion === undefined && steps.length > 0
      ? `${text} does not name the man that the pawn becomes`
      : `${text} is not a legal move`,
  );
}

/** A move with figurines as letters, without marks of check. */
function plain(text: string): string {
  return text
    .replace(/([♔-♟])\uFE0E?/g, (_, figure: string) => FIGURES[(figure.charCodeAt(0) - FIRST_FIGURE) % 6])
    .replace(/[+#‡†:=]+$/, '');
}

/** Legal moves of a man (null: any) from the file and rank that are named to a square. A pawn that takes must name its file. */
function candidates(
  board: ChessBoard,
  man: number | null,
  file: string,
  rank: string,
  to: number,
): CoordinateMove[] {
  const fits = (from: number): boolean => {
    const own = Math.abs(board.squares[from]);
    const name = squareName(from);
    if ((man !== null && own !== man) || !name.endsWith(rank)) return false;
    return file !== '' ? name[0] === file : own !== PAWN || (from & 7) === (to & 7);
  };
  // After a null move in check, a king could be taken.
  if (Math.abs(board.squares[to]) === 1) return [];
  return legalMoves(board, (_, target) => target === to, fits);
}

function stepped({ board, rooks }: Placed, step: CoordinateMove): Played {
  const becomes = step.promotion === undefined ? '' : LETTERS[step.promotion].toLowerCase();
  return {
    san: sanOf(board, step),
    uci: squareName(step.from) + squareName(step.to) + becomes,
    after: { board: play(board, step), rooks: rightsAfter(rooks, board.squares, step.from, step.to) },
  };
}

/** Castling as a move of the king, by two files or onto its rook. */
function castlingTo({ board, rooks }: Placed, king: string, to: number): CastlingMove | undefined {
  return castlings(board, rooks).find(
    (move) =>
      squareName(move.from) === king &&
      (move.rook === to || (move.to === to && Math.abs(move.to - move.from) > 1)),
  );
}

function castled({ board, rooks }: Placed, castling: CastlingMove): Played {
  const { from, san, uci } = castling;
  const after = playCastling(board, castling);
  return {
    san: san + checkMark(after),
    uci,
    after: { board: after, rooks: rightsAfter(rooks, board.squares, from, from) },
  };
}

/** A null move, as annotators write it to show a threat. */
function passed({ board, rooks }: Placed): Played {
  const { squares, side, counters: { clock, move } = { clock: 0, move: 1 } } = board;
  const counters = { clock: clock + 1, move: move + side };
  return {
    san: '--',
    uci: '0000',
    after: { board: { squares, side: side === 0 ? 1 : 0, counters }, rooks },
  };
}
