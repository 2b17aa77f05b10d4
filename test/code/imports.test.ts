/** The layout's rules: which folder may import which. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, type Import, importsOf } from './imports.js';

const all = ['operators', 'pipeline', 'jobs'].flatMap(filesIn).flatMap(importsOf);
const offenders = (from: RegExp, to: RegExp): string[] =>
  all
    .filter((edge) => from.test(edge.from) && to.test(edge.to))
    .map((edge) => `${edge.from} imports ${edge.to}`);

test('the search finds imports', () => expect(all.length).toBeGreaterThan(100));

/** The files of each circle of imports, those of types too: `file → file → … → file`. */
function circles(edges: readonly Import[]): string[] {
  return circlesAmong(
    edges.map(({ from, to }) => ({ from: from.replace(/tsx$/, 'ts'), to: to.replace(/js$/, 'ts') })),
  );
}

/** The folders of each circle of imports between folders: `folder → folder → … → folder`. @param folderOf a file. */
function folderCircles(edges: readonly Import[], folderOf = dirname): string[] {
  const between = edges.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));
  return circlesAmong(between.filter(({ from, to }) => from !== to));
}

function circlesAmong(edges: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): void {
    const seenAt = path.indexOf(file);
    if (seenAt >= 0) found.push([...path.slice(seenAt), file].join(' → '));
    if (seenAt >= 0 || done.has(file)) return;
    path.push(file);
    for (const to of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  }
  for (const file of next.keys()) visit(file);
  return found;
}

test('a circle of imports is found', () => {
  const edges = ['ab', 'bc', 'cb', 'cd'].map(([from, to]) => ({ from: `${from}.ts`, to: `${to}.js` }));
  expect(circles(edges)).toEqual(['b.ts → c.ts → b.ts']);
});

test('no file imports itself by way of others, not even for types', () => {
  const found = circles([...all, ...filesIn('test').flatMap(importsOf)]);
  expect(found).toEqual([]);
});

test('a circle of folders is found', () => {
  const edges = ['a/x b/y', 'b/z c/x', 'c/y b/x', 'b/x b/y'].map((edge) => edge.split(' '));
  expect(folderCircles(edges.map(([from, to]) => ({ from, to })))).toEqual(['b → c → b']);
});

test('no folder of operators and pipeline imports itself by way of others, not even for types', () => {
  expect(folderCircles(['operators', 'pipeline'].flatMap(filesIn).flatMap(importsOf))).toEqual([]);
});

/** A folder of jobs with all that lies in it, or a file beside these folders. */
const roomOf = (file: string): string => /^jobs\/[^/]+/.exec(file)?.[0].replace(/\.js$/, '.ts') ?? file;

test('no room of jobs imports itself by way of others, not even for types', () => {
  const edges = filesIn('jobs')
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('jobs/'));
  expect(new Set(edges.map(({ from }) => roomOf(from))).size).toBeGreaterThan(20);
  expect(folderCircles(edges, roomOf)).toEqual([]);
});

