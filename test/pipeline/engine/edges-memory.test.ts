/** Edges keep the budget: a process that writes and joins them needs no more memory than one that takes moves back. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ALLOCATOR } from '../../../jobs/runtime/process-memory.js';
import { ifShort, LONG } from '../../support/long.js';

const MiB = 2 ** 20;

interface Measured {
  readonly digests: readonly string[];
  readonly counters: Record<string, number>;
  readonly peakRss: number;
}

async function measured(kind: 'back' | 'forward'): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-edges-'));
  try {
    const script = 'test/support/solve-measured.ts';
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', script, folder, 'KBBK', '16', kind],
      { env: { ...process.env, ...ALLOCATOR } },
    );
    return JSON.parse(stdout) as Measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!LONG)(`KBBK in 16 MiB${ifShort}`, async () => {
  const back = await measured('back');
  const forward = await measured('forward');
  expect(forward.digests).toEqual(back.digests);
  // Some ten times the budget.
  expect(forward.counters.bytesWritten - back.counters.bytesWritten).toBeGreaterThan(100 * MiB);
  // Processes differ by 24 MiB as it is, by when they collect garbage; held in memory the edges would be more than 100.
  expect(forward.peakRss).toBeLessThan(back.peakRss + 50 * MiB);
});
