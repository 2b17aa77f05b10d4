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

export const COLUMN_WORDS: Readonly<Record<Column, string>> = {
  ending: 'the ending that the slice belongs to',
  slice: 'the slice that has the position, in the colours of the position',
  index: 'the number of the position in its slice, for its mover',
  id: 'the key of the position',
  position: 'as "probe" reads it; most of the time and space goes to it',
  mover:
    'the player to move; of a graph the owner of the node or, where the play is over and it has none, the player who has lost',
  outcome: 'for the mover',
  plies: 'to the end or, by the metric, to a conversion; null for draws',
  solutions: 'of problems: the number of shortest solutions or best moves; 255 stands for more, too',
  score: 'the points by which the mover wins, negative for a loss; under the metric score',
  zugzwang: 'the kind of mutual zugzwang, with --where zugzwang',
  passed: 'the outcome with the other side to move, for that side, with --where zugzwang',
  passed_plies: 'and its plies',
  move: 'the move to follow; null where the play is over',
  best: 'the moves that keep the value; --moves adds them, too',
  layer: 'moves from the nearest root',
  weight:
    'how many positions the row stands for: count(*) counts positions up to symmetry, sum(weight) all of them',
};

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