test.each([
  ['operators know neither games nor jobs', /^operators\//, /^(pipeline|jobs|test)\//],
  ['the pipeline knows no jobs', /^pipeline\//, /^(jobs|test)\//],
  ['jobs know no tests', /^jobs\//, /^test\//],
  [
    'the engine, tables, probes and analyses know no concrete game',
    /^pipeline\/(game|engine|tables|analysis)\b/,
    /games\//,
  ],
  [
    // The bit-parallel solver is one for chess: its sets are chess boards.
    'the paged solver knows no concrete game',
    /^pipeline\/rivals\/paged\//,
    /games\//,
  ],
  [
    'rival solvers know no engine, no sort and no join',
    /^pipeline\/rivals\//,
    /(^pipeline\/engine\/|^operators\/(expand|sort|distribute|merge|gather|join|match|semi-join|distinct|dedupe)\b)/,
  ],
  [
    'only their comparison and the package root know the rivals',
    /^(operators|pipeline|jobs)\/(?!rivals\/|compare\/|index\.ts)/,
    /^pipeline\/rivals\//,
  ],
  [
    'only its command knows the comparison of solvers',
    /^jobs\/(?!compare\/|commands\/compare\.ts|usage\/keeping\.ts)/,
    /^jobs\/compare\//,
  ],
  [
    'games know no engine, and of tables only what answers say',
    /^pipeline\/games\//,
    /pipeline\/(engine|rivals|tables\/(?!probe))/,
  ],
  [
    'only operators/storage touches files and the network',
    /^(operators\/(?!storage\/)|pipeline\/)/,
    /^(node:(fs|path|https?|net|tls|dns)|@aws-sdk\/)/,
  ],
  ['the AWS SDK is loaded by what needs it only', /^(?!operators\/storage\/s3)/, /^@aws-sdk\//],
  [
    // The identity of a process is shared by its threads.
    'only jobs start threads or processes',
    /^(operators\/(?!storage\/process-identity\.ts)|pipeline\/)/,
    /^node:(worker_threads|child_process|process|os)/,
  ],
])('%s', (_rule, from, to) => expect(offenders(from, to)).toEqual([]));

/** Rooms of the pipeline: each imports those above it alone. Rooms of one line do not know each other. */
const FLOORS = [
  ['game'],
  ['tables'],
  ['games'],
  ['engine/memory'],
  ['engine/phases'],
  ['engine/verify'],
  ['engine/crew'],
  ['analysis', 'audit', 'check', 'rivals'],
  ['graph'],
  ['share'],
];

test('imports between rooms of the pipeline run one way', () => {
  const floorOf = (path: string) =>
    FLOORS.findIndex((rooms) => rooms.some((room) => path.startsWith(`pipeline/${room}/`)));
  const roomOf = (path: string) =>
    FLOORS.flat().find((room) => path.startsWith(`pipeline/${room}/`)) ?? 'the package root';
  const pipeline = filesIn('pipeline').flatMap(importsOf);
  const upward = pipeline.filter(({ from, to }) => {
    const [own, its] = [floorOf(from), floorOf(to)];
    return own >= 0 && its >= 0 && (its > own || (its === own && roomOf(from) !== roomOf(to)));
  });
  expect(upward.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  const unplaced = filesIn('pipeline').filter((file) => /^pipeline\/\w+\//.test(file) && floorOf(file) < 0);
  expect(unplaced).toEqual([]);
});

/** Files that are loaded with a file, by imports of more than types. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from] of text.matchAll(/^(?:import|export)(?! type\b)[^;]*?from '([^']+)'/gm)) {
    if (from.startsWith('.')) loadedWith(normalize(join(dirname(file), from.replace(/js$/, 'ts'))), found);
    else found.add(from);
  }
  return found;
}

test.each([
  [
    'the thread that waits while a graph is solved loads neither games nor runs',
    'jobs/commands/graph-solve.ts',
    /^(pipeline\/games\/(chess|checkers)\/(?!metrics)|operators\/(runs|sort)\/|apache-arrow|parquetjs-lite|stream-json|@aws-sdk)/,
  ],
  ...['solve', 'status', 'rank'].map((name): [string, string, RegExp] => [
    `${name} loads neither games nor runs with itself`,
    `jobs/commands/${name}.ts`,
    /^(pipeline\/games\/(chess|checkers)\/(?!metrics)|operators\/(runs|sort)\/|apache-arrow|stream-json|listr2|pino|@aws-sdk)/,
  ]),
  [
    'probe loads no games with itself, nor what solves them',
    'jobs/commands/probe.ts',
    /^(pipeline\/(games\/(chess|checkers)\/(?!metrics)|phases|solvers|partition|ranks)|operators\/sort\/|stream-json|listr2|pino|@aws-sdk)/,
  ],
  [
    'the thread that solves it loads no games',
    'jobs/engines/graph.ts',
    /^(pipeline\/games\/(chess|checkers)\/(?!metrics)|@aws-sdk)/,
  ],
  [
    "the reader of Syzygy's files asks nothing of Node, for browsers load it",
    'pipeline/games/chess/syzygy/read/prober.ts',
    /^(node:|@aws-sdk|apache-arrow|jobs\/)/,
  ],
])('%s', (_rule, file, heavy) => {
  const loaded = [...loadedWith(file)];
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.filter((each) => heavy.test(each))).toEqual([]);
});

test('listing the commands loads no command and only one library', () => {
  const loaded = [...loadedWith('jobs/cli.ts')];
  expect(loaded).toContain('jobs/usage/solving.ts');
  expect(loaded.filter((each) => each.startsWith('jobs/commands/'))).toEqual([]);
  expect(loaded.filter((each) => !each.includes('/') && !/^node:|json$/.test(each))).toEqual(['commander']);
});

test('operators and pipeline use no clock, no random numbers and no process', () => {
  const found = ['operators', 'pipeline']
    .flatMap(filesIn)
    .filter((file) =>
      /\b(Date\.now|performance\.now|new Date\(\)|Math\.random|process\.(env|argv|exit|hrtime|memoryUsage))/.test(
        readFileSync(file, 'utf8'),
      ),
    )
    .filter((file) => !file.startsWith('operators/storage/'));
  expect(found).toEqual([]);
});
