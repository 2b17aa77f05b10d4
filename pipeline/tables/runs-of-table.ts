import type { TableManifest } from '../game/manifest.js';

/** The names of all runs of a table. */
export function runsOfTable({
  values,
  clocks,
  numbers,
}: Pick<TableManifest, 'values' | 'clocks' | 'numbers'>): string[] {
  const runs = [
    ...values.flat(),
    ...(clocks === undefined ? [] : [...clocks.numbers.flat(), clocks.ladders]),
    ...(numbers === undefined ? [] : numbers.runs.flat()),
  ];
  return runs.map(({ name }) => name);
}
