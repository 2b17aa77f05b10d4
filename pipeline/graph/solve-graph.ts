/** Solves a graph: import, then the phases that every slice has. Both go on where an earlier call was interrupted. */

import { newCounters } from '../../operators/core/counters.js';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { Overtaken } from '../engine/crew/crew.js';
import { type Meter, solveOne } from '../engine/crew/do-slice.js';
import type { ProgressListener, SliceSummary } from '../game/progress.js';
import { stipulations } from '../game/stipulation.js';
import type { Metric } from '../game/value.js';
import { MOST_PLIES } from '../tables/writer.js';
import { byEngine, type EngineOptions } from './by-engine.js';
import { requireGraphName } from './graph-game.js';
import { graphPrefix } from './graph-layout.js';
import { importGraph } from './import.js';
import type { ImportOptions } from './import-options.js';
import { type GraphManifest, graphManifestName } from './manifest.js';
import { fitsMemory } from './solve-held.js';
import type { GraphSource, Layer } from './source.js';
import { TooLarge } from './too-large.js';

/** The graph that is solved, and the means. */
export interface SolveGraphOptions extends EngineOptions, Omit<ImportOptions, 'report' | 'phase'> {
  /** `dtw`, plies to the end of won plays, or `wdl`. */
  readonly metric: Metric;
  readonly verify: boolean;
  readonly progress: ProgressListener;
  readonly meter: Meter;
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
  const { name, progress } = options;
  requireGraphName(name);
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  const graph = await imported(options);
  await requireScores(graph, options.metric, options.source);
  if (options.inMemory === 'only' && !fitsMemory(graph, options.budget.memory)) throw new TooLarge();
  const summary = await byEngine(graph, options, (by) =>
    solveOne({ ...options, ...by, slice: name, strategy: 'count' }),
  );
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
