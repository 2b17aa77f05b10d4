import type { TableManifest } from '../game/manifest.js';

/** The names of all runs of a table. */
export function runsOfTable({ values, clocks }: Pick<TableManifest, 'values' | 'clocks'>): string[] {
  const runs = [
    ...values.flat(),
    ...(clocks === undefined ? [] : [...clocks.numbers.flat(), clocks.ladders]),
  ];
  return runs.map(({ name }) => name);
}
