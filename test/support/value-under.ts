import type { ShownPosition, TableSource } from '../../jobs/web/source.js';
import type { Metric } from '../../pipeline/game/value.js';

/** The position under one metric, from a source of the page. */
export async function valueUnder(
  source: TableSource,
  game: string,
  metric: Metric,
  position: string,
): Promise<ShownPosition> {
  return (await source.probe(game, [metric], position))[0];
}
