/**
 * Names that every plain object has, in every place where people write one: operands and options of commands, names in files, fields of
 * HTTP requests. None is known, so each is refused, or is a name like others; nothing is found by accident.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../../jobs/command-line.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { run as runProcess } from '../../support/cli.js';
import { run } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST, sweep } from '../../support/long.js';
import { served, smallStore } from '../../support/serving.js';
import { putEndings } from '../../support/solving.js';

const NAMES = Object.getOwnPropertyNames(Object.prototype);
const tried = sweep(
  ['constructor'],
  ['__proto__'],
  NAMES.filter((name) => !['constructor', '__proto__'].includes(name)),
);

const folder = newFolder();
const store = join(folder, 'tables');
beforeAll(async () => {
  await putEndings(store, chess, ['KQK']);
  writeFileSync(join(folder, 'games.pgn'), '1. e4 *\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Command lines that would be sound, but for those of `serve`, which would not end, and `compare`, which would take long. */
const SOUND: Readonly<Record<string, readonly string[]>> = {
  probe: ['chess', '8/8/8/8/8/8/2k5/K6Q w - - 0 1'],
  stats: ['chess', 'KQK'],
  export: ['chess', 'KQK'],
  study: [join(folder, 'games.pgn')],
  verify: ['chess', 'KQK'],
  check: ['chess', 'KQK', '--positions', '1'],
  compare: ['chess', 'KQK', '--html', join(folder, 'nowhere', 'page.html')],
  status: ['chess', 'KQK'],
  scrub: ['chess', '--collect'],
  publish: ['chess', 'KQK', '--to', join(folder, 'published'), '--codec', 'packed', '--no-verify'],
  serve: ['--store', join(folder, 'nowhere')],
  solve: ['chess', 'KQK'],
  plan: ['chess', 'KQK'],
  rank: ['chess', 'KQK', '--rank', '0', '--ranks', '1', '--job', 'x'],
};

const commands = program().commands.filter((command) => Object.hasOwn(SOUND, command.name()));

/** A name as the value of an option: paths are below the folder of the test. */
function wordFor({ flags }: Option, name: string): string {
  return /<(?:uri|folder|path|file|module)>/.test(flags) ? join(folder, name) : name;
}

/** The sound words of a command with a name in the place of each operand, and as the value of each option. */
function linesWith(command: Command, name: string): string[][] {
  const sound = SOUND[command.name()] as string[];
  const inStore = command.options.some(({ long }) => long === '--store') && command.name() !== 'serve';
  const words = inStore ? [...sound, '--store', store] : sound;
  const operands = command.registeredArguments.map((_, i) =>
    words.map((word, at) => (at === i ? name : word)),
  );
  const options = command.options
    .filter(({ required, optional }) => required || optional)
    .map((option) => [...words, option.long!, wordFor(option, name)]);
  // A unit, and a condition.
  const units = command.options
    .filter(({ flags }) => /<(?:size|duration|sizes)>/.test(flags))
    .map(({ long }) => [...words, long!, `5${name}`]);
  const conditions = command.name() === 'export' ? [[...words, '--where', `${name}=3`]] : [];
  return [
    [name, ...words],
    [command.name(), `--${name}`, ...words],
  ].concat([...operands, ...options, ...units, ...conditions].map((line) => [command.name(), ...line]));
}

