/** Positions by where men stand: "Kg1 ka Pa7 R8" asks for men on squares, files (a to h) and ranks (1 to 8). */
import { UserError } from '../../../operators/core/errors.js';
import type { Standing } from '../../game/game.js';
import { readWishes } from '../../game/wishes.js';
import { SYMMETRY } from './geometry.js';
import { type ChessBoard, LETTERS, PAWN } from './rules.js';

/** A man, and the squares where it may stand. */
interface Wish {
  readonly man: number;
  readonly squares: readonly number[];
}

const FILES = 'abcdefgh';

function readWish(text: string): Wish {
  const match = /^([kqrbnp])([a-h]?)([1-8]?)$/i.exec(text);
  const man = LETTERS.indexOf((match?.[1] ?? '').toUpperCase());
  const [file, rank] = [match?.[2] ?? '', match?.[3] ?? ''];
  if (match === null || (file === '' && rank === '')) {
    throw new UserError(
      `${JSON.stringify(text)} is no man on a square, file or rank: expected such as Kg1, pa or R8, capital letters for White`,
    );
  }
  const squares = Array.from({ length: 64 }, (_, square) => square).filter(
    (square) =>
      (file === '' || (square & 7) === FILES.indexOf(file.toLowerCase())) &&
      (rank === '' || square >> 3 === Number(rank) - 1),
  );
  return { man: match[1] === match[1].toUpperCase() ? man : -man, squares };
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
 * Reads wishes, separated by spaces or commas. The image of a board under the symmetries of its men must
 * fulfil all of them; boards with pawns have two images, others eight. Throws UserError for what is no wish.
 */
export function standing(text: string): Standing<ChessBoard> {
  const wishes = readWishes(text, readWish, 'no man and no square is named: expected such as Kg1');
  function imageOf(board: ChessBoard): ChessBoard | null {
    const hasPawns = board.squares.some((man) => Math.abs(man) === PAWN);
    const fulfils = (map: Uint8Array) => {
      const wanted = (wish: Wish, square: number) => wish.squares.includes(map[square]);
      return wishes.every((wish) =>
        board.squares.some((man, square) => man === wish.man && wanted(wish, square)),
      );
    };
    for (let symmetry = 0; symmetry < (hasPawns ? 2 : 8); symmetry++) {
      if (!fulfils(SYMMETRY.subarray(symmetry * 64, symmetry * 64 + 64))) continue;
      return symmetry === 0 ? board : moved(board, symmetry);
    }
    return null;
  }

  return { imageOf };
}
