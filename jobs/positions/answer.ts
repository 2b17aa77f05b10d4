/** Positions of an ending by query, for the server and for the page of a static site. Runs in browsers. */
import { selectPositions } from '../../pipeline/analysis/selection.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { Prober } from '../../pipeline/tables/probe/probed.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import type { TableColumn, ValueTable } from '../../pipeline/tables/value-table.js';
import { meetsOf, type PositionsQuery, selectionOf } from './query.js';
import { rowOf } from './row.js';
import type { PositionRow, PositionsAnswer } from './shapes.js';

export interface PageOfPositions {
  /** Positions that are passed over. */
  readonly skip: number;
  readonly limit: number;
}

interface AnswerOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: Ending;
  /** Finds the table of a slice of the ending. */
  readonly open: (slice: string) => Promise<ValueTable>;
  /** The numbers beside the values, and the solutions, under metrics that have them. */
  readonly numbers?: ((table: ValueTable) => TableColumn) | undefined;
  readonly prober?: (() => Prober<unknown>) | undefined;
  /** Awaited between batches of values, and between batches of positions. */
  readonly report: () => Promise<void>;
}

/** Throws what {@link selectPositions} throws, and UserError for what does not go together. */
export async function positionsAnswer(
  { game, metric, ending, open, numbers, prober, report }: AnswerOptions,
  query: PositionsQuery,
  { skip, limit }: PageOfPositions,
): Promise<PositionsAnswer> {
  const selection = selectionOf(game, metric, query);
  const positions: PositionRow[] = [];
  let more = false;
  const meets = prober === undefined ? undefined : meetsOf(query, () => new Solutions(game, prober()));
  const options = { game, metric, ending, selection, open, numbers, meets, report, skip };
  for await (const batch of selectPositions(options)) {
    more = positions.length + batch.length > limit;
    for (const found of batch.slice(0, limit - positions.length)) positions.push(rowOf(game, found));
    if (more) break;
    await report();
  }
  const { name, assumes } = ending;
  return {
    game: game.name,
    metric,
    ending: name,
    ...(assumes !== undefined && { assumes }),
    skip,
    positions,
    more,
  };
}
