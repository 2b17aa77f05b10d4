/** Solves a keyed game: what can be reached is its graph, and is solved as any other. */
import { type Budget, share } from '../../operators/core/budget.js';
import { type Counters, newCounters } from '../../operators/core/counters.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { DEFAULT_BUDGET, NO_METER } from '../engine/solve.js';
import type { ProgressListener } from '../game/progress.js';
import type { KeyedRules } from '../games/keyed/keyed-rules.js';
import { samplerOfKeyed } from '../games/sample-rules.js';
import { metricsOf } from './keyed-value.js';
import { type Layer, reachableGraph } from './reachable.js';
import type { Readers } from './read-share.js';
import { type Reached, type SolvedGraph, type SolveGraphOptions, solveGraph } from './solve-graph.js';

/**
 * All else follows from `game` and `store`, unless given. `game` has its name and fingerprint, and `score` is the
 * metric if it has scores, else `dtw`. Tables are verified. The budget is {@link DEFAULT_BUDGET}, and scratch is in
 * memory, which is of use for small games only.
 */
export interface SolveKeyedOptions<Position>
  extends Partial<Omit<SolveGraphOptions, 'source' | 'store' | 'readers' | 'origin' | 'rules'>> {
  readonly game: KeyedRules<Position>;
  readonly store: Store;
  /** Who find positions together with this thread: what the others count is added to `reached`. Without them this thread does all. */
  readonly finders?: (reached: Counters) => Readers;
}

/** A keyed game that is solved. */
export interface SolvedKeyed extends SolvedGraph {
  /** Null if an earlier call reached the positions. */
  readonly reached: Reached | null;
}

/** Share of the memory: an import that reads a source has no use for more than half. */
const REACHING = 0.4;

/** The part of a budget for finding the positions. */
export function budgetToReach(budget: Budget): Budget {
  return share(budget, REACHING);
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
  const { budget, scratch, progress } = all;
  const counters = newCounters();
  const layers: Layer[] = [];
  let reported = newCounters();
  /** Before each phase, what was counted until then. */
  const listen: ProgressListener = (event) => {
    if (event.type === 'phase') {
      const since = newCounters();
      for (const what of Object.keys(since) as (keyof Counters)[])
        since[what] = counters[what] - reported[what];
      reported = { ...counters };
      progress({ type: 'counted', slice: name, counters: since });
    }
    progress(event);
  };
  const found = (layer: Layer): void => {
    layers.push(layer);
    listen({ type: 'phase', slice: name, phase: `layer ${layer.moves}`, total: layer.positions });
  };
  const env = { budget: budgetToReach(budget), scratch, counters };
  const source = reachableGraph(game, env, found);
  const readers = options.finders?.(counters);
  const solved = await solveGraph({
    ...all,
    ...(readers && { readers }),
    name,
    source,
    rules: () => samplerOfKeyed(game).full(),
    progress: listen,
  });
  return { ...solved, reached: layers.length === 0 ? null : { layers, counters } };
}
