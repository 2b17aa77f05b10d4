/** Solves a graph: import, then the phases that every slice has. */
import type { Budget } from '../../operators/core/budget.js';
import { type Counters, newCounters } from '../../operators/core/counters.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { ProgressListener } from '../progress.js';
import { type Meter, type SliceSummary, solveOne } from '../solve-one.js';
import { inlineEngine } from '../solvers/external/engine.js';
import type { Metric } from '../value.js';
import { graphGame } from './graph-game.js';
import { graphPhases } from './graph-phases.js';
import { importGraph } from './import.js';
import type { GraphManifest } from './manifest.js';
import type { Layer } from './reachable.js';
import type { GraphSource } from './source.js';

/** What is solved, and with what. */
export interface SolveGraphOptions {
  readonly source: GraphSource;
  /** What it is called in the store: letters, digits and dashes. */
  readonly name: string;
  /** Tells whether the source is the one of an earlier call, which is then continued: a digest of the file, say. */
  readonly fingerprint: string;
  /** `dtw`, plies to the end of won plays, or `wdl`. */
  readonly metric: Metric;
  readonly verify: boolean;
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  readonly progress: ProgressListener;
  readonly meter: Meter;
}

/** A graph that is solved. */
export interface SolvedGraph {
  readonly graph: GraphManifest;
  readonly summary: SliceSummary;
  /** Of the positions of a keyed game: how they were reached, if this call did it. */
  readonly reached?: Reached | null;
}

/** How the positions of a keyed game were found. */
export interface Reached {
  readonly layers: readonly Layer[];
  readonly counters: Counters;
}

/**
 * Whoever can force the play to a node where they win, wins; who can neither force that nor be forced, draws, if need be by
 * walking in circles: the attractors of both players (Zermelo; Lipton & Regan 2010 for the sorting). Distances are those of
 * the fastest win against the longest defence, in edges.
 * @throws UserError for what is wrong with the source, StorageError, DamageError as any solve.
 */
export async function solveGraph(options: SolveGraphOptions): Promise<SolvedGraph> {
  const { name, store, scratch, progress } = options;
  progress({ type: 'phase', slice: name, phase: 'import', total: null });
  const report = (done: number) => progress({ type: 'work', slice: name, done });
  const graph = await importGraph({ ...options, report });
  const game = graphGame(graph);
  const engine = inlineEngine(game, store, scratch, graphPhases(graph));
  const summary = await solveOne({ ...options, game, slice: name, strategy: 'count', engine });
  return { graph, summary };
}

/** All that was counted: of the import and of solving, and of reaching what was imported. */
export function countersOf({ graph, summary, reached }: SolvedGraph) {
  const sum: Record<string, number> = { ...newCounters() };
  for (const counters of [graph.counters, summary.table.counters, reached?.counters ?? {}])
    for (const [name, value] of Object.entries(counters)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}
