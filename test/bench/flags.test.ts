/** Wrong flags of `npm run bench`, which is built as for a run: five processes of it start in the time of one from its sources. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

beforeAll(() => {
  if (LONG) execFileSync('npx', ['vite', 'build', '-c', 'test/bench/vite.config.ts'], { stdio: 'pipe' });
});

test.skipIf(!LONG).each([
  [['--only', 'peers'], /^mergemate: --only peers: name a program by MERGEMATE_BENCH_RTBGEN.*\n$/],
  [
    ['--only', 'keyed', '--contest', '9x9'],
    /^mergemate: --contest: there is no 9x9 \(there are: 4x5-naive, .*\n$/,
  ],
  [['--only', 'keyed', '--contest', 'connect4'], /^mergemate: --contest connect4: name the folder .*\n$/],
  [['--only', 'blocks'], /^mergemate: blocks: --tables says where .*\n$/],
  [['--only', 'set'], /^mergemate: set: --syzygy names the folder .*\n$/],
])(`%s is one line, exit code 2, and leaves no file${ifShort}`, (flags, line) => {
  const folder = testFolder();
  const {
    MERGEMATE_BENCH_RTBGEN,
    MERGEMATE_BENCH_RTBGENP,
    MERGEMATE_BENCH_CHESSTB,
    MERGEMATE_BENCH_CONNECT4,
    ...env
  } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ['dist/test/bench/main.js', ...flags], {
    encoding: 'utf8',
    env: { ...env, TMPDIR: folder },
  });
  expect(stderr).toMatch(line);
  expect(status).toBe(2);
  expect(readdirSync(folder).filter((name) => name.startsWith('mergemate-bench'))).toEqual([]);
});
