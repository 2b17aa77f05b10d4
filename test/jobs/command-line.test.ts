/** How long the command line takes before it does anything, beside Node itself on the same machine at the same time. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

const CLI = resolve('dist/jobs/cli.js');
const PAIRS = 3;
/** 1.5 on a machine with much else to do. To load what serves or what reads Parquet takes twice as long as Node's own start. */
const MOST_STARTS = 3;

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
  `%s takes at most ${MOST_STARTS} times the processor's time of an empty Node${ifShort}`,
  (flag) => {
    const starts = Array.from({ length: PAIRS }, () => cpuSeconds(CLI, flag) / cpuSeconds('-e', '0'));
    const median = starts.sort((a, b) => a - b)[PAIRS >> 1];
    expect(median).toBeLessThan(MOST_STARTS);
  },
  120_000,
);

/** Chomp on 6 x 5 squares: 920 positions, 12,881 moves. It takes 7 to 8. */
const MOST_STARTS_OF_A_SMALL_GAME = 20;

test.skipIf(!LONG)(
  `a game of a thousand positions is solved in at most ${MOST_STARTS_OF_A_SMALL_GAME} times the processor's time of an empty Node${ifShort}`,
  () => {
    const folder = testFolder();
    const game = join(folder, 'game.ts');
    const chomp = readFileSync('samples/chomp/game.ts', 'utf8');
    writeFileSync(game, chomp.replace('[WIDTH, HEIGHT] = [8, 5]', '[WIDTH, HEIGHT] = [6, 5]'));
    const starts = Array.from({ length: PAIRS }, (_, i) => {
      const solve = cpuSeconds(CLI, 'solve', game, '--json', '--store', join(folder, `tables-${i}`));
      return solve / cpuSeconds('-e', '0');
    });
    expect(Math.min(...starts)).toBeLessThan(MOST_STARTS_OF_A_SMALL_GAME);
  },
  120_000,
);
