/** Keyed games and graphs in JSON are solved alike, with those options of `mergemate solve` that mean something to them. */

import type { Metric } from '../../pipeline/formats/value.js';
import { Defaults } from '../bounds.js';
import type { EngineName } from '../engines/engine-names.js';
import type { MetricOptions } from '../options.js';
import { parseMemory } from '../sizes.js';

export interface KeyedSolveFlags extends MetricOptions {
  readonly memory?: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly workers?: number;
  readonly engine?: EngineName;
  readonly sbatchArg?: string[];
  readonly logs?: string;
}

/** @param refuse throws if one of the options that mean nothing here is given. */
export async function solveAsGraph(
  path: string,
  flags: KeyedSolveFlags & { readonly [other: string]: unknown },
  metricOf: (asked: string | undefined) => Metric,
  refuse: (others: object) => void,
): Promise<void> {
  const { store, json, metric, memory, scratch, verify, workers, engine, sbatchArg, logs, ...others } = flags;
  refuse(others);
  const given = { json, scratch, workers, engine, sbatchArg, logs };
  const { runSolve } = await import('./graph-solve.js');
  await runSolve(path, {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    ...{ store, verify, metric: metricOf(metric) },
    memory: memory ?? parseMemory(Defaults.memory, 'default'),
  });
}
