/** Environment variables of the program, its tests and benchmarks: CONTRIBUTING.md lists them all, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const VARIABLE = /\bMERGEMATE_[A-Z0-9_]+\b/g;

const sources = ['operators', 'pipeline', 'jobs', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:[cm]?[jt]sx?|sh)$/.test(name))
    .map((name) => join(folder, name)),
);

test('CONTRIBUTING lists every variable that sources name, and no others', () => {
  const named = sources.flatMap((path) => readFileSync(path, 'utf8').match(VARIABLE) ?? []);
  const listed = readFileSync('CONTRIBUTING.md', 'utf8').match(VARIABLE) ?? [];
  expect([...new Set(listed)].sort()).toEqual([...new Set(named)].sort());
});
