/** `mergemate publish` of graphs: their nodes, edges and values, and where each name is; and the page that reads them. */
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { publishGraph } from '../../pipeline/publish/graph/publish-graph.js';
import { Defaults } from '../bounds.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { sayWhenInterrupted } from '../exit.js';
import { print, printJson } from '../output.js';
import type { PublishFlags } from '../publication.js';
import { parseMemory } from '../sizes.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { bytes, count } from '../ui/numbers.js';
import { type AskedGraph, graphMetric, requireNoneOfGraph } from './asked-graph.js';
import { budgetOf } from './graph-options.js';
import { pageFolder, writePage } from './page-beside.js';

export async function publishGraphFile(
  asked: AskedGraph,
  names: readonly string[],
  { to, verify, page, codec, pieces, oneSide, verifyBy, ...flags }: PublishFlags,
): Promise<void> {
  requireNoneOfGraph(asked, names, { codec, pieces, oneSide, verifyBy });
  const { name } = asked;
  const metric = graphMetric(asked, flags.metric);
  const folder = page === true ? pageFolder(to) : null;
  const claimed = claimScratch(scratchParent(flags.store, undefined));
  sayWhenInterrupted(`nothing was published: the same command begins again`);
  try {
    const {
      header,
      names: files,
      ...made
    } = await publishGraph({
      ...{ store: storeToRead(flags.store), name, metric, to: openStore(to), verify },
      scratch: newScratch(localStore(claimed.folder, { durable: false }), 'publish'),
      budget: budgetOf(parseMemory(Defaults.memory, 'default')),
    });
    const settings = JSON.stringify({ metric, graph: name });
    if (folder !== null)
      writePage(folder, `globalThis.mergemateGame = { settings: ${settings}, main: '', modules: {} };\n`);
    const { nodes, edges, values } = header;
    if (flags.json) {
      const found = { nodes, edges, values: values.length, bytes: made.bytes, verified: made.verified };
      return printJson({ graph: name, metric, published: to, files, ...found, page: folder });
    }
    const each = ((8 * made.bytes) / nodes).toFixed(1);
    await print(
      `${to}/${files[0]} and ${files[1]}: ${count(nodes, 'node')}, ${count(edges, 'edge')}, ${count(values.length, 'value')}, ${bytes(made.bytes)}, ${each} bits a node\n` +
        (made.verified ? 'all names are found, and the files are read as they were written\n' : '') +
        (folder === null ? '' : `${to}/index.html shows the graph, from any web server\n`),
    );
  } finally {
    claimed.release();
  }
}
