/** Syzygy's files in a folder, asked about positions. */
import type { Store } from '../../../../../operators/storage/store.js';
import type { ChessBoard } from '../../rules.js';
import type { FileKind, SyzygyOutcome } from '../format.js';
import type { Material } from '../material.js';
import type { SyzygyFile } from './file.js';
import { OpenFiles } from './open-files.js';
import { newPages, type ReadSizes } from './pages.js';
import { Search, type SyzygyMoves, type SyzygyPlies, WAIT } from './search.js';

export type { SyzygyMoves, SyzygyPlies } from './search.js';

export interface SyzygyTables {
  /** The file of a material; null if there is none. Throws StorageError. */
  file(material: Material, kind: FileKind): Promise<SyzygyFile | null>;
  /** Under the 50-move rule, the last move having been a zeroing one. Throws MissingFileError, StorageError. */
  outcome(board: ChessBoard): Promise<SyzygyOutcome>;
  /** Throws as {@link outcome}. */
  plies(board: ChessBoard): Promise<SyzygyPlies>;
  /** The plies of a board and of what its moves lead to, by one pass. Throws as {@link outcome}. */
  withMoves(board: ChessBoard): Promise<SyzygyMoves>;
}

/** @param cacheBytes what pages of files and decoded blocks may take. Nothing is read before it is asked. */
export function openSyzygyTables(store: Store, cacheBytes: number, sizes?: ReadSizes): SyzygyTables {
  const files = new OpenFiles(store, newPages(store, cacheBytes, sizes));

  /** Searches until nothing is lacking. Several may wait at the same time, each with what it has read. */
  async function run<T>(look: (search: Search) => T): Promise<T> {
    const search = new Search(files, store.uri);
    for (;;) {
      try {
        return look(search);
      } catch (error) {
        if (error !== WAIT) throw error;
      }
      await search.read();
    }
  }

  return {
    file: (material, kind) => files.open(material, kind),
    outcome: (board) => run((search) => search.outcome(board)),
    plies: (board) => run((search) => search.plies(board)),
    withMoves: (board) => run((search) => search.withMoves(board)),
  };
}
