/** The columns of exports, which are the same for every kind of game, and the choice of `--columns`. */
import { UserError } from '../../operators/core/errors.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { didYouMean } from '../cli/did-you-mean.js';

/** In their order. Each kind of game has some of them; `outcome` and `score` are for the mover. */
export const COLUMNS = [
  ...([
    'slice',
    'index',
    'id',
    'position',
    'mover',
    'outcome',
    'plies',
    'solutions',
    'score',
    'move',
    'layer',
  ] as const),
  'weight',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Columns of endings and numbered slices, of keyed games, and of graphs in JSON. */
export const COLUMNS_OF = {
  endings: ['slice', 'index', 'position', 'mover', 'outcome', 'plies', 'solutions', 'weight'],
  'keyed games': ['id', 'position', 'mover', 'outcome', 'plies', 'score', 'move', 'layer', 'weight'],
  graphs: ['position', 'mover', 'outcome', 'plies', 'score', 'move', 'weight'],
} as const satisfies Record<string, readonly Column[]>;

/** Columns that must be asked for: most readers need none of them, and a move costs the rules of a game much time. */
export const ASKED_FOR: readonly Column[] = ['index', 'id', 'move'];

/**
 * The columns of `--columns`, in the order of `all`; if it was not given, those that need not be asked for.
 * @throws UserError for other names.
 */
export function readColumns<Name extends string>(
  text: string | undefined,
  all: readonly Name[],
  askedFor: readonly string[] = ASKED_FOR,
): Name[] {
  if (text === undefined) return all.filter((column) => !askedFor.includes(column));
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!all.some((column) => column === name))
      throw new UserError(
        `--columns: there is no column ${JSON.stringify(name)} (there are: ${all.join(', ')})${didYouMean(name, all)}`,
      );
  }
  return all.filter((column) => names.includes(column));
}

/** Those of the endings of a metric. */
export function columnsOf(metric: Metric): readonly Column[] {
  return COLUMNS_OF.endings.filter((column) => column !== 'solutions' || stipulations[metric].numbers);
}
