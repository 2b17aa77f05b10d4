/** The names of the columns that exports of each kind of game have, in their order, and the choice of `--columns`. */
import { UserError } from '../../operators/core/errors.js';

/** Games that are solved by endings or slices: chess, checkers, numbered games. */
export const TABLE_COLUMNS = ['slice', 'side', 'index', 'fen', 'wdl', 'plies', 'weight'] as const;
export type TableColumn = (typeof TABLE_COLUMNS)[number];

/** Keyed games. Only games with scores have `score`, under the metric `score`. */
export const KEYED_COLUMNS = [
  ...(['id', 'position', 'mover', 'wdl', 'winner', 'plies', 'score', 'move', 'moveName', 'layer'] as const),
  'weight',
] as const;

/** Graphs in JSON. */
export const GRAPH_COLUMNS = ['id', 'owner', 'wdl', 'winner', 'plies', 'move', 'weight'] as const;

/** Columns of keyed games and of graphs. */
export type NodeColumn = (typeof KEYED_COLUMNS)[number] | (typeof GRAPH_COLUMNS)[number];

/** The columns of `--columns`, in the order of `all`; all of them if it was not given. @throws UserError for other names. */
export function readColumns<Name extends string>(text: string | undefined, all: readonly Name[]): Name[] {
  if (text === undefined) return [...all];
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!all.some((column) => column === name))
      throw new UserError(
        `--columns: there is no column ${JSON.stringify(name)} (there are: ${all.join(', ')})`,
      );
  }
  return all.filter((column) => names.includes(column));
}
