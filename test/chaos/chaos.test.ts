/**
 * kill -9 over every command that writes, and disks that fill: no wrong result. `npm run bench -- --only chaos` does it for longer.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/folders.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';
import { chaos } from './chaos.js';
import { fillDisks, noDisk } from './full-disk.js';
import { type Found, makeFound, SCENARIOS } from './scenarios.js';

const KILLS = LONGEST ? 2 : 1;
const MOST_OF_ONE = LONGEST ? 12 : 2;
const DISKS = 1;
/**
 * Killed in the longest tests alone. Other scenarios have the same metric by other workers, or the same workers with another metric;
 * test/jobs/commands/solve.test.ts kills helpmates by two workers.
 */
const COMBINED = [
  'solve --workers 2',
  'solve, helpmates',
  'solve --engine processes',
  'solve --workers 2, helpmates',
];
/** These write their files as others do: disks fill under them in the longest tests. */
const WRITE_ALIKE = [
  'solve, by lookup',
  "solve, a user's game",
  'solve, a keyed game by two workers',
  'graph solve, a keyed game',
  'graph solve, scores',
  'verify',
  'positions',
];
const killed = SCENARIOS.filter(({ name }) => LONGEST || !COMBINED.includes(name));
const filling = killed.filter(({ name }) => LONGEST || !WRITE_ALIKE.includes(name));
const folder = newFolder();
let found: Found;

beforeAll(async () => {
  if (LONG) found = await makeFound(join(folder, 'found'));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!LONG).each(killed)(
  `$name ends with the right result when it is killed and started again${ifShort}`,
  { timeout: 900_000 },
  async (scenario) => {
    const { kills, wrong } = await chaos({
      scenario,
      kills: KILLS,
      mostOfOne: MOST_OF_ONE,
      seed: 18,
      folder,
      found,
    });
    expect(wrong).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
);

const skipped = noDisk === null ? ifShort : ` (skipped: ${noDisk})`;
test.skipIf(!LONG || noDisk !== null).each(filling)(
  `$name ends with the right result after the disk was full${skipped}`,
  { timeout: 900_000 },
  async (scenario) => {
    const { wrong } = await fillDisks({ scenario, disks: DISKS, seed: 18, folder, found });
    expect(wrong).toEqual([]);
  },
);
