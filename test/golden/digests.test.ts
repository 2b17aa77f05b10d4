/** Tables and files are those of digests.json, bit for bit, in whatever way they are solved. A test run solves its largest in one way only. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONG, LONGEST } from '../support/long.js';
import { type Golden, publicationOf, publicationsWithin, solvesWithin, tablesOf } from './digests.js';
import type { Size } from './solves.js';

const golden = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8')) as Golden;
const most: Size = LONGEST ? 'all' : LONG ? 'long' : 'short';
/** The largest solves take minutes each. */
const TIMEOUT = 3_600_000;

const pick = <T>(all: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, all[name]]));

const written = publicationsWithin(most).map((publication) => ({
  publication,
  words: publication.solve.join(' '),
}));
const published = new Set(written.map(({ words }) => words));

const ways = solvesWithin(most)
  .flatMap((solve) =>
    (solve.ways ?? [[]])
      .slice(0, LONGEST || solve.size !== most ? undefined : 1)
      .map((way) => ({ solve, way, words: [...solve.args, ...way].join(' ') })),
  )
  // Tables that are published are compared there.
  .filter(({ words }) => !published.has(words));

test.each(ways)('solve $words gives the golden tables', { timeout: TIMEOUT }, async ({ solve, way }) => {
  const found = await tablesOf(solve, way);
  expect(Object.keys(found).length).toBeGreaterThan(0);
  expect(found).toEqual(pick(golden.tables, Object.keys(found)));
});

test.each(written)(
  'solve $words gives the golden tables, and publications of them the golden files',
  { timeout: TIMEOUT },
  async ({ publication }) => {
    const { tables, files } = await publicationOf(publication);
    expect(Object.keys(tables).length).toBeGreaterThan(0);
    expect(tables).toEqual(pick(golden.tables, Object.keys(tables)));
    expect(Object.keys(files).length).toBeGreaterThan(0);
    expect(files).toEqual(pick(golden.files, Object.keys(files)));
  },
);
