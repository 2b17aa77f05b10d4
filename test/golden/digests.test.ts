/** Tables and files are those of digests.json, bit for bit, in whatever way they are solved. A test run solves its largest in one way only. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONG, LONGEST } from '../support/long.js';
import { filesOf, type Golden, publicationsWithin, solvesWithin, tablesOf } from './digests.js';
import type { Size } from './solves.js';

const golden = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8')) as Golden;
const most: Size = LONGEST ? 'all' : LONG ? 'long' : 'short';
/** The largest solves take minutes each. */
const TIMEOUT = 3_600_000;

const pick = <T>(all: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, all[name]]));

const ways = solvesWithin(most).flatMap((solve) =>
  (solve.ways ?? [[]])
    .slice(0, LONGEST || solve.size !== most ? undefined : 1)
    .map((way) => ({ solve, way, words: [...solve.args, ...way].join(' ') })),
);

test.each(ways)('solve $words gives the golden tables', { timeout: TIMEOUT }, async ({ solve, way }) => {
  const found = await tablesOf(solve, way);
  expect(Object.keys(found).length).toBeGreaterThan(0);
  expect(found).toEqual(pick(golden.tables, Object.keys(found)));
});

const written = publicationsWithin(most).map((publication) => ({
  publication,
  words: publication.solve.join(' '),
}));

test.each(written)(
  'publications of $words have the golden files',
  { timeout: TIMEOUT },
  async ({ publication }) => {
    const found = await filesOf(publication);
    expect(Object.keys(found).length).toBeGreaterThan(0);
    expect(found).toEqual(pick(golden.files, Object.keys(found)));
  },
);
