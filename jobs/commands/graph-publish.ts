/**
 * `mergemate publish` of keyed games and graphs, with the page that reads them. A game is one file from keys to values. A graph is two:
 * its nodes, edges and values, and where each name is.
 */

import { UserError } from '../../operators/core/errors.js';
import { readGraphManifest } from '../../pipeline/graph/manifest.js';
import type { PublishGraphOptions } from '../../pipeline/share/publish/keyed/publish-options.js';
import { Defaults } from '../cli/bounds.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { GAME_PAGE } from '../cli/files.js';
import { print, printJson } from '../cli/output.js';
import { parseMemory } from '../cli/quantities.js';
import { budgetOf } from '../cli/settings.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import type { PublishFlags } from '../run/publication.js';
import { type AskedGraph, refuse, solvedGraph } from '../solved/asked-graph.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { bytes, count } from '../ui/numbers.js';
import { pageFolder, writePage } from './page-beside.js';
import type { SiteFlags } from './publish-site.js';

type GraphFlags = PublishFlags & Pick<SiteFlags, 'published' | 'syzygy' | 'tables'>;

/** A publication as it is printed. */
interface Published {
  readonly files: object;
  readonly found: { readonly values: number; readonly bytes: number; readonly verified: boolean };
  readonly text: string;
}

export async function publishAsked(
  asked: AskedGraph,
  names: readonly string[],
  { to, verify, codec, pieces, oneSide, verifyBy, published, syzygy, tables, ...flags }: GraphFlags,
  page: boolean,
): Promise<void> {
  refuse(asked, names, { codec, pieces, oneSide, verifyBy, published, syzygy, tables });
  const { graph, metric } = await solvedGraph(asked, flags);
  const { name, game } = graph;
  const folder = page ? pageFolder(to, GAME_PAGE) : null;
  const script = folder === null ? '' : await scriptOf(graph, { metric });
  const claimed = claimScratch(scratchParent(flags.store, undefined));
  sayWhenInterrupted(`nothing was published: the same command begins again`);
  try {
    const publish = game === null ? nodesPublished : positionsPublished;
    const { files, found, text } = await publish({
      store: storeToRead(flags.store),
      name,
      metric,
      to: openStore(to),
      verify,
      scratch: scratchIn(claimed.folder, 'publish'),
      budget: budgetOf(parseMemory(Defaults.memory, 'default')),
    });
    if (folder !== null) writePage(folder, script);
    const kind = game === null ? 'graph' : 'game';
    if (flags.json)
      return printJson({ [kind]: name, metric, published: to, ...files, ...found, page: folder });
    const shown = folder === null ? '' : `${to}/index.html shows the ${kind}, from any web server\n`;
    await print(`${to}/${text}${shown}`);
  } finally {
    claimed.release();
  }
}

/** The script that says what the page is to show (jobs/web/game/load-game.ts). */
async function scriptOf(
  { name, path, game }: AskedGraph,
  settings: { readonly metric: string },
): Promise<string> {
  if (game !== null) return (await import('../game-module/page-script.js')).pageScript(path, settings);
  const shown = JSON.stringify({ ...settings, graph: name });
  return `globalThis.mergemateGame = { settings: ${shown}, main: '', modules: {} };\n`;
}

const eachOf = (all: number, pieces: number) => ((8 * all) / pieces).toFixed(1);

async function nodesPublished(options: PublishGraphOptions): Promise<Published> {
  const { store, name } = options;
  if ((await readGraphManifest(store, name))?.rules !== undefined)
    throw new UserError(
      `${name} is a keyed game: name its module to publish it, as in "mergemate publish ./${name}.ts"`,
    );
  const { publishGraph } = await import('../../pipeline/share/publish/graph/publish-graph.js');
  const { header, names: files, ...made } = await publishGraph(options);
  const { nodes, edges, values } = header;
  const found = { nodes, edges, values: values.length, bytes: made.bytes, verified: made.verified };
  const text =
    `${files[0]} and ${files[1]}: ${count(nodes, 'node')}, ${count(edges, 'edge')}, ${count(values.length, 'value')}, ${bytes(made.bytes)}, ${eachOf(made.bytes, nodes)} bits a node\n` +
    (made.verified ? 'all names are found, and the files are read as they were written\n' : '');
  return { files: { files }, found, text };
}

async function positionsPublished(options: PublishGraphOptions): Promise<Published> {
  const { publishKeyed } = await import('../../pipeline/share/publish/keyed/publish-keyed.js');
  const { header, name: file, ...made } = await publishKeyed(options);
  const { positions, values } = header;
  const found = { positions, values: values.length, bytes: made.bytes, verified: made.verified };
  const text =
    `${file}: ${count(positions, 'position')}, ${count(values.length, 'value')}, ${bytes(made.bytes)}, ${eachOf(made.bytes, positions)} bits a position\n` +
    (made.verified ? 'all keys give their values, and the file is read as it was written\n' : '');
  return { files: { file }, found, text };
}
