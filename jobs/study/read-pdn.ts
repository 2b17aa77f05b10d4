/**
 * Games of checkers as PDN ("Portable Draughts Notation", version 3.0). Tags are as in PGN. Moves are "11-15" and "22x15x8", or "22x8"
 * if that is but one move. Black moves first. Games from the first position on are played by the rules of the tables, which know any
 * number of pieces.
 */
import { UserError } from '../../operators/core/errors.js';
import { type CheckersBoard, formatFen, readBoard } from '../../pipeline/games/checkers/fen.js';
import { namedMoves, same } from '../../pipeline/games/checkers/rules.js';
import { CHECKERS } from './first-positions.js';
import type { GamePosition, Notation, PlayedMove } from './notation.js';

/** The standard's numbers of games; 21 is English draughts, which is checkers. */
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
const ENGLISH = '21';

const MOVE = /^\d{1,2}(?:[-–x×:]\d{1,2})+$/;
const BY_LETTERS = /^[a-h][1-8](?:[-x:]?[a-h][1-8])+$/;

export const PDN: Notation = {
  words: {
    result: /(?:[12][-–]0|0[-–][12]|1[-–]1|0[-–]0|1\/2(?:[-–]1\/2)?|½(?:[-–]½)?)(?![\d:x–-])|\*/y,
    move: /\d{1,2}(?: ?[-–x×:] ?\d{1,2})+(?!\d)|[a-h][1-8](?:[-x:]?[a-h][1-8])+/y,
    // A star at the end of a move says that it is the only one; alone it ends a game.
    glyph: /\$\d+|[!?]+|\([!?*]+\)|(?<=\d)\*/y,
    other: /[^\s\p{L}\p{N}{}()[\];$!?*%]+/uy,
    isPosition: (line) => /^[BW]:\s*[BW]/i.test(line),
  },
  readPosition: (line) => ({ fen: line, operations: {} }),
  start(tags) {
    const [type] = (tags.gametype ?? ENGLISH).split(',', 1);
    const number = type.trim();
    if (![ENGLISH, '', '?'].includes(number)) {
      const name = GAME_TYPES[number];
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
  constructor(
    private readonly board: CheckersBoard,
    private readonly move: number,
  ) {}

  get fen(): string {
    return formatFen(this.board);
  }

  get number(): string {
    return `${this.move}.${this.board.side === 0 ? '' : '..'}`;
  }

  play(text: string): PlayedMove {
    const move = text.replaceAll(' ', '');
    if (BY_LETTERS.test(move)) throw new Error(`${text}: squares must be numbers, as in 11-15`);
    if (!MOVE.test(move)) throw new Error(`${text} is not a move`);
    const squares = move.split(/\D/).map(Number);
    const fits = namedMoves(this.board).filter(({ uci }) => {
      const path = uci.split(/\D/).map(Number);
      return squares.length > 2
        ? path.join() === squares.join()
        : path[0] === squares[0] && path.at(-1) === squares[1];
    });
    if (fits.length === 0) throw new Error(`${text} is not a legal move`);
    const [{ san, uci, board }] = fits;
    if (fits.some((other) => !same(other.board, board))) {
      throw new Error(`${text} is more than one move (${fits.map((other) => other.san).join(', ')})`);
    }
    return { san, uci, after: new CheckersPosition(board, this.move + this.board.side) };
  }
}
