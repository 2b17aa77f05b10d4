/** Syzygy's files in one or more folders, asked about positions. */
import type { Store } from '../../../../../operators/storage/store.js';
import type { ChessBoard } from '../../rules.js';
import { type FileKind, MissingFileError, type SyzygyOutcome } from '../format.js';
import type { Material } from '../material.js';
import type { SyzygyFile } from './file.js';
import { OpenFiles } from './open-files.js';
import { ChangedError, newPages, type ReadSizes } from './pages.js';
import { Search, type SyzygyMoves, type SyzygyPlies, WAIT } from './search.js';

export type { SyzygyMoves, SyzygyPlies } from './search.js';

export interface SyzygyTables {
  /** The file of a material; null if there is none. Throws StorageError. */
  file(material: Material, kind: FileKind): Promise<SyzygyFile | null>;
  /** Under the 50-move rule, the last move having been a zeroing one. Throws MissingFileError, StorageError. */
  outcome(board: ChessBoard): Promise<SyzygyOutcome>;
  /** The same, if nothing must be read first for it; else null. */
  outcomeAtHand(board: ChessBoard): SyzygyOutcome | null;
  /** Throws as {@link outcome}. */
  plies(board: ChessBoard): Promise<SyzygyPlies>;
  /** The plies of a board and of what its moves lead to, by one pass. Throws as {@link outcome}. */
  withMoves(board: ChessBoard): Promise<SyzygyMoves>;
}

/** How often a file that was changed while a position was looked up is opened again for it. */
const REOPENINGS = 3;

/**
 * Nothing is read before it is asked. Each file is checked as a whole before a value of it is used, which takes as long as to read it once; a
 * file that is replaced or written to later is checked again.
 * @param stores where the files are; a file is that of the first store that has it.
 * @param cacheBytes what pages of files and decoded blocks may take.
 */
export function openSyzygyTables(
  stores: Store | readonly Store[],
  cacheBytes: number,
  sizes?: ReadSizes,
): SyzygyTables {
  const all: readonly Store[] = 'uri' in stores ? [stores] : stores;
  const places = all.map(({ uri }) => uri);
  const files = new OpenFiles(all, newPages(cacheBytes, sizes));

  /** Searches until nothing is lacking. Several may wait at the same time, each with what it has read. */
  async function run<T>(board: ChessBoard, look: (search: Search) => T): Promise<T> {
    for (let left = REOPENINGS; ; left--) {
      const search = new Search(files, places);
      try {
        for (;;) {
          try {
            return look(search);
          } catch (error) {
            if (error !== WAIT) throw error;
          }
          await search.read();
        }
      } catch (error) {
        if (error instanceof MissingFileError) throw await files.allMissing(board, error);
        if (!(error instanceof ChangedError)) throw error;
        // Opened anew it is refused, if it was damaged.
        await files.close(error.object);
        if (left === 0) throw error;
      }
    }
  }

  return {
    file: (material, kind) => files.open(material, kind),
    outcome: (board) => run(board, (search) => search.outcome(board)),
    outcomeAtHand(board) {
      try {
        return new Search(files, places).outcome(board);
      } catch {
        // The error of anything else than a wait is thrown where it is read.
        return null;
      }
    },
    plies: (board) => run(board, (search) => search.plies(board)),
    withMoves: (board) => run(board, (search) => search.withMoves(board)),
  };
}
