/** Time that the command line takes before it does anything. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const CLI = resolve('dist/jobs/cli.js');
const PAIRS = 9;
const MOST_SECONDS = 0.15;

/** User and system time of a process and those it starts, which has to end well. */
function cpuSeconds(...args: string[]): number {
  const program = `${JSON.stringify(process.execPath)} ${args.map((arg) => `'${arg}'`).join(' ')}`;
  const { status, stdout } = spawnSync('sh', ['-c', `${program} >/dev/null || exit 1; times`], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const ofChildren = stdout.trim().split('\n')[1]!;
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * +m! + +s!, 0);
}

test.each(['--version', '--help'])(`%s takes at most ${MOST_SECONDS} CPU s more than Node itself`, (flag) => {
  const more: number[] = [];
  for (let i = 0; i < PAIRS; i++) more.push(cpuSeconds(CLI, flag) - cpuSeconds('-e', '0'));
  const median = more.sort((a, b) => a - b)[PAIRS >> 1]!;
  expect(median).toBeLessThan(MOST_SECONDS);
});
