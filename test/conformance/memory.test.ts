/**
 * The process keeps its budget: peak resident set, as the system counts it, less a fixed overhead of the runtime.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';
import { noPeaks, peakOf } from '../support/peak.js';

const MiB = 2 ** 20;
/** Node, its threads and the libraries in MiB, by number of workers: 98 and 145 were measured for KRBK, 119 and 184 for KRKP. */
const OVERHEAD = { KRBK: [112, 168], KRKP: [124, 190] } as const;
type Measured = [ending: keyof typeof OVERHEAD, mebibytes: number, workers: 1 | 2];

const SOME: Measured[] = [
  ['KRBK', 16, 1],
  ['KRBK', 16, 2],
];
/** No ending of up to four men takes more beside the budget. */
const MOST: Measured[] = [
  ['KRBK', 64, 1],
  ['KRKP', 16, 1],
  ['KRKP', 16, 2],
];

async function keepsBudget(...[ending, mebibytes, workers]: Measured): Promise<void> {
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
      expect(peak, command).toBeLessThan((mebibytes + OVERHEAD[ending][workers - 1]) * MiB);
      if (command === 'verify') continue;
      const { slices } = JSON.parse(stdout) as { slices: { peakRssBytes: number }[] };
      // The command prints the system's count; it ends a little later.
      const reported = Math.max(...slices.map(({ peakRssBytes }) => peakRssBytes));
      expect(Math.abs(reported - peak)).toBeLessThan(8 * MiB);
    }
  } finally {
    rmSync(store, { recursive: true });
  }
}

/** What docs/speed.md states beside the budget, in MiB, by how a solve is run; for wider slices, whose rounds are dense and stream. */
const STATED = {
  'one worker': { flags: [], beside: 139 },
  'two workers': { flags: ['--workers', '2'], beside: 241 },
  'two ranks': { flags: ['--engine', 'processes', '--workers', '2'], beside: 192 },
} as const;
type Streamed = [ending: string, mebibytes: number, by: keyof typeof STATED];

const STREAMED: Streamed[] = [['KBBKN', 16, 'one worker']];
const MORE_STREAMED: Streamed[] = [
  ['KBBKN', 16, 'two workers'],
  ['KBBKN', 16, 'two ranks'],
  // Six men, of which four are alike: parts of 2.7 million positions, 1.2 thousand million with each side to move.
  ['KQQQQK', 16, 'one worker'],
];

async function keepsStated(...[ending, mebibytes, by]: Streamed): Promise<void> {
  const { flags, beside } = STATED[by];
  const store = mkdtempSync(join(tmpdir(), 'mergemate-memory-'));
  try {
    const given = ['--metric', 'dtz', '--memory', `${mebibytes}MiB`, ...flags, '--store', store];
    const { peak } = await peakOf(resolve('dist/jobs/cli.js'), ['solve', 'chess', ending, ...given]);
    expect(peak).toBeGreaterThan(mebibytes * MiB);
    expect(peak).toBeLessThan((mebibytes + beside) * MiB);
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
    test.skipIf(!LONG).each(STREAMED)(
      `%s solved and verified in %i MiB by %s${ifShort}`,
      { timeout: 600_000 },
      keepsStated,
    );
    test.skipIf(!LONGEST).each(MORE_STREAMED)(
      `%s solved and verified in %i MiB by %s${ifNotLongest}`,
      { timeout: 3_600_000 },
      keepsStated,
    );
  },
);
