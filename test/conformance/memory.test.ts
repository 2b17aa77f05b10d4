/** The process keeps its budget: peak resident set, as the system counts it, less a fixed overhead of the runtime. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const MiB = 2 ** 20;
/** Node, its two threads and the libraries; stated in the README. */
const OVERHEAD = 112 * MiB;

test.each([16, 64])('KRBK solved and verified in %i MiB', { timeout: 240_000 }, (mebibytes) => {
  const store = mkdtempSync(join(tmpdir(), 'mergemate-memory-'));
  try {
    const flags = ['--memory', `${mebibytes}MiB`, '--store', store, '--json'];
    const output = execFileSync(resolve('dist/jobs/cli.js'), ['solve', 'chess', 'KRBK', ...flags]);
    const { slices } = JSON.parse(output.toString()) as { slices: { slice: string; peakRssBytes: number }[] };
    const { slice, peakRssBytes } = slices.at(-1)!;
    expect(slice).toBe('KRBK');
    expect(peakRssBytes).toBeGreaterThan(16 * MiB);
    expect(peakRssBytes).toBeLessThan(mebibytes * MiB + OVERHEAD);
  } finally {
    rmSync(store, { recursive: true });
  }
});
