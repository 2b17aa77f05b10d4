/**
 * Files of endings with two or more leading pawns that earlier versions of this program wrote are wrong. Where a leading
 * pawn stands opposite the leader, a board and its mirror image have an index each. These versions wrote one of the two. So
 * in a right file both are worth the same.
 */
import type { Side } from '../../../../game/game.js';
import { illegality } from '../../fen.js';
import { type ChessBoard, PAWN, terminal } from '../../rules.js';
import { BLACK, type Material } from '../material.js';
import type { SyzygyFile } from './file.js';
import type { StoredSubtable } from './head.js';
import type { SyzygyTables } from './tables.js';

/**
 * Whether all mirror images are worth the same. Needs files of all that the ending converts to.
 * @param pause called between subtables; one subtable is in memory: two bytes an index. Throws as `tables` do.
 */
export async function mirrorsAgree(
  tables: SyzygyTables,
  material: Material,
  pause: () => Promise<void>,
): Promise<boolean> {
  if (material.leadingPawns.length < 2) return true;
  for (const kind of ['wdl', 'dtz'] as const) {
    const file = await tables.file(material, kind);
    if (file === null) return false;
    const worth = async (board: ChessBoard, value: number): Promise<number> => {
      // The rules say who is stalemated, but there are programs that ask the file.
      if (terminal(board) !== 'open') return kind === 'wdl' ? value : 0;
      return kind === 'wdl' ? tables.outcome(board) : (await tables.plies(board)).plies;
    };
    for (const subtable of file.subtables.flat()) {
      if (!(await imagesAgree(file, subtable, worth))) return false;
      await pause();
    }
  }
  return true;
}

async function imagesAgree(
  { material, values }: SyzygyFile,
  subtable: StoredSubtable,
  worth: (board: ChessBoard, value: number) => Promise<number>,
): Promise<boolean> {
  const { index, side } = subtable;
  const all = await values(subtable);
  const squares = new Uint8Array(material.men.length);
  const image = new Uint8Array(material.men.length);
  for (let at = 0; at < all.length; at++) {
    index.decode(at, squares);
    if (!index.mirror(squares, image)) continue;
    const opposite = all[index.encode(image)];
    // Where the values differ, programs may need neither: a capture may be as good.
    if (opposite === all[at]) continue;
    const board = boardOf(material, squares, side);
    if (illegality(board) !== null) continue;
    const other = boardOf(material, image, side);
    if ((await worth(board, all[at])) !== (await worth(other, opposite))) return false;
  }
  return true;
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
