/**
 * What others build on does not change by accident: help texts, the shapes of `--json`, the OpenAPI document and the exports of the package.
 * `npx vitest run test/golden/contracts.test.ts -u` accepts an intended change, which CHANGELOG.md names.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { monitorRoutes } from '../../jobs/server/monitor/routes.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { program, run, succeed } from '../support/command.js';
import { newFolder } from '../support/folders.js';
import { served } from '../support/serving.js';

const GAME = 'samples/hex/game.ts';
const GRAPH = 'samples/town.jsonl';
const WON = '8/8/8/8/8/2k5/8/K6Q w - - 0 1';
/** A helpmate, with set play. */
const MATED_TOGETHER = '8/7k/8/6Q1/8/8/8/K7 b - - 0 1';
/** What each command is asked for, with `--json`; STORE and OUT stand for folders. */
const asked: readonly string[] = [
  'solve chess KRK --metric dtz --store STORE',
  `solve ${GAME} --store STORE`,
  'status chess --store STORE',
  'scrub --collect chess --store STORE',
  'scrub chess --store STORE',
  'stats chess KQK --store STORE',
  `stats ${GAME} --store STORE`,
  `stats ${GRAPH} --store STORE`,
  `probe chess "${WON}" --store STORE`,
  `probe ${GAME} --store STORE`,
  `probe ${GRAPH} a --store STORE`,
  `probe --line chess "${WON}" --store STORE`,
  `probe --line ${GAME} --store STORE`,
  `probe --line ${GRAPH} a --store STORE`,
  'study samples/studies.pgn --store STORE',
  'verify chess KQK --store STORE',
  'stats chess KQK --store STORE --html OUT/report',
  'export chess KQK --store STORE --where longest',
  `export ${GAME} --store STORE --where result=win`,
  'export chess KQK --store STORE --out OUT/kqk.parquet --format parquet',
  'check chess KQK',
  'compare chess KQK --memory 4MiB',
  'publish chess KQK --metric dtz --store STORE --to OUT/published',
  'publish chess KRK --as syzygy --store STORE --to OUT/syzygy',
  'verify OUT/syzygy KRvK',
  'plan chess KQK',
  'solve chess KQvK --metric help --store STORE',
  'stats chess KQvK --metric help --store STORE',
  'stats chess KQvK KvK --metric help --store STORE',
  `probe chess "${MATED_TOGETHER}" --metric help --store STORE`,
  `probe --line chess "${MATED_TOGETHER}" --metric help --store STORE`,
  'export chess KQvK --metric help --store STORE --where longest',
];

const folder = newFolder();
const place = (words: string) => words.replaceAll('STORE', join(folder, 'store')).replaceAll('OUT', folder);
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => place(quoted ?? plain ?? ''));

beforeAll(async () => {
  for (const args of [['chess', 'KQK', '--metric', 'dtm'], ['chess', 'KQK', '--metric', 'dtz'], [GRAPH]])
    await program(join(folder, 'store')).succeed(['solve', ...args]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const snapshot = (name: string) => `contracts/${name}`;

test('help of every command', async () => {
  const root = await succeed(['--help']);
  const names = [...root.matchAll(/^ {2}(?!help )(?:\w+ +| {8})([a-z]+) {2,}/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(names.length).toBeGreaterThan(10);
  const texts = [root];
  for (const name of [...names, 'rank']) texts.push(`## ${name}\n${await succeed([name, '--help'])}`);
  for (const [, topic] of root.matchAll(/^ {2}help ([a-z]+)/gm))
    texts.push(`## help ${topic}\n${await succeed(['help', topic])}`);
  await expect(texts.join('\n')).toMatchFileSnapshot(snapshot('help.txt'));
});

type Shape = string | { readonly [name: string]: Shape };

/** A value with its leaves replaced by the names of their types. An array is the shape that all its elements have, under `[]`. */
function shapeOf(value: unknown): Shape {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) {
    const [first = 'nothing', ...others] = value.map(shapeOf);
    return { '[]': others.reduce(joined, first) };
  }
  const fields = Object.entries(value).map(([name, each]) => [
    /^\d+$/.test(name) ? 'NUMBER' : name,
    shapeOf(each),
  ]);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What both shapes are: a field that only one of them has is marked by a question mark. */
function joined(a: Shape, b: Shape): Shape {
  if (a === 'nothing' || b === 'nothing') return a === 'nothing' ? b : a;
  if (typeof a === 'string' || typeof b === 'string') {
    const kinds = [a, b].flatMap((each) => (typeof each === 'string' ? each.split(' | ') : ['object']));
    return [...new Set(kinds)].sort().join(' | ');
  }
  const plain = (name: string) => name.replace(/\?$/, '');
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)].map(plain))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const found = [a, b].map((each) => each[name] ?? each[`${name}?`]);
      const isAlways = a[name] !== undefined && b[name] !== undefined;
      const [one, other = one] = found.filter((each) => each !== undefined);
      return [isAlways ? name : `${name}?`, joined(one, other)];
    }),
  );
}

/** JSON, or lines of JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }
}

test('shapes of --json', async () => {
  const shapes: string[] = [];
  for (const line of asked) {
    const { code, stdout, stderr } = await run([...wordsOf(line), '--json']);
    expect([code, stderr.replace(/^.*\[\d+\/\d+\]\n/gm, '')], line).toEqual([0, expect.any(String)]);
    shapes.push(`## ${line}\n${JSON.stringify(shapeOf(parsed(stdout)), null, 1)}\n`);
  }
  await expect(shapes.join('\n')).toMatchFileSnapshot(snapshot('json-shapes.txt'));
});

test('the OpenAPI document', async () => {
  const monitor = monitorRoutes({ store: memoryStore(), games: new Map() });
  const { app } = served(memoryStore(), { monitor });
  const document = (await (await app.request('/openapi.json')).json()) as object;
  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot(snapshot('openapi.txt'));
});

test('exports of the package', async () => {
  const exported = (await import(pathToFileURL(resolve('dist/pipeline/index.js')).href)) as object;
  const types = [...readFileSync('pipeline/index.ts', 'utf8').matchAll(/export (type )?\{([^}]*)\}/g)]
    .flatMap(([, isType, names]) =>
      (names ?? '')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && (isType !== undefined || name.startsWith('type ')))
        .map((name) => name.replace(/^(type )?(\w+ as )?/, '')),
    )
    .sort();
  const values = Object.keys(exported).sort();
  expect(types.length).toBeGreaterThan(10);
  await expect(`values\n${values.join('\n')}\n\ntypes\n${types.join('\n')}\n`).toMatchFileSnapshot(
    snapshot('exports.txt'),
  );
});
