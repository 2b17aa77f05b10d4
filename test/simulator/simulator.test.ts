/** The whole of mergemate over a store and a clock that are simulated, with faults: for hours by `npm run bench -- --only simulate`. */
import { expect, test } from 'vitest';
import { LONG } from '../support/long.js';
import { simulate } from './simulate.js';

const OPERATIONS = LONG ? 100_000 : 4_000;

test(`${OPERATIONS} operations`, { timeout: 600_000 }, async () => {
  const began = process.cpuUsage();
  const found = await simulate(1, OPERATIONS);
  console.log(found, process.cpuUsage(began));
  expect(found.operations).toBeGreaterThanOrEqual(OPERATIONS);
});
