/** `mergemate graph list`, and nodes looked up by the name of their graph. */

import type { Metric } from '../../pipeline/game/value.js';
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import type { CommonOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { openStore } from '../stores.js';
import { whole } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';
import { type NodeFlags, storedGraph } from './asked-graph.js';
import { lookupsOf } from './graph-lookups.js';

export async function runList({ store: uri, json }: CommonOptions): Promise<void> {
  const { listGraphs } = await import('../../pipeline/graph/manifest.js');
  const { tableManifestName } = await import('../../pipeline/tables/table-names.js');
  const store = openStore(uri);
  const found = [];
  for (const { name, source, players, nodes, edges } of await listGraphs(store)) {
    const solved: Metric[] = [];
    for (const metric of graphs.metrics)
      if ((await store.size(tableManifestName(GRAPH, metric, name))) !== null) solved.push(metric);
    found.push({ graph: name, source, players, nodes, edges, solved });
  }
  if (json) return printJson(found);
  if (found.length === 0) return print(`${store.uri}: no graphs\n`);
  const rows = found.map(({ graph, nodes, edges, solved, source }) => [
    graph,
    whole(nodes),
    whole(edges),
    solved.join(', ') || 'not yet',
    source,
  ]);
  return print(textTable(['graph', 'nodes', 'edges', 'solved', 'made from'], rows));
}

export async function runProbe(name: string, node: string, flags: NodeFlags): Promise<void> {
  const asked = await storedGraph(name, flags);
  await (await lookupsOf(asked)).probeOne(asked, node, flags);
}
