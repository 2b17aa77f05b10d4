/** Verifies a graph that was solved before, from what was imported of it. */
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type Engine, inlineEngine } from '../engine/crew/engine.js';
import type { Solvable } from '../engine/crew/slice-phases.js';
import { type VerifyOptions, verifySlice } from '../engine/crew/verify-slice.js';
import type { DerivedPart } from '../game/step-manifests.js';
import { solvableGraph } from './graph-phases.js';
import { isForOne } from './solve-held.js';
import { needSolvedGraph } from './solved-graph.js';

export interface VerifySolvedOptions extends Pick<VerifyOptions, 'metric' | 'budget' | 'progress'> {
  readonly name: string;
  readonly store: Store;
  readonly scratch: Scratch;
  /** As that of `solveGraph`. */
  readonly engine?: (game: Solvable) => Engine;
}

/**
 * Derives every value again by the edges (verify-graph.ts), whatever is found. Nothing is written into the store.
 * @throws UserError if there is no such graph, or it is not solved for the metric; StorageError, DamageError.
 */
export async function verifySolved(options: VerifySolvedOptions): Promise<DerivedPart> {
  const { name, metric, store, scratch, progress } = options;
  const { graph } = await needSolvedGraph(store, name, metric);
  const game = solvableGraph(graph);
  const make = isForOne(graph, options.budget.memory) ? undefined : options.engine;
  const engine = make?.(game) ?? inlineEngine(game, store, scratch);
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  const work = verifySlice({ ...options, slice: name, game, engine });
  const verified = await work.finally(() => engine.close());
  progress({ type: 'finished', slice: name });
  return verified;
}
