/**
 * Whatever is written by others is read or refused in a line: for hours by `npm run bench -- --only fuzz`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG, LONGEST } from '../support/long.js';
import { type FuzzTarget, fuzz } from './fuzz.js';
import { allTargets } from './targets.js';

const RUNS = LONGEST ? 1000 : LONG ? 150 : 50;
const NAMES = [
  ...[
    'chess-fen',
    'checkers-fen',
    'chess-fen-list',
    'checkers-fen-list',
    'job',
    'studies',
    'settings',
    'graph',
    'footer',
    'manifest',
    'records',
    'listing',
    'arrow-set',
    'parquet-set',
    'catalogue',
    'published',
    'codebook',
    'syzygy',
    'syzygy-values',
    'http',
  ],
];

let targets: FuzzTarget[];
beforeAll(async () => {
  targets = await allTargets();
});
afterAll(async () => {
  for (const target of targets) await target.close?.();
});

test('this list names all targets', () => {
  expect(targets.map(({ name }) => name)).toEqual(NAMES);
});

test.each(NAMES)(
  `${RUNS} inputs of %s`,
  async (name) => {
    await fuzz(targets.find((target) => target.name === name)!, RUNS, 18);
  },
  600_000,
);
