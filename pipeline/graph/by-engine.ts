/** The workers that solve or verify a graph. */
import type { Budget } from '../../operators/core/budget.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type Engine, inlineEngine } from '../engine/crew/engine.js';
import type { Solvable } from '../engine/crew/slice-phases.js';
import { solvableGraph } from './graph-phases.js';
import type { GraphManifest } from './manifest.js';
import { isForOne } from './solve-held.js';

export interface EngineOptions {
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** Makes the engine that works on the graph, which is closed then; without it this thread does all. */
  readonly engine?: (game: Solvable) => Engine;
}

/** Has a graph worked on by the workers that `engine` gives, or by this thread where one is enough. */
export async function byEngine<Result>(
  graph: GraphManifest,
  { engine, store, scratch, budget }: EngineOptions,
  work: (by: { readonly game: Solvable; readonly engine: Engine }) => Promise<Result>,
): Promise<Result> {
  const game = solvableGraph(graph);
  // One worker might be this thread as well.
  const opened =
    (isForOne(graph, budget.memory) ? undefined : engine?.(game)) ?? inlineEngine(game, store, scratch);
  return work({ game, engine: opened }).finally(() => opened.close());
}
