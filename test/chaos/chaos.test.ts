/** kill -9 over every command that writes, and disks that fill: no wrong result. `npm run bench -- --only chaos` does it for longer. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/cli.js';
import { LONG } from '../support/long.js';
import { chaos } from './chaos.js';
import { fillDisks, noDisk } from './full-disk.js';
import { type Found, makeFound, SCENARIOS } from './scenarios.js';

const KILLS = LONG ? 2 : 1;
const DISKS = 1;
/** The short tests interrupt one command of each kind: one that solves, one that publishes, one that exports. */
const SHORT = ['solve --workers 2', 'publish', 'export, a set'];
const scenarios = LONG ? SCENARIOS : SCENARIOS.filter(({ name }) => SHORT.includes(name));
const folder = newFolder();
let found: Found;

beforeAll(async () => {
  found = await makeFound(join(folder, 'found'));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(scenarios)('$name, killed and started again', { timeout: 900_000 }, async (scenario) => {
  const { kills, wrong } = await chaos({ scenario, kills: KILLS, seed: 18, folder, found });
  expect(wrong).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});

const skipped = noDisk === null ? '' : ` (skipped: ${noDisk})`;
test.skipIf(noDisk !== null).each(scenarios)(
  `$name, on a disk that fills${skipped}`,
  { timeout: 900_000 },
  async (scenario) => {
    const { wrong } = await fillDisks({ scenario, disks: DISKS, seed: 18, folder, found });
    expect(wrong).toEqual([]);
  },
);
