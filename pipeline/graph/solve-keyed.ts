/** Solves a keyed game: what can be reached is its graph, and is solved as any other. */
import { newCounters } from '../../operators/core/counters.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { DEFAULT_BUDGET, NO_METER } from '../engine/crew/solve.js';
import { samplerOf } from '../games/yours/examiner/sample-rules.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { metricsOf } from './keyed-value.js';
import { reachableGraph } from './reachable.js';
import {
  type Reached,
  type SolvedGraph,
  type SolveGraphOptions,
  solveGraph,
  warningOfPlies,
} from './solve-graph.js';
import type { Layer } from './source.js';

/**
 * All else follows from `game` and `store`, unless given. `game` has its name and fingerprint, and `score` is the
 * metric if it has scores, else `dtw`. Tables are verified. The budget is {@link DEFAULT_BUDGET}, and scratch is in
 * memory, which is of use for small games only.
 */
export interface SolveKeyedOptions<Position>
  extends Partial<Omit<SolveGraphOptions, 'source' | 'store' | 'origin' | 'rules' | 'found'>> {
  readonly game: KeyedRules<Position>;
  readonly store: Store;
}

/** A keyed game that is solved. */
export interface SolvedKeyed extends SolvedGraph {
  /** Null if an earlier call reached the positions. */
  readonly reached: Reached | null;
}

/**
 * Finds all positions of a keyed game from its roots, and solves them as a graph.
 *
 * @throws UserError for what is wrong with the game; as solveGraph else.
 */
export async function solveKeyed<Position>(options: SolveKeyedOptions<Position>): Promise<SolvedKeyed> {
  const { game, name = game.name } = options;
  const all = {
    fingerprint: game.name,
    metric: metricsOf(game)[0],
    verify: true,
    scratch: options.scratch ?? newScratch(memoryStore(), `scratch-${name}`),
    budget: DEFAULT_BUDGET,
    progress: () => {},
    meter: NO_METER,
    ...options,
  };
  const layers: Layer[] = [];
  const found = (layer: Layer): void => {
    layers.push(layer);
    all.progress({ type: 'phase', slice: name, phase: `layer ${layer.moves}`, total: layer.positions });
    const what = warningOfPlies(layer, all.metric);
    if (what !== null) all.progress({ type: 'trouble', slice: name, what });
  };
  const { budget, scratch } = all;
  const solved = await solveGraph({
    ...all,
    name,
    source: reachableGraph(game, { budget, scratch, counters: newCounters() }),
    found,
    rules: () => samplerOf(game).full(),
  });
  return { ...solved, reached: layers.length === 0 ? null : { layers } };
}
