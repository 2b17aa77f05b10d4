/**
 * Keyed games and graphs in JSON, which are both solved as graphs. Commands for games of all kinds get the path of the module of a
 * keyed game, or that of the file of a graph.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import { readGraphManifest } from '../../pipeline/graph/manifest.js';
import { tableManifestName } from '../../pipeline/table/table-names.js';
import type { Loaded } from '../game-module/same-rules.js';
import { graphOfFile } from '../graph/graph-of-file.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { type MetricOptions, metricOf } from '../options.js';
import { storeToRead } from '../stores.js';
import { findKeyedGame, needKeyedGame } from '../user-game.js';

export interface AskedGraph {
  /** Its name in the store. */
  readonly name: string;
  /** When it is solved, the file of a graph need not be there any longer. */
  readonly path: string;
  /** Null: a graph in JSON. */
  readonly game: KeyedRules | null;
}

export interface AskedKeyed extends AskedGraph {
  readonly game: KeyedRules;
}

/** Options of commands that look positions up, in the store or in published files. */
export type NodeFlags = MetricOptions & { readonly published?: string };

/**
 * The keyed game or graph at a path, as it is solved in the store or, if they are asked for, in published files; null if it is the path of
 * neither.
 * @throws UserError for a module that has no game, a file that is not solved, and what was changed since it was solved.
 */
export async function findGraph(
  asked: string,
  { store: uri, published }: Pick<NodeFlags, 'store' | 'published'>,
): Promise<AskedGraph | null> {
  const game = await findKeyedGame(asked);
  if (game !== null) {
    // The prober of published files compares what they keep of the rules.
    if (published === undefined) await requireSameInStore({ game, path: asked }, storeToRead(uri));
    return { name: game.name, path: asked, game };
  }
  if (!isGraphFile(asked)) return null;
  if (published !== undefined) return { name: nameOfFile(asked), path: asked, game: null };
  return { name: await graphOfFile(asked, storeToRead(uri)), path: asked, game: null };
}

/** The same of something to be solved. Files that end in ".json" may also be job files: their first field says so. */
export async function findGraphToSolve(asked: string): Promise<Omit<AskedGraph, 'name'> | null> {
  if (/\.json$/i.test(asked) && !GRAPH_FIELDS.test(headOf(asked))) return null;
  const game = await findKeyedGame(asked);
  return game !== null || isGraphFile(asked) ? { path: asked, game } : null;
}

/** The graph of a name in the store, or the keyed game whose module `asked` is. @throws UserError as {@link findGraph}. */
export async function storedGraph(asked: string, { store }: Pick<NodeFlags, 'store'>): Promise<AskedGraph> {
  const game = await needKeyedGame(asked);
  if (game === null) return { name: asked, path: asked, game };
  await requireSameInStore({ game, path: asked }, storeToRead(store));
  return { name: game.name, path: asked, game };
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
const GRAPH_FIELDS = /^\s*\{\s*"(?:\$schema|players|stuck|nodes|edges|id|owner|winner|from|to)"\s*:/;
const HEAD_BYTES = 4096;

/** The beginning of a file; empty if it cannot be read, which whoever reads all of it says. */
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

/** The metric that is asked for, or the first. Graphs in JSON have no scores. */
export function graphMetric({ path, game }: Omit<AskedGraph, 'name'>, metric: string | undefined): Metric {
  return metricOf(
    { name: game?.name ?? nameOfFile(path), metrics: game === null ? ['dtw', 'wdl'] : metricsOf(game) },
    metric,
  );
}

/** As `graphMetric`. @throws UserError, with the command that solves it, if a keyed game is not solved for it. */
export async function solvedMetric(
  asked: AskedGraph,
  { store: uri, metric: named }: MetricOptions,
): Promise<Metric> {
  const metric = graphMetric(asked, named);
  if (asked.game === null) return metric;
  const store = storeToRead(uri);
  if ((await store.size(tableManifestName(GRAPH, metric, asked.name))) !== null) return metric;
  throw new UserError(
    `${asked.name} is not solved for ${metric} in ${store.uri}: run "mergemate solve ${asked.path} --metric ${metric}" first`,
  );
}

/** Says no to what graphs do not have. @throws UserError for endings, and for flags that were given. */
export function refuse(
  { path, game }: Omit<AskedGraph, 'name'>,
  endings: readonly string[],
  flags: object,
): void {
  const name = game?.name ?? nameOfFile(path);
  const kind = game === null ? 'graph' : 'keyed game';
  if (endings.length > 0)
    throw new UserError(`${name} is a ${kind}, which has no endings: it is solved as a whole`);
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined || value === false) continue;
    const called = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UserError(`--${called} is not for ${kind}s, and ${name} is one`);
  }
}
