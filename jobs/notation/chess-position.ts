/**
 * Positions of chess as games come to them: with any number of men, castling (that of Chess960, too) and null moves. Moves are read as
 * people and programs write them: "Nf3", "Ng1-f3", "g1f3", "♘f3", "e8=Q", "e8Q", "e8(Q)", "0-0".
 */
import {
  type CastlingMove,
  castlings,
  playCastling,
  rightsAfter,
} from '../../pipeline/games/chess/castling.js';
import { formatFen, readFen } from '../../pipeline/games/chess/fen.js';
import {
  type ChessBoard,
  type CoordinateMove,
  LETTERS,
  legalMoves,
  PAWN,
  play,
  squareName,
  squareOf,
} from '../../pipeline/games/chess/rules.js';
import { checkMark, sanOf } from '../../pipeline/games/chess/san.js';
import type { GamePosition, PlayedMove } from './notation.js';

/** Figurines come in the order of these letters, White's first. */
const FIGURES = 'KQRBNP';
const FIRST_FIGURE = '♔'.charCodeAt(0);
const NULL_MOVE = /^(?:--|Z0|0000|@@@@)$/;
const CASTLING = /^[Oo0][-–—−][Oo0]([-–—−][Oo0])?$/;
const STEP =
  /^([KQRBNP])?([a-h])?([1-8])?[-–—x×:]?([a-h])([1-8])(?:(?:=|\/)?([QRBNKPqrbnkp])|\(([QRBNqrbn])\))?(?:e\.?p\.?)?$/;

/** A move with figurines as letters, without marks of check. */
function plain(text: string): string {
  return text
    .replace(/([♔-♟])\uFE0E?/g, (_, figure: string) => FIGURES[(figure.charCodeAt(0) - FIRST_FIGURE) % 6])
    .replace(/[+#‡†:=]+$/, '');
}

export class ChessPosition implements GamePosition {
  private text: string | undefined;

  private constructor(
    private readonly board: ChessBoard,
    private readonly rooks: readonly number[],
  ) {}

  /** @throws UserError if the FEN is malformed, or the position illegal. */
  static read(fen: string): ChessPosition {
    const { board, rooks } = readFen(fen, 'chess960');
    return new ChessPosition(board, rooks);
  }

  readonly begun = null;

  /** Written once, because it is asked for as the position after one move and before the next. */
  get fen(): string {
    return (this.text ??= formatFen(this.board, this.rooks));
  }

  get number(): string {
    return `${this.board.counters!.move}.${this.board.side === 0 ? '' : '..'}`;
  }

  play(text: string): PlayedMove {
    const move = plain(text);
    if (NULL_MOVE.test(text)) return this.pass();
    const castling = CASTLING.exec(move);
    if (castling !== null) return this.castle(text, castling[1] === undefined ? 'O-O' : 'O-O-O');
    const step = STEP.exec(move);
    if (step === null) throw new Error(`${text} is not a move`);
    const [, letter, file, rank, toFile, toRank, ...pieces] = step;
    const from = { file, rank };
    const to = squareOf(`${toFile}${toRank}`);
    // A move between two squares names its man by them; without them, no letter means a pawn.
    const isWhole = file !== undefined && rank !== undefined;
    const man = letter === undefined ? (isWhole ? null : PAWN) : LETTERS.indexOf(letter);
    const promotion = pieces.find((piece) => piece !== undefined)?.toUpperCase();
    if (isWhole && (man === null || man === 1)) {
      const castled = this.castlingTo(from, to);
      if (castled !== null) return castled;
    }
    const fits = this.candidates(man, from, to).filter((step) =>
      step.promotion === undefined ? promotion === undefined : LETTERS[step.promotion] === promotion,
    );
    if (fits.length === 1) return this.step(fits[0]);
    if (fits.length > 1) {
      const names = fits.map((each) => sanOf(this.board, each)).join(', ');
      throw new Error(`${text} is more than one move (${names})`);
    }
    if (promotion === undefined && this.candidates(man, from, to).length > 0) {
      throw new Error(`${text} does not name the man that the pawn becomes`);
    }
    throw new Error(`${text} is not a legal move`);
  }

  /** Legal moves of a man (null: any) from the file and rank that are named to a square. A pawn that takes must name its file. */
  private candidates(
    man: number | null,
    { file, rank }: { readonly file?: string; readonly rank?: string },
    to: number,
  ): CoordinateMove[] {
    const fits = (from: number): boolean => {
      const own = Math.abs(this.board.squares[from]);
      if (man !== null && own !== man) return false;
      const name = squareName(from);
      if (rank !== undefined && name[1] !== rank) return false;
      return file !== undefined ? name[0] === file : own !== PAWN || (from & 7) === (to & 7);
    };
    // After a null move in check, a king could be taken.
    if (Math.abs(this.board.squares[to]) === 1) return [];
    return legalMoves(this.board, (_, target) => target === to, fits);
  }

  /** All legal moves but castling, by their uci names. */
  moves(): string[] {
    return legalMoves(this.board).map((step) => this.step(step).uci);
  }

  private step(step: CoordinateMove): PlayedMove {
    const { board, rooks } = this;
    const becomes = step.promotion === undefined ? '' : LETTERS[step.promotion].toLowerCase();
    const left = rightsAfter(rooks, board.squares, step.from, step.to);
    return {
      san: sanOf(board, step),
      uci: squareName(step.from) + squareName(step.to) + becomes,
      after: new ChessPosition(play(board, step), left),
    };
  }

  private castle(text: string, san: string): PlayedMove {
    const found = castlings(this.board, this.rooks).find((move) => move.san === san);
    if (found === undefined) throw new Error(`${text} is not a legal move`);
    return this.castled(found);
  }

  /** Castling as a move of the king, by two files or onto its rook; null if there is none such. */
  private castlingTo(
    { file, rank }: { readonly file?: string; readonly rank?: string },
    to: number,
  ): PlayedMove | null {
    const found = castlings(this.board, this.rooks).find(
      (move) =>
        squareName(move.from) === `${file}${rank}` &&
        (move.rook === to || (move.to === to && Math.abs(move.to - move.from) > 1)),
    );
    return found === undefined ? null : this.castled(found);
  }

  private castled(castling: CastlingMove): PlayedMove {
    const { board, rooks } = this;
    const { from, san, uci } = castling;
    const after = playCastling(board, castling);
    return {
      san: san + checkMark(after),
      uci,
      after: new ChessPosition(after, rightsAfter(rooks, board.squares, from, from)),
    };
  }

  /** A null move, as annotators write it to show a threat. */
  private pass(): PlayedMove {
    const { squares, side, counters } = this.board;
    const { clock, move } = counters!;
    const after: ChessBoard = {
      squares,
      side: side === 0 ? 1 : 0,
      counters: { clock: clock + 1, move: move + side },
    };
    return { san: '--', uci: '0000', after: new ChessPosition(after, this.rooks) };
  }
}
