import { newCounters } from '../../operators/core/counters.js';
import type { SolvedGraph } from './solve-graph.js';

/** All that was counted: of the import and of solving, and of reaching what was imported. */
export function countersOf({ graph, summary }: SolvedGraph) {
  const sum: Record<string, number> = { ...newCounters() };
  for (const counters of [graph.counters, summary.table.counters])
    for (const [name, value] of Object.entries(counters)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}
