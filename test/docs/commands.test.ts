/**
 * Commands that the documentation prints: each is one that the program has, with its flags, and each runs as printed. The README,
 * the tours and the first hour have tests of their own (test/docs/readme.test.ts). A command that cannot run here is listed with
 * the reason, so that no new one is left out unseen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command, CommanderError } from 'commander';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { operandsLast } from '../../jobs/cli/operands.js';
import { program } from '../../jobs/command-line.js';
import { newFolder } from '../support/folders.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';
import { commandsOf, environment, folderWithPackage, outputOf } from '../support/printed-commands.js';

/** Every page of Markdown, but the record of changes, which names commands of its day. */
const PAGES = ['.', 'docs', 'samples']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((page) => page.endsWith('.md') && page !== 'CHANGELOG.md')
  .sort();

/** The words of each call of the program in a line of shell, up to the next pipe, redirection or command. */
function callsIn(line: string): string[][] {
  return [...line.matchAll(/(?:^|npx |&& |\| |\()mergemate ((?:"[^"]*"|'[^']*'|[^"'|&<>;)])+)/g)].map(
    ([, call]) =>
      [...call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c).filter((w) => w),
  );
}

function newProgram(): Command {
  const root = program().option('--help');
  for (const command of [root, ...root.commands])
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .action(() => {});
  return root;
}

/** What a call is refused for, or null. */
function refusalOf(words: readonly string[]): string | null {
  const root = newProgram();
  try {
    root.parse(operandsLast(root, [...words]), { from: 'user' });
    return null;
  } catch (error) {
    // Prose names commands without what they work on.
    if (/[aA]rgument|missing/.test((error as CommanderError).code)) return null;
    return `mergemate ${words.join(' ')}: ${(error as Error).message}`;
  }
}

test('calls of the program are found in shell lines, and wrong ones are reported', () => {
  expect(callsIn('npm ci && npx mergemate solve a.json')).toEqual([['solve', 'a.json']]);
  expect(callsIn('printf x | npx mergemate probe chess "8/8 w - - 0 1" > out')).toEqual([
    ['probe', 'chess', '8/8 w - - 0 1'],
  ]);
  expect(refusalOf(['solve', 'chess', 'KQK', '--no-such'])).toContain('--no-such');
  expect(refusalOf(['solve', 'chess', 'KQK', '--memory', '1MiB'])).toBe(null);
});

test.each(PAGES)('the program has the commands and flags that %s prints', (page) => {
  const text = readFileSync(page, 'utf8');
  const inLines = [...text.matchAll(/`(mergemate [^`…]+)`/g)].map(([, line]) => line.replace(/\s+/g, ' '));
  // Names in capitals stand for what a reader has.
  const calls = [...commandsOf(text), ...inLines].filter((line) => !/\.\.\.|…|\bCOMMAND\b/.test(line));
  expect(calls.flatMap(callsIn).flatMap((words) => refusalOf(words) ?? [])).toEqual([]);
});

/** Commands that are not run here, and why. */
const ELSEWHERE: readonly (readonly [part: RegExp, why: string])[] = [
  [/s3:\/\/|--port 80/, 'needs object storage or a port of the system: test/jobs/commands/s3.test.ts'],
  [
    /^mpirun|^aws |^podman/,
    'needs a cluster or a builder of images: test/jobs/engines/batch-templates.test.ts',
  ],
  [/^npm run bench/, 'takes hours as printed; tests of the benches take less'],
  [/^pip |npm pack|^npm |^mkdir my-game/, 'installs; test/package/package.test.ts installs the package'],
  [/checkers --pieces 6/, 'eleven minutes of CPU: docs/lab/checkers-six.md'],
  [/compare chess KBBKN/, 'the paged solver takes hours in the smallest memory'],
];
/** Commands that take ten seconds or more, and those that read what they write. They run in the longest tests alone. */
const LONG_ONES =
  /dtm50|KPKP\.25|--pieces 4 |--pieces 4$|--men 4|KRBKN|KBBKN|kbbkn|as syzygy|verify \.\/syzygy|KQvK KRvK|published published|krkn\.arrow/;

interface Tour {
  readonly page: string;
  /** Commands that solve what the page takes for granted: those that pages have in common come first. */
  readonly before?: readonly string[];
  /** Files of the reader, by name: where their text comes from. */
  readonly files?: Readonly<Record<string, () => string>>;
  /** The commands of the page that are meant; all unless given. */
  readonly only?: RegExp;
}

const read = (path: string) => () => readFileSync(path, 'utf8');

/** The block of TypeScript of a page that has a text. */
const codeOf = (page: string, text: string): string =>
  [...readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, code]) => code)
    .find((code) => code.includes(text))!;

/** Writes the set of Syzygy files that pages ask: of three men in the longest tests, else of queen against king alone. */
const SYZYGY = `mergemate solve chess ${LONGEST ? '--men 3' : 'KQK'} --metric dtz --to ./syzygy`;

const TOURS: readonly Tour[] = [
  { page: 'docs/chess.md', before: ['mergemate solve chess KQKR'] },
  {
    page: 'docs/study.md',
    before: [SYZYGY, 'mergemate solve chess KPKR'],
    files: { 'games.pgn': read('samples/studies.pgn') },
  },
  { page: 'docs/chess-counts.md', before: ['mergemate solve chess KPK --metric dtz'] },
  {
    page: 'docs/checkers.md',
    before: [
      `mergemate solve checkers ${LONGEST ? '--pieces 3' : '2100'}`,
      `mergemate publish checkers ${LONGEST ? '--pieces 3' : '2100'}`,
      'mergemate solve checkers 1110 --metric dtw',
    ],
  },
  { page: 'docs/estimate.md' },
  {
    page: 'docs/graphs.md',
    files: { 'town.json': () => /```json\n([\s\S]*?)```/.exec(readFileSync('docs/graphs.md', 'utf8'))![1] },
  },
  {
    page: 'docs/integrity.md',
    before: [
      'mergemate solve chess KQK --metric dtz',
      'mergemate publish chess KQK --metric dtz --codec packed',
      'mergemate solve town.jsonl',
      'mergemate solve game.ts',
    ],
    files: { 'town.jsonl': read('samples/town.jsonl'), 'game.ts': read('samples/hex/game.ts') },
  },
  { page: 'docs/monitor.md' },
  { page: 'docs/problems.md' },
  { page: 'docs/runs.md' },
  {
    page: 'docs/http.md',
    before: [
      'mergemate solve chess KQKR --metric dtz',
      'mergemate solve chess KQKR',
      'mergemate solve checkers 1100',
      'mergemate solve samples/town.jsonl',
      'mergemate solve my-game.ts',
      // With fewer positions than the answer that is printed.
      'mergemate solve chess --from "8/k7/3p4/p2P4/P2P4/8/8/K7 w - - 0 1" --promote q --most-pieces 0',
    ],
    files: {
      'my-game.ts': read('samples/othello/game.ts'),
      'drawing.ts': read('samples/othello/drawing.ts'),
    },
  },
  {
    page: 'docs/serve.md',
    before: [
      SYZYGY,
      'mergemate solve chess KQKR',
      'mergemate publish chess KQK --metric dtm --codec packed',
      'mergemate solve my-game.ts',
    ],
    files: {
      'my-game.ts': read('samples/othello/game.ts'),
      'drawing.ts': read('samples/othello/drawing.ts'),
    },
  },
  {
    page: 'docs/site.md',
    before: [
      SYZYGY,
      'mergemate solve chess KQKR',
      'mergemate publish chess KQK --metric dtm --codec packed',
      'mergemate solve chess KPK --metric dtm',
    ],
  },
  {
    page: 'docs/your-own-game.md',
    files: { 'chomp.ts': () => codeOf('docs/your-own-game.md', "name: 'chomp'") },
  },
  {
    page: 'docs/kinds-of-games.md',
    files: {
      'chomp.ts': () => codeOf('docs/your-own-game.md', "name: 'chomp'"),
      'subtraction.ts': () => codeOf('docs/kinds-of-games.md', "name: 'subtraction'"),
    },
  },
  { page: 'docs/kernels-of-your-own.md', files: { 'game.ts': read('samples/nim.ts') } },
  // Its solves take minutes.
  { page: 'docs/position.md', only: LONGEST ? /./ : /mergemate plan/ },
  { page: 'docs/syzygy.md', before: [SYZYGY] },
  { page: 'docs/design/rivals.md' },
  { page: 'docs/design/faults.md' },
  { page: 'docs/batch-engines.md' },
  ...['connect-four', 'controller', 'dodgem', 'pursuit'].map((name) => ({
    page: `samples/${name}/README.md`,
  })),
];

/** Pages whose commands others run, and records of what took hours. */
const NOT_HERE = /^README\.md|docs\/(commands|data|othello|first-hour|python)\.md|docs\/lab\/|CONTRIBUTING/;

test('every page with commands is run', () => {
  const withCommands = PAGES.filter((page) => commandsOf(readFileSync(page, 'utf8')).length > 0);
  const pages = TOURS.map(({ page }) => page);
  expect(withCommands.filter((page) => !NOT_HERE.test(page) && !pages.includes(page))).toEqual([]);
});

/** A server for commands that ask one: its address. */
async function serveIn(folder: string): Promise<string> {
  const child: ChildProcess = spawn('mergemate', ['serve', '--game', './my-game.ts', '--port', '0'], {
    cwd: folder,
    env: environment(folder),
  });
  onTestFinished(() => void child.kill());
  return new Promise((done, failed) => {
    let printed = '';
    const look = (text: string) => {
      printed += text;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
      if (address !== null) done(address[0]);
    };
    child.stdout!.setEncoding('utf8').on('data', look);
    child.stderr!.setEncoding('utf8').on('data', look);
    child.on('close', () => failed(new Error(`serve ended: ${printed}`)));
  });
}

/** Folders with what commands left, by these commands: pages that begin with the same ones get copies. */
const left = new Map<string, string>();

/** Runs commands in a folder, or copies what they left in another. */
async function prepare(folder: string, commands: readonly string[]): Promise<void> {
  const namesOf = (count: number) => commands.slice(0, count).join('\n');
  let done = commands.length;
  while (done > 0 && !left.has(namesOf(done))) done--;
  if (done > 0) cpSync(left.get(namesOf(done))!, folder, { recursive: true });
  for (; done < commands.length; ) {
    await outputOf(folder, commands[done++]);
    const kept = newFolder();
    for (const name of ['tables', 'syzygy', 'published'])
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(kept, name), { recursive: true });
    left.set(namesOf(done), kept);
  }
}
afterAll(() => {
  for (const kept of left.values()) rmSync(kept, { recursive: true, force: true });
});

describe.skipIf(!LONG)(`commands run as printed${ifShort}`, () => {
  for (const { page, before = [], files = {}, only = /./ } of TOURS) {
    const commands = commandsOf(readFileSync(page, 'utf8')).filter(
      (command) =>
        only.test(command) &&
        !ELSEWHERE.some(([part]) => part.test(command)) &&
        (LONGEST || !LONG_ONES.test(command)),
    );
    const name = `${page}${only.source === '.' ? '' : `, ${only.source}`}`;
    test.skipIf(commands.length === 0)(name, { timeout: 3_600_000 }, async () => {
      const folder = folderWithPackage();
      cpSync('samples', join(folder, 'samples'), { recursive: true });
      symlinkSync(resolve('node_modules/tsx/dist/cli.mjs'), join(folder, 'node_modules', '.bin', 'tsx'));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text());
      await prepare(folder, before);
      let address: string | null = null;
      for (const printed of commands) {
        let command = printed.replace(/ &$/, '');
        // Another process may have the port that is printed.
        if (/mergemate serve/.test(command)) command += ' --port 0';
        if (command.startsWith('curl ')) {
          address ??= await serveIn(folder);
          command = command.replace('curl ', 'curl --fail -sS ').replace('http://127.0.0.1:8080', address);
        }
        await outputOf(folder, command);
      }
    });
  }
});
