import { Defaults } from '../bounds.js';
import type { EngineName } from '../engines/engine-names.js';
import type { Format } from '../export/format.js';
import type { MetricOptions, VerifyCommandOptions } from '../options.js';
import { parseMemory } from '../sizes.js';
import { type AskedKeyed, keyedMetric, requireNone, solvedMetric } from './asked-keyed.js';

/** The options of `mergemate solve` that mean something to keyed games and graphs. */
export interface KeyedSolveFlags extends MetricOptions {
  readonly memory?: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly workers?: number;
  readonly engine?: EngineName;
  readonly sbatchArg?: string[];
  readonly logs?: string;
}

export async function solveKeyedGame(
  asked: AskedKeyed,
  names: readonly string[],
  flags: KeyedSolveFlags & { readonly [other: string]: unknown },
): Promise<void> {
  const { store, json, metric, memory, scratch, verify, workers, engine, sbatchArg, logs, ...others } = flags;
  requireNone(asked, names, others);
  const given = { json, scratch, workers, engine, sbatchArg, logs };
  const { runSolve } = await import('./graph-solve.js');
  await runSolve(asked.path, {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    ...{ store, verify, metric: keyedMetric(asked, metric) },
    memory: memory ?? parseMemory(Defaults.memory, 'default'),
  });
}

export async function statsOfKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  { pieces, ...flags }: MetricOptions & { readonly pieces?: number },
): Promise<void> {
  requireNone(asked, names, { pieces });
  const { runStats } = await import('./graph-stats.js');
  await runStats(asked.path, { ...flags, metric: await solvedMetric(asked, flags) });
}

export async function verifyKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  flags: VerifyCommandOptions,
): Promise<void> {
  const { pieces, published } = flags;
  requireNone(asked, names, { pieces, published });
  const { runVerify } = await import('./graph-verify.js');
  await runVerify(asked.path, { ...flags, metric: await solvedMetric(asked, flags) });
}

export interface ExportFlags extends MetricOptions {
  readonly format?: Format;
  readonly out: string;
  readonly force?: boolean;
  readonly pieces?: number;
  readonly columns?: string;
}

export async function exportKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  flags: ExportFlags,
): Promise<void> {
  const { pieces, columns } = flags;
  requireNone(asked, names, { pieces, columns });
  const { runExport } = await import('./graph.js');
  const memory = parseMemory(Defaults.memory, 'default');
  await runExport(asked.path, { ...flags, memory, metric: await solvedMetric(asked, flags) });
}
