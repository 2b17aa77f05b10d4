/**
 * `mergemate graph`: graphs in files, solved, looked up and exported as rows. Modules that read or write runs are imported
 * where they are used. This thread only waits while a graph is solved, and should not hold the modules of the solving thread in
 * memory.
 */

import { UserError } from '../../operators/core/errors.js';
import type { Metric } from '../../pipeline/formats/value.js';
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import type { GraphProber } from '../../pipeline/graph/graph-prober.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { formatOf } from '../export/format.js';
import { GRAPH_FORMATS, type GraphFormat } from '../export/graph-formats.js';
import { readNodeId } from '../graph/node-id.js';
import type { CommonOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { probedNodeJson, probedNodeText } from '../ui/graph-text.js';
import { count, whole } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';
import { needKeyedGame } from '../user-game.js';
import { budgetOf, type GraphFlags } from './graph-options.js';

interface ExportFlags extends GraphFlags {
  readonly format?: GraphFormat;
  readonly out: string;
  readonly force?: boolean;
  readonly memory: number;
}

export async function runList({ store: uri, json }: CommonOptions): Promise<void> {
  const { listGraphs } = await import('../../pipeline/graph/manifest.js');
  const { tableManifestName } = await import('../../pipeline/table/table-names.js');
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

export async function runProbe(
  name: string,
  node: string,
  flags: GraphFlags & { readonly published?: string },
): Promise<void> {
  const { metric, json } = flags;
  const game = await needKeyedGame(name);
  if (game !== null) {
    const { probeKeyed } = await import('./keyed-probe.js');
    return probeKeyed({ game, path: name }, node, flags);
  }
  const prober = await openGraph(name, metric, flags);
  const found = await prober.node(readNodeId(node));
  if (found === null) throw new UserError(`graph ${name} has no node ${node}`);
  const after = await prober.edges(found.number);
  const { players } = prober.graph;
  if (json) await printJson(probedNodeJson(found, after, players));
  else await print(probedNodeText(found, after, players));
}

/** The nodes of a solved graph, from the store or from published files. */
export async function openGraph(
  name: string,
  metric: Metric,
  { store, published }: { readonly store: string; readonly published?: string },
): Promise<GraphProber> {
  if (published !== undefined) {
    const { openPublishedGraph } = await import('../../pipeline/publish/graph/published-graph.js');
    return openPublishedGraph(storeToRead(published), name, metric);
  }
  const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
  return openGraphProber(storeToRead(store), name, metric);
}

export async function runExport(asked: string, flags: ExportFlags): Promise<void> {
  const { metric, out } = flags;
  const format = formatOf(GRAPH_FORMATS, out, flags.format, 'jsonl');
  const game = await needKeyedGame(asked);
  const name = game?.name ?? asked;
  if (out === '-' && format !== 'jsonl') throw new UserError(`--format ${format} needs --out FILE`);
  const { createOutput } = await import('../export/output-file.js');
  const { writeGraph } = await import('../export/graph.js');
  const budget = budgetOf(flags.memory);
  const parent = scratchParent(flags.store, undefined);
  const scratch = claimScratch(parent);
  try {
    const sink = out === '-' ? null : await createOutput(out, flags.force === true);
    const store = storeToRead(flags.store);
    const rows = await writeGraph({
      store,
      name,
      metric,
      format,
      sink,
      budget,
      scratchFolder: scratch.folder,
      game,
    });
    if (sink === null) return;
    if (flags.json) await printJson({ graph: name, metric, format, out, rows });
    else await print(`${out}: ${count(rows, 'row')}\n`);
  } finally {
    scratch.release();
  }
}
