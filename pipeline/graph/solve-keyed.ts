/** Solves a keyed game: what can be reached is its graph, and is solved as any other. */
import { share } from '../../operators/core/budget.js';
import { type Counters, newCounters } from '../../operators/core/counters.js';
import type { KeyedRules } from '../games/keyed/keyed-game.js';
import type { ProgressListener } from '../progress.js';
import { type Layer, reachableGraph } from './reachable.js';
import { type Reached, type SolvedGraph, type SolveGraphOptions, solveGraph } from './solve-graph.js';

export interface SolveKeyedOptions<Position> extends Omit<SolveGraphOptions, 'source' | 'name'> {
  readonly game: KeyedRules<Position>;
  /** What it is called in the store; else as the game is. */
  readonly name?: string;
}

export interface SolvedKeyed extends SolvedGraph {
  /** Null if an earlier call reached the positions. */
  readonly reached: Reached | null;
}

/** Of the memory: an import that reads a source has no use for more than half. */
const REACHING = 0.4;

/** @throws UserError for what is wrong with the game; as solveGraph else. */
export async function solveKeyed<Position>(options: SolveKeyedOptions<Position>): Promise<SolvedKeyed> {
  const { game, budget, scratch, progress, name = options.game.name } = options;
  const counters = newCounters();
  const layers: Layer[] = [];
  let told = newCounters();
  /** Before each phase, what was counted until then. */
  const listen: ProgressListener = (event) => {
    if (event.type === 'phase') {
      const since = newCounters();
      for (const what of Object.keys(since) as (keyof Counters)[]) since[what] = counters[what] - told[what];
      told = { ...counters };
      progress({ type: 'counted', slice: name, counters: since });
    }
    progress(event);
  };
  const source = reachableGraph(game, { budget: share(budget, REACHING), scratch, counters }, (layer) => {
    layers.push(layer);
    listen({ type: 'phase', slice: name, phase: `layer ${layer.moves}`, total: layer.positions });
  });
  const solved = await solveGraph({ ...options, name, source, progress: listen });
  return { ...solved, reached: layers.length === 0 ? null : { layers, counters } };
}
