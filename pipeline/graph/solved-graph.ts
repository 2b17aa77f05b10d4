/** A solved graph: what was imported, and its table. */

import { type Counters, newCounters } from '../../operators/core/counters.js';
import { expectIfListed } from '../../operators/storage/doubted-absence.js';
import type { Store } from '../../operators/storage/store.js';
import type { SliceIndex } from '../game/game.js';
import { withRemedy } from '../game/remedy.js';
import type { Metric } from '../game/value.js';
import { MissingTableError, openTable, type Table } from '../tables/table.js';
import { tableManifestName } from '../tables/table-names.js';
import { GRAPH, type GraphGame, graphGame } from './graph-game.js';
import { type GraphManifest, needGraph } from './manifest.js';

export interface OpenedGraph {
  readonly graph: GraphManifest;
  readonly game: GraphGame;
  readonly table: Table<SliceIndex>;
}

/** @throws UserError if there is no such graph, or it is not solved for the metric; StorageError, DamageError. */
export async function needSolvedGraph(
  store: Store,
  name: string,
  metric: Metric,
  counters: Counters = newCounters(),
): Promise<OpenedGraph> {
  const graph = await needGraph(store, name);
  const game = graphGame(graph);
  const open = () => openTable(store, game, metric, name, counters);
  const manifest = tableManifestName(GRAPH, metric, name);
  const table = (await open()) ?? ((await expectIfListed(store, manifest)) ? await open() : null);
  if (table !== null) return { graph, game, table };
  throw withRemedy(new MissingTableError(name, `graph ${name} is not solved for ${metric} in ${store.uri}`), {
    task: 'solve graph',
    source: graph.source,
    metric,
  });
}
