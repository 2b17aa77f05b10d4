/** The process keeps its budget: peak resident set, as the system counts it, less a fixed overhead of the runtime. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';
import { noPeaks, peakOf } from '../support/peak.js';

const MiB = 2 ** 20;
/** Node, its threads and the libraries, by number of workers: the most that was measured (README), and some MiB for chance. */
const OVERHEAD = [124 * MiB, 190 * MiB];

const SOME: [string, number, number][] = [
  ['KRBK', 16, 1],
  ['KRBK', 16, 2],
  ['KRBK', 64, 1],
];
/** The most beside the budget, of all that were measured. */
const MOST: [string, number, number][] = [
  ['KRKP', 16, 1],
  ['KRKP', 16, 2],
];

async function keepsBudget(ending: string, mebibytes: number, workers: number): Promise<void> {
  const store = mkdtempSync(join(tmpdir(), 'mergemate-memory-'));
  try {
    const given = ['--memory', `${mebibytes}MiB`, '--workers', String(workers), '--store', store, '--json'];
    for (const command of ['solve', 'verify']) {
      const { stdout, peak } = await peakOf(resolve('dist/jobs/cli.js'), [
        command,
        'chess',
        ending,
        ...given,
      ]);
      expect(peak, command).toBeGreaterThan(16 * MiB);
      expect(peak, command).toBeLessThan(mebibytes * MiB + OVERHEAD[workers - 1]!);
      if (command === 'verify') continue;
      const { slices } = JSON.parse(stdout) as { slices: { peakRssBytes: number }[] };
      // The command prints the system's count; it ends a little later.
      const told = Math.max(...slices.map(({ peakRssBytes }) => peakRssBytes));
      expect(Math.abs(told - peak)).toBeLessThan(8 * MiB);
    }
  } finally {
    rmSync(store, { recursive: true });
  }
}

describe.skipIf(noPeaks !== null)(
  `the resident set${noPeaks === null ? '' : ` (skipped: ${noPeaks})`}`,
  () => {
    test.skipIf(!LONG).each(SOME)(
      `%s solved and verified in %i MiB, workers: %i${ifShort}`,
      { timeout: 240_000 },
      keepsBudget,
    );
    test.skipIf(!LONGEST).each(MOST)(
      `%s solved and verified in %i MiB, workers: %i${ifNotLongest}`,
      { timeout: 600_000 },
      keepsBudget,
    );
  },
);
