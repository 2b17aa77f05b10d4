/** Positions by where men stand: "Kg1 ka Pa7 R8" asks for men on squares, files (a to h) and ranks (1 to 8). */
import { UserError } from '../../../operators/core/errors.js';
import { readCriteria } from '../../game/criteria.js';
import type { Standing } from '../../game/game.js';
import { SYMMETRY } from './geometry.js';
import { type ChessBoard, LETTERS, PAWN } from './rules.js';

/** A man, and for each square the symmetries, as bits, that bring a man there to a square that is asked for. */
interface Criterion {
  readonly man: number;
  readonly symmetries: Uint8Array;
}

const FILES = 'abcdefgh';

function readCriterion(text: string): Criterion {
  const match = /^([kqrbnp])([a-h]?)([1-8]?)$/i.exec(text);
  const man = LETTERS.indexOf((match?.[1] ?? '').toUpperCase());
  const [file, rank] = [match?.[2] ?? '', match?.[3] ?? ''];
  if (match === null || (file === '' && rank === '')) {
    throw new UserError(
      `${JSON.stringify(text)} is not a man on a square, file or rank: expected for example Kg1, pa or R8, capital letters for White`,
    );
  }
  const isMet = (square: number) =>
    (file === '' || (square & 7) === FILES.indexOf(file.toLowerCase())) &&
    (rank === '' || square >> 3 === Number(rank) - 1);
  const symmetries = Uint8Array.from({ length: 64 }, (_, square) => {
    let bits = 0;
    for (let symmetry = 0; symmetry < 8; symmetry++)
      if (isMet(SYMMETRY[symmetry * 64 + square])) bits |= 1 << symmetry;
    return bits;
  });
  return { man: match[1] === match[1].toUpperCase() ? man : -man, symmetries };
}

/** The board moved by a symmetry. */
function moved({ squares, side, passant }: ChessBoard, symmetry: number): ChessBoard {
  const map = SYMMETRY.subarray(symmetry * 64, symmetry * 64 + 64);
  const image = new Int8Array(64);
  squares.forEach((man, square) => {
    image[map[square]] = man;
  });
  return passant === undefined ? { squares: image, side } : { squares: image, side, passant: map[passant] };
}

/**
 * Reads criteria, separated by spaces or commas. The image of a board under the symmetries of its men must
 * fulfil all of them; boards with pawns have two images, others eight. Throws UserError for what is no criterion.
 */
export function standing(text: string): Standing<ChessBoard> {
  const criteria = readCriteria(
    text,
    readCriterion,
    'no man and no square is named: expected for example Kg1',
  );
  function imageOf(board: ChessBoard): ChessBoard | null {
    const { squares } = board;
    let fulfil = 0xff;
    for (const { man, symmetries } of criteria) {
      let brought = 0;
      for (let square = 0; square < 64; square++) if (squares[square] === man) brought |= symmetries[square];
      fulfil &= brought;
      if (fulfil === 0) return null;
    }
    if (squares.some((man) => Math.abs(man) === PAWN)) fulfil &= 0b11;
    if (fulfil === 0) return null;
    const first = 31 - Math.clz32(fulfil & -fulfil);
    return first === 0 ? board : moved(board, first);
  }

  return { imageOf, couldMeet: ({ squares }) => criteria.every(({ man }) => squares.includes(man)) };
}