test.skipIf(!LONG).each(tried)(`%s is found nowhere by command lines${ifShort}`, async (name) => {
  const wrong: unknown[] = [];
  for (const command of commands) {
    // A rank takes the channel of its process for that to whoever started the ranks. Here it would be that of the tests, so ranks have a
    // process each, for one name.
    const isRank = command.name() === 'rank';
    if (isRank && !LONGEST && name !== tried[0]) continue;
    for (const line of linesWith(command, name)) {
      const { code, stderr } = await (isRank ? runProcess : run)(line);
      if (![0, 1, 2].includes(code!) || /internal error|undefined|\[object|function/.test(stderr))
        wrong.push([line.join(' '), code, stderr]);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['constructor', /unknown command 'constructor'/],
  ['help __proto__', /unknown command '__proto__'/],
  ['scrub --collect --older-than 5constructor', /"5constructor" is not a duration/],
  ['export chess KQK --where constructor=3', /"constructor=3" is not a condition/],
  ['export chess KQK --out x.constructor', /does not end in the name of a format/],
])('%s is refused by name', async (line, message) => {
  const { code, stdout, stderr } = await run([
    ...line.split(' '),
    ...(line.includes(' ') ? ['--store', store] : []),
  ]);
  expect(stderr).toMatch(message);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
});

test('a job file is not what its prototype would make of it', async () => {
  const path = join(folder, 'job.json');
  for (const [text, message] of [
    ['{"__proto__": {"game": "chess", "endings": ["KQK"]}}', /game: is missing/],
    ['{"game": "chess", "endings": ["KQK"], "__proto__": {"memory": "1MiB"}}', /unknown key "__proto__"/],
    ['{"game": "chess", "endings": ["KQK"], "constructor": 1}', /unknown key "constructor"/],
  ] as const) {
    writeFileSync(path, text);
    const { code, stderr } = await run(['solve', path, '--store', store]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  }
});

test.skipIf(!LONG)(
  `tags and operations of games and positions, and names in graphs, may be called so${ifShort}`,
  async () => {
    const tags = NAMES.map((name) => `[${name} "${name}"]\n`).join('');
    const operations = NAMES.map((name) => `${name} 1;`).join(' ');
    const games = join(folder, 'tags.pgn');
    writeFileSync(games, `${tags}[Event "x"]\n\n1. e4 *\n\n8/8/8/8/8/8/2k5/K6Q w - - ${operations}\n`);
    const study = await run(['study', games, '--store', store, '--json', '--out', join(folder, 'out.pgn')]);
    expect([study.code, study.stderr.match(/internal error/)]).toEqual([0, null]);
    const graph = join(folder, 'graph.json');
    const nodes = NAMES.map((name, i) => ({
      id: name,
      owner: i % 2,
      edges: [NAMES[(i * 5 + 1) % NAMES.length]],
    }));
    writeFileSync(graph, JSON.stringify({ players: ['constructor', '__proto__'], nodes }));
    const solved = await run(['solve', graph, '--store', store, '--json']);
    expect([solved.code, solved.stderr]).toEqual([0, '']);
    for (const name of NAMES) {
      const { code, stdout } = await run(['probe', graph, name, '--store', store, '--json']);
      expect([code, JSON.parse(stdout).id]).toEqual([0, name]);
    }
  },
);

test('options of the UCI engine', async () => {
  const lines = NAMES.map(
    (name) => `setoption name ${name} value ${name}\n${name} ${name}\nposition ${name}\n`,
  );
  const { code, stderr } = await runProcess(
    ['uci', '--store', store],
    `uci\n${lines.join('')}go ${NAMES.join(' ')}\nquit\n`,
  );
  expect([code, stderr]).toEqual([0, '']);
});

describe('HTTP', () => {
  interface Described {
    readonly paths: Record<string, Record<string, { readonly parameters?: { readonly name: string }[] }>>;
  }

  test('parameters, paths and bodies are refused, or are names like others', async () => {
    const { app } = served(await smallStore());
    const { paths } = (await (await app.request('/openapi.json')).json()) as Described;
    const wrong: unknown[] = [];
    async function ask(path: string, init?: RequestInit): Promise<void> {
      const answer = await app.request(path, init);
      if (answer.status >= 500) wrong.push([path, init?.body, answer.status, await answer.text()]);
      else await answer.body?.cancel();
    }
    for (const name of new Set([...tried, '__proto__']))
      for (const [path, ways] of Object.entries(paths)) {
        const { parameters = [] } = ways.get ?? {};
        const filled = path.replace(/\{\w+\}/g, name);
        await ask(filled);
        await ask(`/${name}`);
        const usual = { game: 'chess', metric: 'dtm', ending: 'KQK', fen: '8/8/8/8/8/8/2k5/K6Q w - - 0 1' };
        for (const { name: parameter } of parameters) {
          const query = new URLSearchParams({ ...usual, [parameter]: name });
          await ask(`${filled}?${query}`);
          await ask(`${filled}?${query}&${name}=1`);
        }
        if (ways.post === undefined) continue;
        for (const body of [
          `{"${name}": {"game": "chess"}}`,
          `{"game": "${name}", "positions": ["${name}"]}`,
          `{"game": "chess", "metric": "${name}", "positions": ["8/8/8/8/8/8/2k5/K6Q w - - 0 1"]}`,
        ])
          await ask(filled, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
      }
    expect(wrong).toEqual([]);
  });
});
