/**
 * Games of checkers as PDN ("Portable Draughts Notation", version 3.0). Tags are as in PGN. Moves are "11-15" and "22x15x8", or "22x8"
 * if that is but one move, or "22x15 15x8". Black moves first. Games from the first position on are played by the rules of the tables, which know any
 * number of pieces.
 */
import { UserError } from '../../operators/core/errors.js';
import { own } from '../../operators/core/own.js';
import { type CheckersBoard, fieldsOf, formatFen, readBoard } from '../../pipeline/games/checkers/fen.js';
import { namedMoves, same } from '../../pipeline/games/checkers/rules.js';
import { ENGLISH_DRAUGHTS } from '../ui/game-tags.js';
import { CHECKERS } from './first-positions.js';
import type { GamePosition, Notation, PlayedMove } from './notation.js';

/** The standard's numbers of other games. */
const GAME_TYPES: Readonly<Record<string, string>> = {
  '0': 'chess',
  '1': 'Chinese chess',
  '20': 'international draughts',
  '22': 'Italian draughts',
  '23': 'American pool checkers',
  '24': 'Spanish draughts',
  '25': 'Russian draughts',
  '26': 'Brazilian draughts',
  '27': 'Canadian draughts',
  '28': 'Portuguese draughts',
  '29': 'Czech draughts',
  '30': 'Turkish draughts',
  '31': 'Thai draughts',
  '40': 'Frisian draughts',
  '41': 'Spantsiretti',
};

const MOVE = /^\d{1,2}(?:[-–x×:]\d{1,2})+$/;
const BY_LETTERS = /^[a-h][1-8](?:[-x:]?[a-h][1-8])+$/;

export const PDN: Notation = {
  words: {
    result: /(?:[12][-–]0|0[-–][12]|1[-–]1|0[-–]0|1\/2(?:[-–]1\/2)?|½(?:[-–]½)?)(?![\d:x–-])|\*/y,
    move: /\d{1,2}(?: ?[-–x×:] ?\d{1,2})+(?!\d)|[a-h][1-8](?:[-x:]?[a-h][1-8])+/y,
    // A star at the end of a move marks it as the only one; a star alone ends a game.
    glyph: /\$\d+|[!?]+|\([!?*]+\)|(?<=\d)\*/y,
    other: /[^\s\p{L}\p{N}{}()[\];$!?*%]+/uy,
    isPosition: (line) => /^[BW]:\s*[BW]/i.test(line),
  },
  readPosition: (line) => ({ fen: fieldsOf(line).join(':'), operations: {} }),
  start(tags) {
    const [type] = (tags.gametype ?? ENGLISH_DRAUGHTS).split(',', 1);
    const number = type.trim();
    if (![ENGLISH_DRAUGHTS, '', '?'].includes(number)) {
      const name = own(GAME_TYPES, number);
      throw new UserError(
        `GameType ${JSON.stringify(number)} is another game${name === undefined ? '' : `, ${name}`}`,
      );
    }
    const variant = tags.variant?.trim() ?? '';
    if (
      !/^(?:|[?-]|standard|from ?position|english(?: draughts)?|checkers|american checkers)$/i.test(variant)
    ) {
      throw new UserError(`the variant ${JSON.stringify(variant)} is another game`);
    }
    const fen = tags.fen?.trim() ?? '';
    return new CheckersPosition(readBoard(fen === '' ? CHECKERS : fen), 1);
  },
};

class CheckersPosition implements GamePosition {
  /** @param jumps what is written of a capture so far: some programs write each jump as a move, "11x18 18x25". */
  constructor(
    private readonly board: CheckersBoard,
    private readonly move: number,
    private readonly jumps: readonly string[] = [],
  ) {}

  get fen(): string {
    return formatFen(this.board);
  }

  get number(): string {
    return `${this.move}.${this.board.side === 0 ? '' : '..'}`;
  }

  get begun(): string | null {
    return this.jumps.length === 0 ? null : this.jumps.join(' ');
  }

  play(text: string): PlayedMove {
    const move = text.replaceAll(' ', '');
    if (BY_LETTERS.test(move)) throw new Error(`${text}: squares must be numbers, as in 11-15`);
    if (!MOVE.test(move)) throw new Error(`${text} is not a move`);
    const jumps = [...this.jumps, move];
    const written = jumps.map(squaresOf);
    const moves = namedMoves(this.board);
    const lengths = moves.map(({ uci }) => lengthsWritten(squaresOf(uci), written));
    const fits = moves.filter(({ uci }, i) => lengths[i].includes(squaresOf(uci).length));
    const [first] = fits;
    if (first === undefined) {
      const isBegun = /[x×:]/.test(move) && lengths.some((each) => each.length > 0);
      if (!isBegun) throw new Error(this.whyNot(text, squaresOf(move)[0]));
      return { san: move, uci: move, after: new CheckersPosition(this.board, this.move, jumps) };
    }
    const { san, uci, board } = first;
    if (fits.some((other) => !same(other.board, board))) {
      const names = fits.map((other) => other.san).join(', ');
      throw new Error(`${jumps.join(' ')} is ambiguous (${names})`);
    }
    return { san, uci, after: new CheckersPosition(board, this.move + this.board.side) };
  }

  /** Why a move that begins there is none: it may be the other side's, before the capture came to its end. */
  private whyNot(text: string, from: number): string {
    const { begun } = this;
    if (begun === null) return `${text} is not a legal move`;
    const goesOn = squaresOf(begun).at(-1) === from;
    return goesOn ? `${begun} ${text} is not a legal move` : `${begun} is only part of a capture`;
  }
}

const squaresOf = (move: string): number[] => move.split(/\D/).map(Number);

/**
 * How many squares of a path the written jumps may stand for, if they are how it begins. A jump of two squares is also the short form
 * of several, from the first square to the last, so it may end at any of them.
 */
function lengthsWritten(path: readonly number[], written: readonly (readonly number[])[]): number[] {
  let ends = [0];
  for (const squares of written) {
    ends = ends.flatMap((at) => {
      if (path[at] !== squares[0]) return [];
      if (squares.length > 2) {
        const isNext = squares.every((square, i) => path[at + i] === square);
        return isNext ? [at + squares.length - 1] : [];
      }
      return path.flatMap((square, i) => (i > at && square === squares[1] ? [i] : []));
    });
  }
  return ends.map((end) => end + 1);
}
