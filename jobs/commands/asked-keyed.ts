/** A keyed game as a command was asked for it. */
import { UserError } from '../../operators/core/errors.js';
import type { Metric } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import { tableManifestName } from '../../pipeline/table/table-names.js';
import { type MetricOptions, metricOf } from '../options.js';
import { storeToRead } from '../stores.js';
import { refuse } from './refuse.js';

/** A keyed game, and the path by which it was asked for. */
export interface AskedKeyed {
  readonly game: KeyedRules;
  readonly path: string;
}

/** @throws UserError for endings, and for flags that were given. */
export function requireNone({ game }: AskedKeyed, names: readonly string[], flags: object = {}): void {
  refuse('keyed game', game.name, names, flags);
}

export function keyedMetric({ game }: AskedKeyed, asked: string | undefined): Metric {
  return metricOf({ name: game.name, metrics: metricsOf(game) }, asked);
}

/** The metric that is asked for. @throws UserError, with the command that solves the game, if it is not solved for it. */
export async function solvedMetric(
  asked: AskedKeyed,
  { store: uri, metric: named }: MetricOptions,
): Promise<Metric> {
  const metric = keyedMetric(asked, named);
  const store = storeToRead(uri);
  if ((await store.size(tableManifestName(GRAPH, metric, asked.game.name))) !== null) return metric;
  throw new UserError(
    `${asked.game.name} is not solved for ${metric} in ${store.uri}: run "mergemate solve ${asked.path} --metric ${metric}" first`,
  );
}
