/**
 * Guards of tables: code that loads a game from a module registers a guard, which compares every table of the game with the module before it is opened. So no
 * reader of tables, in whatever command or thread, can forget the comparison.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';

/** The rules of a game have changed since its tables were solved. */
export class ChangedRulesError extends UserError {
  override name = 'ChangedRulesError';
}

/** Called before a table of the game is opened. Throws {@link ChangedRulesError} if the store has tables of other rules. */
export type TableGuard = (store: Store) => Promise<void>;

const guards = new WeakMap<object, TableGuard>();

/** Makes {@link openTable} call the guard whenever it opens a table of this game. */
export function guardTables(game: object, guard: TableGuard): void {
  guards.set(game, guard);
}

export function guardOf(game: object): TableGuard | undefined {
  return guards.get(game);
}
