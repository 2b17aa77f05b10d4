/** Pieces of text that the terminal and the page share. */
import type { Disagreement } from './compare.js';
import type { TableValue } from './first-difference.js';
import { solvers } from './solvers.js';

/** "64 MiB", "1.5 GiB": budgets are mostly round. */
export function size(n: number): string {
  for (const [unit, of] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (n >= of) return `${Number((n / of).toFixed(1))} ${unit}`;
  }
  return `${n} B`;
}

function value(stored: TableValue): string {
  if (stored === null) return 'no position';
  return stored.plies === null ? stored.wdl : `${stored.wdl} in ${stored.plies} plies`;
}

/** "paged at 8 MiB and sort at 8 MiB differ first at FEN: …". */
export function describeDisagreement({ runs, first }: Disagreement): string {
  const names = runs.map(({ solver, memory }) => `${solvers[solver].title} (${size(memory)})`);
  const where = first.fen ?? `${first.toMove} to move, index ${first.index}, which holds no position`;
  return `${names.join(' and ')} differ first at ${where}: ${value(first.values[0])} and ${value(first.values[1])}`;
}

/** The solver of the least figure among those given; null if there are none. */
export function fastest<T extends { readonly solver: string }>(
  runs: readonly T[],
  figure: (run: T) => number,
): T | null {
  let best: T | null = null;
  for (const run of runs) if (best === null || figure(run) < figure(best)) best = run;
  return best;
}
