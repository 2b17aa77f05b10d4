/**
 * Every command of the README and of the tours in docs, as printed, in the order printed, in an empty folder. A command that
 * cannot run here is listed with the reason, so that no new command is left out unseen.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../support/cli.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';

/** Parts of commands that are not run here, and why. */
const ELSEWHERE: readonly (readonly [part: string, why: string])[] = [
  ['npm cit', 'runs these tests'],
  ['s3://', 'needs object storage: test/jobs/s3.test.ts'],
];

/** The commands of the shell blocks: comments cut off, lines that go on joined. */
function commandsOf(readme: string): string[] {
  return [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

/** Commands that run until they are stopped. */
const endless = (command: string) =>
  command.includes('--watch') || /mergemate serve( --game \S+)?$/.test(command);
/** Commands that take minutes: all endings of four men, all of checkers of three, five men, comparisons, and lookups there. */
const long = (command: string) =>
  /KBNKN|KRBKNN|--men 4|--pieces [34]|KPK|KRKN|--export|syzygy verify/.test(command);

/** In this order: later pages ask about endings that earlier pages solved. */
const PAGES = ['README.md', 'docs/commands.md', 'docs/data.md'];

/** The short tests run the first of them. */
const FEW = 4;

const commands = [...new Set(PAGES.flatMap((page) => commandsOf(readFileSync(page, 'utf8'))))];

/** An empty folder with the package installed. */
function folderWithPackage(): string {
  const folder = testFolder();
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(resolve('dist/jobs/cli.js'), join(folder, 'node_modules', '.bin', 'mergemate'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'mergemate'));
  return folder;
}

function runIn(folder: string, command: string) {
  return spawnSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}` },
  });
}

test('there are commands, and what is said to run elsewhere is among them', () => {
  expect(commands.length).toBeGreaterThan(25);
  for (const [part] of ELSEWHERE) {
    expect(
      commands.filter((command) => command.includes(part)),
      part,
    ).not.toEqual([]);
  }
});

const which = LONGEST
  ? 'every command runs'
  : LONG
    ? 'all but the long commands run'
    : `the first ${FEW} commands run`;
test(`${which} as printed, in an empty folder`, {
  timeout: 3_600_000,
}, () => {
  const folder = folderWithPackage();
  // The commands name samples.
  cpSync('samples', join(folder, 'samples'), { recursive: true });
  let left = LONG ? commands.length : FEW;
  for (const printed of commands) {
    // The package is installed in this folder already.
    const command = printed.replace(/^npm ci && /, '');
    if (ELSEWHERE.some(([part]) => command.includes(part))) continue;
    if (!LONGEST && long(command)) continue;
    if (left-- === 0) break;
    const exited = runIn(folder, endless(command) ? `timeout --preserve-status 3 ${command}` : command);
    const wanted = endless(command) ? [0, 143] : [0];
    expect(wanted, `${command}\n${exited.stderr}`).toContain(exited.status);
  }
});

test.skipIf(!LONG)(
  `Othello: the commands do what the page prints, and its code is that of the sample${ifShort}`,
  {
    timeout: 600_000,
  },
  () => {
    const page = readFileSync('docs/othello.md', 'utf8');
    const folder = folderWithPackage();
    let said = '';
    for (const command of commandsOf(page)) {
      const { status, stdout, stderr } = runIn(folder, command);
      expect(status, `${command}\n${stderr}`).toBe(0);
      said += stdout;
    }
    const code = ['game', 'drawing']
      .map((name) => readFileSync(`samples/othello/${name}.ts`, 'utf8'))
      .join('');
    const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
    for (const [, language, text] of blocks) {
      if (language === 'ts') expect(code.replaceAll('export interface', 'interface')).toContain(text);
      // Lines of several commands may be printed together.
      if (language === '') for (const line of text.split('\n')) expect(said).toContain(`${line}\n`);
    }
    expect(blocks.filter(([, language]) => language === '').length).toBeGreaterThan(3);
    expect(readFileSync(join(folder, 'othello.parquet')).subarray(0, 4).toString()).toBe('PAR1');
    expect(readFileSync(join(folder, 'site/index.html'), 'utf8')).toContain('page.js');
  },
);

test.skipIf(!LONG)(
  `the first hour: at most ten commands do what the page prints${ifShort}`,
  { timeout: 1_800_000 },
  () => {
    const page = readFileSync('docs/first-hour.md', 'utf8');
    const [install, ...rest] = commandsOf(page);
    expect(install).toBe('npm ci');
    // With that which clones.
    expect(rest.length + 2).toBeLessThanOrEqual(10);
    const folder = folderWithPackage();
    let said = '';
    for (const command of rest) {
      const exited = runIn(folder, endless(command) ? `timeout --preserve-status 3 ${command}` : command);
      expect(endless(command) ? [0, 143] : [0], `${command}\n${exited.stderr}`).toContain(exited.status);
      said += exited.stdout;
    }
    const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
    const printed = blocks.flatMap(([, language, text]) => (language === '' ? [text] : []));
    expect(printed.length).toBeGreaterThan(1);
    for (const text of printed) expect(said).toContain(text);
    expect(readFileSync(join(folder, 'checked.pgn'), 'utf8')).toContain(
      '1. Kg7 $7 {only move (draw)} (1. Kh7',
    );
  },
);
