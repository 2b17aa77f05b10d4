import { Defaults } from '../bounds.js';
import type { Format } from '../export/format.js';
import type { MetricOptions, VerifyCommandOptions } from '../options.js';
import { parseMemory } from '../sizes.js';
import { type AskedKeyed, keyedMetric, requireNone, solvedMetric } from './asked-keyed.js';
import { type KeyedSolveFlags, solveAsGraph } from './solve-as-graph.js';

export async function solveKeyedGame(
  asked: AskedKeyed,
  names: readonly string[],
  flags: KeyedSolveFlags & { readonly [other: string]: unknown },
): Promise<void> {
  const metricOf = (metric: string | undefined) => keyedMetric(asked, metric);
  await solveAsGraph(asked.path, flags, metricOf, (others) => requireNone(asked, names, others));
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
