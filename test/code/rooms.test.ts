/** Names of folders and files, and the first lines of test folders. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { expect, test } from 'vitest';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n');
const code = tracked.filter((file) => /\.(ts|js|sh)$/.test(file));

/** Names that say nothing without the folder. */
const SAYS_NOTHING = /(^|\/)(names|words|layout|shapes|utils|helpers?|common|misc)\.ts$/;

test('each file has a name that says something without its folder', () => {
  expect(code.filter((file) => SAYS_NOTHING.test(file))).toEqual([]);
});

test('no file lies beside a folder of its own name', () => {
  const folders = new Set<string>();
  for (const file of tracked) for (let at = dirname(file); at !== '.'; at = dirname(at)) folders.add(at);
  expect(code.filter((file) => folders.has(file.slice(0, -extname(file).length)))).toEqual([]);
});

test('the first file of each test folder says which tests belong there', () => {
  const firsts = new Map<string, string>();
  for (const file of [...code].sort())
    if (file.startsWith('test/') && !firsts.has(dirname(file))) firsts.set(dirname(file), file);
  const silent = [...firsts.values()].filter(
    (file) => !/\bHere belongs?\b/.test(readFileSync(file, 'utf8').slice(0, 300)),
  );
  expect(firsts.size).toBeGreaterThan(20);
  expect(silent).toEqual([]);
});
