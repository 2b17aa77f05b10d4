/** Solves a graph: import, then the phases that every slice has. Both go on where an earlier call was interrupted. */

import type { Budget } from '../../operators/core/budget.js';
import { newCounters } from '../../operators/core/counters.js';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { Overtaken } from '../engine/crew/crew.js';
import { type Meter, solveOne } from '../engine/crew/do-slice.js';
import { type Engine, inlineEngine } from '../engine/crew/engine.js';
import type { Solvable } from '../engine/crew/slice-phases.js';
import type { ProgressListener, SliceSummary } from '../game/progress.js';
import { stipulations } from '../game/stipulation.js';
import type { Metric } from '../game/value.js';
import { MOST_PLIES } from '../tables/writer.js';
import { requireGraphName } from './graph-game.js';
import { graphPrefix } from './graph-layout.js';
import { solvableGraph } from './graph-phases.js';
import { importGraph } from './import.js';
import type { ImportOptions } from './import-options.js';
import { type GraphManifest, graphManifestName } from './manifest.js';
import { fitsMemory, isForOne } from './solve-held.js';
import type { GraphSource, Layer } from './source.js';
import { TooLarge } from './too-large.js';

/** The graph that is solved, and the means. */
export interface SolveGraphOptions
  extends Pick<
    ImportOptions,
    'crews' | 'commitRows' | 'atMost' | 'inMemory' | 'turn' | 'large' | 'origin' | 'rules' | 'found'
  > {
  readonly source: GraphSource;
  /** Its name in the store: letters, digits, - and _. */
  readonly name: string;
  /** Says whether the source is the one of an earlier call, which is then continued: a digest of the file, say. */
  readonly fingerprint: string;
  /** `dtw`, plies to the end of won plays, or `wdl`. */
  readonly metric: Metric;
  readonly verify: boolean;
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  readonly progress: ProgressListener;
  readonly meter: Meter;
  /** Makes the engine that solves the graph once it is imported, and is closed then; without it this thread does all. */
  readonly engine?: (game: Solvable) => Engine;
}

/** A graph that is solved. */
export interface SolvedGraph {
  readonly graph: GraphManifest;
  readonly summary: SliceSummary;
  /** Keyed games only: how the positions were reached, if this call did it. */
  readonly reached?: Reached | null;
}

/** How the positions of a keyed game were found. */
export interface Reached {
  /** All, also those that an interrupted call found. */
  readonly layers: readonly Layer[];
}

/**
 * A player who can force the play to a node where that player wins, wins. A player who can neither force that nor be forced,
 * draws, if need be by walking in circles. These are the attractors of both players (Zermelo; Lipton & Regan 2010 for the
 * sorting). Distances are those of the fastest win against the longest defence, in edges.
 * @throws UserError for what is wrong with the source, StorageError, DamageError as any solve.
 */
export async function solveGraph(options: SolveGraphOptions): Promise<SolvedGraph> {
  const { name, store, scratch, progress } = options;
  requireGraphName(name);
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  const graph = await imported(options);
  await requireScores(graph, options.metric, options.source);
  const game = solvableGraph(graph);
  const { memory } = options.budget;
  if (options.inMemory === 'only' && !fitsMemory(graph, memory)) throw new TooLarge();
  // One worker might be this thread as well.
  const make = isForOne(graph, memory) ? undefined : options.engine;
  const engine = make?.(game) ?? inlineEngine(game, store, scratch);
  const work = { ...options, game, slice: name, strategy: 'count', engine } as const;
  const summary = await solveOne(work).finally(() => engine.close());
  progress({ type: 'finished', slice: name });
  return { graph, summary };
}

/** Throws UserError if a graph has no values by scores, but is to be solved for them. */
export async function requireScores(
  { name, scores, unscored }: GraphManifest,
  metric: Metric,
  source: GraphSource,
): Promise<void> {
  if (!stipulations[metric].scores || scores !== undefined) return;
  if (unscored === undefined) throw new UserError(`${name} has no scores: solve it for dtw or wdl`);
  throw new UserError(
    `${source.name}: ${await source.whereNode(unscored)}: the game is lost there but has no score: give all ends a score, or solve for dtw or wdl`,
  );
}

/**
 * A warning about the layer of a game from which on its wins may take more plies than a table holds; null for all others. Whether they do is
 * known when the rounds come to such a ply, which is after all positions are found.
 */
export function warningOfPlies({ moves }: Pick<Layer, 'moves'>, metric: Metric): string | null {
  if (moves !== MOST_PLIES + 1 || !stipulations[metric].plies) return null;
  return `games of more than ${MOST_PLIES} moves: if wins take so many plies, the solve will stop in the rounds; --metric wdl has no such limit`;
}

/** Imports the graph, and reports it unless it was done before. */
async function imported(options: SolveGraphOptions): Promise<GraphManifest> {
  const { name, store, progress } = options;
  const found = (await store.size(graphManifestName(name))) !== null;
  const report = (done: number) => progress({ type: 'work', slice: name, done });
  const phase = (phase: string, total: number | null) =>
    progress({ type: 'phase', slice: name, phase, total });
  const graph = await importGraph({ ...options, report, phase }).catch((error) => {
    if (!(error instanceof Overtaken)) throw error;
    throw new StorageError(graphPrefix(name), 'another process imports the same graph');
  });
  if (!found) progress({ type: 'counted', slice: name, counters: { ...newCounters(), ...graph.counters } });
  return graph;
}
