/** Positions by where pieces stand, as PDN names them: "W18 BK3". */
import { UserError } from '../../../operators/core/errors.js';
import { readCriteria } from '../../game/criteria.js';
import type { Standing } from '../../game/game.js';
import { type CheckersBoard, squareOf } from './fen.js';

type Kind = 'whiteMen' | 'whiteKings' | 'blackMen' | 'blackKings';

function readCriterion(text: string): { readonly kind: Kind; readonly bit: number } {
  const match = /^([WB])(K?)(\d{1,2})$/i.exec(text);
  const square = Number(match?.[3]);
  if (match === null || square < 1 || square > 32)
    throw new UserError(
      `${JSON.stringify(text)} is not a piece on a square: expected for example W18 or BK3`,
    );
  const colour = match[1].toUpperCase() === 'W' ? 'white' : 'black';
  return { kind: `${colour}${match[2] === '' ? 'Men' : 'Kings'}`, bit: 1 << squareOf(square) };
}

/** Reads criteria, separated by spaces or commas. Throws UserError for what is none. Boards have no other images. */
export function standing(text: string): Standing<CheckersBoard> {
  const criteria = readCriteria(
    text,
    readCriterion,
    'no piece and no square is named: expected for example W18',
  );
  return {
    couldMeet: (board) => criteria.every(({ kind }) => board[kind] !== 0),
    imageOf: (board) => (criteria.every(({ kind, bit }) => (board[kind] & bit) !== 0) ? board : null),
  };
}
