/** Reachable sets keep the budget: a process that reaches many positions needs no more memory than one that reaches few, but for it. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ifShort, LONG } from '../../support/long.js';

const MiB = 2 ** 20;

interface Measured {
  readonly nodes: number;
  /** The sum of the positions' numbers. */
  readonly sum: string;
  readonly counters: Record<string, number>;
  readonly peakRss: number;
}

async function measured(positions: number, mebibytes: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-reach-'));
  try {
    const script = 'test/support/reach-measured.ts';
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--import', 'tsx', script],
      ...[folder, String(positions), String(mebibytes)],
    ]);
    // A scratch keeps an object or two that were given back, to write them over.
    const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(left.length).toBeLessThanOrEqual(2);
    return JSON.parse(stdout) as Measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!LONG)(
  `a million positions are found in 2 MiB of buffers${ifShort}`,
  async () => {
    const few = await measured(1000, 2);
    const many = await measured(1_000_000, 2);
    expect(many).toMatchObject({ nodes: 1_000_000, sum: String((1_000_000 * 999_999) / 2) });
    // Keys and successors are some ten times the budget.
    expect(many.counters.bytesWritten).toBeGreaterThan(20 * MiB);
    expect(many.peakRss).toBeLessThan(few.peakRss + 24 * MiB);
  },
  60_000,
);
