/** How long the command line takes before it does anything. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

const CLI = resolve('dist/jobs/cli.js');
const PAIRS = 5;
const MOST_SECONDS = 0.15;

/** User and system time of a process and those it starts, which has to end well. */
function cpuSeconds(...args: string[]): number {
  const program = `${JSON.stringify(process.execPath)} ${args.map((arg) => `'${arg}'`).join(' ')}`;
  const { status, stdout } = spawnSync('sh', ['-c', `${program} >/dev/null || exit 1; times`], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const ofChildren = stdout.trim().split('\n')[1];
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * +m + +s, 0);
}

test.skipIf(!LONG).each(['--version', '--help'])(
  `%s takes at most ${MOST_SECONDS} CPU s more than Node itself${ifShort}`,
  (flag) => {
    const more: number[] = [];
    for (let i = 0; i < PAIRS; i++) more.push(cpuSeconds(CLI, flag) - cpuSeconds('-e', '0'));
    const median = more.sort((a, b) => a - b)[PAIRS >> 1];
    expect(median).toBeLessThan(MOST_SECONDS);
  },
);

/** Chomp on 6 x 5 squares: 920 positions, 12,881 moves. Less than 0.5 on an idle machine; others on it make that half as much again. */
const MOST_SECONDS_OF_A_SMALL_GAME = 0.75;

test.skipIf(!LONG)(
  `a game of a thousand positions is solved in ${MOST_SECONDS_OF_A_SMALL_GAME} CPU s more than --version takes, or less${ifShort}`,
  () => {
    const folder = testFolder();
    const game = join(folder, 'game.ts');
    const chomp = readFileSync('samples/chomp/game.ts', 'utf8');
    writeFileSync(game, chomp.replace('[WIDTH, HEIGHT] = [8, 5]', '[WIDTH, HEIGHT] = [6, 5]'));
    const more: number[] = [];
    for (let i = 0; i < PAIRS; i++) {
      const solve = cpuSeconds(CLI, 'solve', game, '--json', '--store', join(folder, `tables-${i}`));
      more.push(solve - cpuSeconds(CLI, '--version'));
    }
    expect(Math.min(...more)).toBeLessThan(MOST_SECONDS_OF_A_SMALL_GAME);
  },
  120_000,
);
