/** A server as a process, under large queries, batches, and connections that send ahead and read nothing. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { randomPositions } from '../../bench/serving.js';
import { program } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { noPeaks } from '../../support/peak.js';
import { loadServer } from '../../support/server-load.js';

/** What docs/speed.md promises of `serve` beside its cache, MiB. */
const PROMISED = Number(
  /\| `serve`, beside its cache \| (\d+) \|/.exec(readFileSync('docs/speed.md', 'utf8'))![1],
);

test.skipIf(!LONG || noPeaks !== null)(
  `a server under load stays responsive and small, and ends soon after SIGTERM${ifShort}`,
  { timeout: 300_000 },
  async () => {
    const ending = LONGEST ? 'KQKR' : 'KRK';
    const store = join(testFolder(), 'tables');
    await program(store).succeed(['solve', 'chess', ending, '--no-verify', '--memory', '64MiB']);
    const positions = randomPositions(ending).slice(0, 1000);
    const { loads, residentOverCache, stopMs } = await loadServer({
      cli: resolve('dist/jobs/cli.js'),
      store,
      ending,
      positions,
      ...(!LONGEST && { queries: 24, batches: 6 }),
    });
    console.log(JSON.stringify({ loads, residentOverCache, stopMs }));
    for (const { what, healthMedian, healthWorst, statuses } of loads) {
      // On a busy machine some may outlast the 30 s of an answer: then they are refused in words.
      expect(statuses[200], what).toBeGreaterThan(0);
      expect(['200', '503'], what).toEqual(expect.arrayContaining(Object.keys(statuses)));
      expect(healthMedian, what).toBeLessThan(250);
      expect(healthWorst, what).toBeLessThan(1500);
    }
    expect(residentOverCache).toBeLessThan(PROMISED);
    expect(stopMs).toBeLessThan(5000);
  },
);
