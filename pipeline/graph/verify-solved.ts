/** Verifies a graph that was solved before, from what was imported of it. */
import { type VerifyOptions, verifySlice } from '../engine/crew/verify-slice.js';
import type { DerivedPart } from '../game/step-manifests.js';
import { byEngine, type EngineOptions } from './by-engine.js';
import { needSolvedGraph } from './solved-graph.js';

export interface VerifySolvedOptions extends EngineOptions, Pick<VerifyOptions, 'metric' | 'progress'> {
  readonly name: string;
}

/**
 * Derives every value again by the edges (verify-graph.ts), whatever is found. Nothing is written into the store.
 * @throws UserError if there is no such graph, or it is not solved for the metric; StorageError, DamageError.
 */
export async function verifySolved(options: VerifySolvedOptions): Promise<DerivedPart> {
  const { name, metric, store, progress } = options;
  const { graph } = await needSolvedGraph(store, name, metric);
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  const verified = await byEngine(graph, options, (by) => verifySlice({ ...options, ...by, slice: name }));
  progress({ type: 'finished', slice: name });
  return verified;
}
