/** The columns of exports, which are the same for every kind of game, and the choice of `--columns`. */
import { UserError } from '../../operators/core/errors.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { didYouMean } from '../cli/did-you-mean.js';
import { ZUGZWANG_COLUMNS } from '../positions/names.js';

/**
 * In their order. Each kind of game has some of them; `outcome` and `score` are for the mover. Which of them a file has is for `--columns` and
 * `--moves` to say, whatever positions are asked for.
 */
export const COLUMNS = [
  'ending',
  'slice',
  'index',
  'id',
  'position',
  'mover',
  'outcome',
  'plies',
  'solutions',
  'score',
  ...ZUGZWANG_COLUMNS,
  'move',
  'best',
  'layer',
  'weight',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Columns of endings and numbered slices, of keyed games, and of graphs in JSON. */
export const COLUMNS_OF = {
  endings: [
    ...(['ending', 'slice', 'index', 'position', 'mover', 'outcome', 'plies', 'solutions'] as const),
    ...ZUGZWANG_COLUMNS,
    ...(['best', 'weight'] as const),
  ],
  'keyed games': ['id', 'position', 'mover', 'outcome', 'plies', 'score', 'move', 'best', 'layer', 'weight'],
  graphs: ['position', 'mover', 'outcome', 'plies', 'score', 'move', 'best', 'weight'],
} as const satisfies Record<string, readonly Column[]>;

/** Columns that must be asked for: most readers need none of them, and a move costs the rules of a game much time. */
export const ASKED_FOR: readonly Column[] = ['ending', 'index', 'id', ...ZUGZWANG_COLUMNS, 'move', 'best'];

/**
 * The columns of `--columns`, in the order of `all`; if it was not given, those that need not be asked for, and with `moves` the best ones.
 * @throws UserError for other names, and for one that is given twice.
 */
export function readColumns(text: string | undefined, all: readonly Column[], moves = false): Column[] {
  if (text === undefined)
    return all.filter((column) => !ASKED_FOR.includes(column) || (moves && column === 'best'));
  const names = text.split(',').map((name) => name.trim());
  for (const [i, name] of names.entries()) {
    if (names.indexOf(name) < i) throw new UserError(`--columns: ${name} is given twice`);
    if (all.some((column) => column === name)) continue;
    if (ZUGZWANG_COLUMNS.some((column) => column === name))
      throw new UserError(`--columns: ${name} is of mutual zugzwangs: give --where zugzwang`);

    throw new UserError(
      `--columns: there is no column ${JSON.stringify(name)} (there are: ${all.join(', ')})${didYouMean(name, all)}`,
    );
  }
  return all.filter((column) => names.includes(column));
}

/** Those of the endings of a metric. @param zugzwang whether these are asked for: only they have what the other side would get. */
export function columnsOf(metric: Metric, zugzwang = false): readonly Column[] {
  return COLUMNS_OF.endings.filter(
    (column) =>
      (column !== 'solutions' || stipulations[metric].numbers) &&
      (zugzwang || !ZUGZWANG_COLUMNS.some((each) => each === column)),
  );
}

/** What chess programs are told of positions. */
export function chessColumns(
  metric: Metric,
  {
    moves = false,
    zugzwang = false,
  }: { readonly moves?: boolean | undefined; readonly zugzwang?: boolean | undefined },
): Column[] {
  return columnsOf(metric, zugzwang).filter((column) =>
    column === 'best' ? moves : !['slice', 'index', 'weight'].includes(column),
  );
}
