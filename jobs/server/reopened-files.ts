/** Syzygy files that are opened again by name after a failure, because a damaged file may have been replaced. */
import type { Store } from '../../operators/storage/store.js';
import type { SyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { mayBeReplaced } from './problems.js';

/** Repeats a call that fails because of a wrong file once, with all files opened anew. Throws what the second call throws. */
export function reopening(store: Store, open: () => SyzygyTables): SyzygyTables {
  let tables = open();

  async function again<T>(call: (tables: SyzygyTables) => Promise<T>): Promise<T> {
    const used = tables;
    try {
      return await call(used);
    } catch (error) {
      if (!mayBeReplaced(error)) throw error;
      // Unless another call has opened them anew meanwhile.
      if (tables === used) {
        store.closeRead?.();
        tables = open();
      }
      return call(tables);
    }
  }

  return {
    file: (material, kind) => again((files) => files.file(material, kind)),
    outcome: (board) => again((files) => files.outcome(board)),
    outcomeAtHand: (board) => tables.outcomeAtHand(board),
    plies: (board) => again((files) => files.plies(board)),
    withMoves: (board) => again((files) => files.withMoves(board)),
  };
}
