/** `mergemate serve` as a process: how it begins and how it ends. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { reachSources } from '../../../jobs/server/sources.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { start, until } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';
import { served } from '../../support/serving.js';
import { putEndings } from '../../support/solving.js';

const store = newFolder();
const mergemate = program(store);
const SUBTRACTION = 'samples/subtraction/game.ts';
beforeAll(async () => {
  await putEndings(store, chess, ['KQK']);
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

interface Serving {
  readonly url: string;
  readonly games: string[];
  /** Exit code and stderr of the command. */
  stop(signal: NodeJS.Signals): Promise<[number | null, string]>;
}

async function serve(...args: string[]): Promise<Serving> {
  const { child, ended } = start(['serve', '--store', store, '--port', '0', '--json', ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout!.on('data', (text: string) => (said += text));
  await until(() => said.includes('\n') || child.exitCode !== null, 'the server');
  if (child.exitCode !== null) throw new Error((await ended).stderr);
  const { url, games } = JSON.parse(said) as { url: string; games: string[] };
  return {
    url,
    games,
    async stop(signal) {
      child.kill(signal);
      const { code, stderr } = await ended;
      return [code, stderr];
    },
  };
}

const QUEEN = encodeURIComponent('8/8/8/8/3k4/8/8/K6Q w - - 0 1');

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the server answers until %s, and ends with exit code 0',
  async (signal) => {
    const { url, games, stop } = await serve();
    expect(games).toEqual(['chess']);
    const response = await fetch(`${url}/probe?game=chess&position=${QUEEN}`);
    expect(await response.json()).toMatchObject({ outcome: 'win', slice: 'KQK' });
    expect(await (await fetch(`${url}/site.json`)).json()).toMatchObject({
      source: 'http',
      games: [{ name: 'chess' }],
    });
    expect(await stop(signal)).toEqual([0, '']);
  },
);

test('requests are logged as JSON lines, without the query', async () => {
  const { url, stop } = await serve('--log', '-');
  await fetch(`${url}/probe?game=chess&position=${QUEEN}`);
  await fetch(`${url}/made-up`);
  const [code, stderr] = await stop('SIGTERM');
  expect(code).toBe(0);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: 'request', level: 'info', figures: { route: '/probe', method: 'GET', status: 200 } },
    { event: 'request', figures: { route: 'other', status: 404 } },
  ]);
  expect(stderr).not.toContain('made-up');
});

test('a game of a user is served', async () => {
  const folder = testFolder();
  await program(folder).succeed(['solve', SUBTRACTION, '--no-verify']);
  const { url, games, stop } = await serve('--store', folder, '--game', SUBTRACTION);
  expect(games).toHaveLength(1);
  const [{ name, example }] = (await (await fetch(`${url}/api/games`)).json()) as [
    { name: string; example: string },
  ];
  const answer = await fetch(`${url}/probe?${new URLSearchParams({ game: name, position: example })}`);
  expect(await answer.json()).toMatchObject({ game: name, position: example, over: expect.any(Boolean) });
  expect((await stop('SIGTERM'))[0]).toBe(0);
});

test.skipIf(!LONG)(
  `the usual store may come later, and is missed once it has been there${ifShort}`,
  async () => {
    const folder = testFolder();
    const { child } = start(['serve', '--port', '0'], '', folder);
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout!.on('data', (text: string) => (said += text));
    await until(() => said.includes('\n') || child.exitCode !== null, 'the server');
    const url = /tables \(no tables yet\) is served at (\S+)\n/.exec(said)?.[1];
    expect(url, said).toBeDefined();
    const health = async () => (await fetch(`${url}/health`)).status;
    expect(await health()).toBe(200);
    expect(await (await fetch(`${url}/api/games`)).json()).toEqual([]);
    mkdirSync(join(folder, 'tables'));
    expect(await health()).toBe(200);
    rmSync(join(folder, 'tables'), { recursive: true });
    expect(await health()).toBe(503);
    expect((await fetch(`${url}/probe?game=chess&metric=dtm&position=8/8/8/8/8/2k5/8/K6Q_w`)).status).toBe(
      503,
    );
  },
);

test('tables that are moved away are unreachable, not missing', async () => {
  const folder = testFolder();
  const store = join(folder, 'tables');
  await program(store).succeed(['solve', 'chess', 'KQK']);
  const sources = await reachSources({ store });
  const { app } = served(sources.store, { reach: sources.reach });
  const status = async (slice: string) =>
    (await app.request(`/probe?${new URLSearchParams({ game: 'chess', metric: 'dtm', position: slice })}`))
      .status;
  const [queen, rook] = ['8/8/8/8/8/2k5/8/K6Q w - - 0 1', '8/8/8/8/8/2k5/8/K6R w - - 0 1'];
  expect([await status(queen), await status(rook)]).toEqual([200, 404]);
  renameSync(store, join(folder, 'elsewhere'));
  // What was read still answers.
  expect([await status(queen), await status(rook)]).toEqual([200, 503]);
  renameSync(join(folder, 'elsewhere'), store);
  expect([await status(queen), await status(rook)]).toEqual([200, 404]);
});

test.each([
  [
    'a store that is not there',
    ['--store', 'nowhere/to/be/found'],
    /nowhere\/to\/be\/found: there is no such folder/,
  ],
  ['published tables that are not there', ['--published', 'nowhere'], /nowhere: there is no such folder/],
  ['a port that is none', ['--port', '70000'], /--port: "70000" is not a whole number from 0 to 65535/],
  ['a host that is none', ['--host', '203.0.113.7'], /--host: 203.0.113.7 is not an address of this machine/],
  ['a cache that is not a size', ['--cache', 'big'], /--cache: "big" is not a size/],
  ['a game that is not a module', ['--game', 'go'], /there is no game "go"/],
])('%s is one line and exit code 2', async (_what, args, says) => {
  const { code, stderr } = await mergemate.run(['serve', '--port', '0', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  expect(stderr).toMatch(/^mergemate: [^\n]+\n$/);
});

test('a port that is in use is one line and exit code 2', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const { code, stderr } = await mergemate.run(['serve', '--port', String(port)]);
  expect([code, stderr]).toEqual([
    2,
    `mergemate: port ${port} of 127.0.0.1 is in use: choose another with --port (0: any that is free)\n`,
  ]);
});

test('an S3 store that cannot be reached is one line and exit code 2', async () => {
  const { code, stderr } = await program('s3://bucket/prefix?endpoint=http://127.0.0.1:9').run([
    'serve',
    '--port',
    '0',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^mergemate: [^\n]+\n$/);
});
