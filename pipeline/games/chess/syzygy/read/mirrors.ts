/**
 * Files of endings with two or more leading pawns that earlier versions of this program wrote are wrong. Where a leading
 * pawn stands opposite the leader, a board and its mirror image have an index each. These versions wrote one of the two. So
 * in a right file both are worth the same.
 */
import { CENSUS_ROWS, piecesOf } from '../../../../game/fill-census.js';
import type { Side, Slice } from '../../../../game/game.js';
import { SIDES } from '../../../../game/side.js';
import { chess } from '../../chess.js';
import { type ChessBoard, PAWN, terminal } from '../../rules.js';
import type { FileKind } from '../format.js';
import type { Kernels } from '../kernels.js';
import { BLACK, type Material } from '../material.js';
import { legalCells, NO_CELL, readCells, type SliceCells, TWO_CELLS } from './slice-cells.js';
import type { SyzygyTables } from './tables.js';

/**
 * Whether all mirror images are worth the same. Needs files of all that the ending converts to.
 * @param pause called between parts. Throws as `tables` do.
 */
export async function mirrorsAgree(
  tables: SyzygyTables,
  material: Material,
  kernels: Kernels,
  pause: () => Promise<void>,
): Promise<boolean> {
  if (material.leadingPawns.length < 2) return true;
  const slices = chess.ending(material.name).slices.map((name) => chess.slice(name));
  for (const kind of ['wdl', 'dtz'] as const) {
    const file = await tables.file(material, kind);
    if (file === null) return false;
    for (const side of SIDES) {
      const cells = await readCells({ kernels, file, slices, side, want: legalCells(side), pause });
      try {
        for (const slice of slices) if (!(await imagesAgree(tables, kind, slice, side, cells))) return false;
      } finally {
        cells.dispose();
      }
    }
  }
  return true;
}

async function imagesAgree(
  tables: SyzygyTables,
  kind: FileKind,
  slice: Slice,
  side: Side,
  cells: SliceCells,
): Promise<boolean> {
  const found = new Uint16Array(CENSUS_ROWS);
  const worth = (board: ChessBoard) =>
    kind === 'wdl' ? tables.outcome(board) : tables.plies(board).then(({ plies }) => plies);
  for (let part = 0; part < slice.parts; part++) {
    for (const { first, length } of piecesOf(slice, part)) {
      const some = found.subarray(0, length);
      cells.next(some);
      for (let i = 0; i < some.length; i++) {
        // Where the values differ, programs may need neither: a capture may be as good.
        if (some[i] < TWO_CELLS || some[i] === NO_CELL) continue;
        const board = chess.board({ slice: slice.name, side, part, key: first + i });
        // The rules say who is stalemated, but there are programs that ask the file.
        if (terminal(board) !== 'open') {
          if (kind === 'wdl') return false;
        } else if ((await worth(board)) !== (await worth(mirrored(board)))) return false;
      }
    }
  }
  return true;
}

/** The board turned left to right. */
function mirrored({ squares, side }: ChessBoard): ChessBoard {
  return { squares: squares.map((_, square) => squares[square ^ 7]), side };
}

/** The board with the men of a material on these squares. */
export function boardOf({ men }: Material, squares: Uint8Array, side: Side): ChessBoard {
  const board = new Int8Array(64);
  // From the king to the pawn the codes of the files go down, those of boards up.
  for (const [man, code] of men.entries()) {
    const is = PAWN + 1 - (code % BLACK);
    board[squares[man]] = code > BLACK ? -is : is;
  }
  return { squares: board, side };
}
