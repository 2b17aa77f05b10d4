/**
 * Keyed games and graphs in JSON, which are both solved as graphs. Commands for games of all kinds get the path of the module of a
 * keyed game, or that of the file of a graph.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { GRAPH, graphs, isGraphName } from '../../pipeline/graph/graph-game.js';
import { graphPrefix } from '../../pipeline/graph/graph-layout.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import { readGraphManifest } from '../../pipeline/graph/manifest.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { type MetricOptions, metricOf } from '../cli/options.js';
import { flagOf } from '../cli/settings.js';
import { whatIs } from '../cli/what-is.js';
import type { Loaded } from '../game-module/same-rules.js';
import { graphOfFile } from '../graph/graph-of-file.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { isStream, nameOfStream } from '../graph/stream.js';
import { gameNames } from '../registry.js';
import { openStore, storeToRead } from '../stores.js';
import { findKeyedGame } from '../user-game.js';

export interface AskedGraph {
  /** As messages call it; what it is called in the store, {@link solvedGraph} finds out. */
  readonly name: string;
  /** Of the module or file; of a graph that was asked for by its name, the name. */
  readonly path: string;
  /** Null: a graph in JSON. */
  readonly game: KeyedRules | null;
  /** A graph that was asked for by its name in the store is not compared with any file. */
  readonly by: 'module' | 'file' | 'name' | 'stream';
  /** Of a stream: where its copy is, which is read in its place. */
  readonly copy?: string;
}

export interface AskedKeyed extends AskedGraph {
  readonly game: KeyedRules;
}

/** Options of commands that look positions up, in the store or in published files. */
export type NodeFlags = MetricOptions & { readonly published?: string };

/**
 * The keyed game or graph at a path, or the graph of a name in a store or publication; null for anything else. Throws UserError for a module
 * that has no game.
 */
export async function findGraph(
  asked: string,
  store?: string,
  published?: string,
): Promise<AskedGraph | null> {
  const game = await findKeyedGame(asked);
  if (game !== null) return keyedAt(game, asked);
  if (isGraphFile(asked)) return { name: nameOfFile(asked), path: asked, game, by: 'file' };
  if (store === undefined || gameNames.includes(asked) || !isGraphName(asked)) return null;
  const isThere =
    published === undefined
      ? // A graph whose import was interrupted is refused with that reason.
        (await openStore(store).list(`${graphPrefix(asked)}/`)).length > 0
      : await isPublished(asked, published);
  return isThere ? { name: asked, path: asked, game, by: 'name' } : null;
}

async function isPublished(name: string, uri: string): Promise<boolean> {
  const { nodesFileName } = await import('../../pipeline/share/publish/graph/format.js');
  const store = storeToRead(uri);
  const sizes = await Promise.all(graphs.metrics.map((metric) => store.size(nodesFileName(name, metric))));
  return sizes.some((size) => size !== null);
}

/** The same for `solve`, where a file that ends in ".json" may also be a job file; its first field decides. */
export async function findGraphToSolve(asked: string): Promise<AskedGraph | null> {
  if (isStream(asked)) return { name: nameOfStream(asked), path: asked, game: null, by: 'stream' };
  const isFile = whatIs(asked)?.isFile() !== false;
  return isFile && /\.json$/i.test(asked) && !GRAPH_FIELDS.test(headOf(asked)) ? null : findGraph(asked);
}

export function keyedAt(game: KeyedRules, path: string): AskedKeyed {
  return { name: game.name, path, game, by: 'module' };
}

/** Whether text in the place of a game is the path of a graph. */
export function isGraphFile(path: string): boolean {
  return /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i.test(path);
}

/** Throws UserError if a keyed game is solved in the store by other rules than its module has now. */
export async function requireSameInStore(loaded: Loaded<KeyedRules>, store: Store): Promise<void> {
  const found = await readGraphManifest(store, loaded.game.name);
  if (found === null) return;
  const { requireSameKeyed } = await import('../game-module/same-rules.js');
  requireSameKeyed(loaded, found, store);
}

/** The beginning of a graph in JSON: a field of a graph, a node or an edge. */
const GRAPH_FIELDS =
  /^\s*\{\s*"(?:\$schema|players|stuck|roots|nodes|edges|id|owner|winner|score|plies|from|to)"\s*:/;
const HEAD_BYTES = 4096;

/** The beginning of a file; empty if it cannot be read, which the reader of the whole file reports. */
function headOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString('utf8', 0, readSync(file, bytes)).replace(/^\uFEFF/, '');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The metric that is asked for, or the first. Whether a graph in JSON has scores is known when it is read. */
export function graphMetric({ name, game }: AskedGraph, metric: string | undefined): Metric {
  return metricOf({ name, metrics: game === null ? graphs.metrics : metricsOf(game) }, metric);
}

/** The metric of a graph in JSON that is looked up without one: `score` if it is solved for that, as in games with scores. */
async function metricInStore(graph: AskedGraph, store: Store, named: string | undefined): Promise<Metric> {
  const first = graphMetric(graph, named);
  if (named !== undefined) return first;
  return (await store.size(tableManifestName(GRAPH, 'score', graph.name))) === null ? first : 'score';
}

/**
 * A graph or keyed game as the store has it: the name there, and the metric, as `graphMetric`.
 * @throws UserError, with the command that solves it, if a game or file is not solved, or was changed since.
 */
export async function solvedGraph<Asked extends AskedGraph>(
  asked: Asked,
  { store: uri, metric: named }: MetricOptions,
): Promise<{ graph: Asked; metric: Metric }> {
  const metric = graphMetric(asked, named);
  const { game, path } = asked;
  const store = storeToRead(uri);
  if (game === null) {
    const graph = asked.by === 'name' ? asked : { ...asked, name: await graphOfFile(path, store) };
    return { graph, metric: await metricInStore(graph, store, named) };
  }
  await requireSameInStore({ game, path }, store);
  if ((await store.size(tableManifestName(GRAPH, metric, game.name))) !== null)
    return { graph: asked, metric };
  throw new UserError(
    `${game.name} is not solved for ${metric} in ${store.uri}: run "mergemate solve ${path} --metric ${metric}" first`,
  );
}

/** Says no to what graphs do not have. @throws UserError for endings, and for flags that were given. */
export function refuse({ name, game }: AskedGraph, endings: readonly string[], flags: object): void {
  const kind = game === null ? 'graph' : 'keyed game';
  if (endings.length > 0)
    throw new UserError(`${name} is a ${kind}, which has no endings: it is solved as a whole`);
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined || value === false) continue;
    throw new UserError(`${flagOf(flag)} is not for ${kind}s, and ${name} is one`);
  }
}
