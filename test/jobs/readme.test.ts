/**
 * Every command of the README and of the tours in docs, as printed, in the order printed, in an empty folder. A command that
 * cannot run here is listed with the reason, so that no new command is left out unseen.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../support/cli.js';
import { LONG, LONGEST } from '../support/long.js';

/** Parts of commands that are not run here, and why. */
const ELSEWHERE: readonly (readonly [part: string, why: string])[] = [
  ['npm cit', 'runs these tests'],
  ['s3://', 'needs object storage: test/jobs/s3.test.ts'],
];

/** The commands of the shell blocks: comments cut off, lines that go on joined. */
function commandsOf(readme: string): string[] {
  return [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

/** Commands that run until they are stopped. */
const endless = (command: string) => command.includes('--watch') || /mergemate serve$/.test(command);
/** Commands that take minutes: all endings of four men, all of checkers of three, five men, comparisons, and lookups there. */
const long = (command: string) =>
  /KBNKN|KRBKNN|--men 4|--pieces [34]|KPK|KRKN|--export|syzygy verify/.test(command);

/** In this order: later pages ask about endings that earlier pages solved. */
const PAGES = ['README.md', 'docs/commands.md', 'docs/data.md'];

/** The short tests run the first of them. */
const FEW = 4;

const commands = [...new Set(PAGES.flatMap((page) => commandsOf(readFileSync(page, 'utf8'))))];

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
  const folder = testFolder();
  // An empty folder with the package installed, and its samples, which the commands name.
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(resolve('dist/jobs/cli.js'), join(folder, 'node_modules', '.bin', 'mergemate'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'mergemate'));
  cpSync('samples', join(folder, 'samples'), { recursive: true });
  let left = LONG ? commands.length : FEW;
  for (const printed of commands) {
    // The package is installed in this folder already.
    const command = printed.replace(/^npm ci && /, '');
    if (ELSEWHERE.some(([part]) => command.includes(part))) continue;
    if (!LONGEST && long(command)) continue;
    if (left-- === 0) break;
    const ran = spawnSync(
      'bash',
      ['-c', endless(command) ? `timeout --preserve-status 3 ${command}` : command],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}` },
      },
    );
    const wanted = endless(command) ? [0, 143] : [0];
    expect(wanted, `${command}\n${ran.stderr}`).toContain(ran.status);
  }
});
