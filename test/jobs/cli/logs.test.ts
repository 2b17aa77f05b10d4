/** Logs: lines of JSON, from several processes in one file. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openLog } from '../../../jobs/cli/logs.js';
import { StorageError } from '../../../operators/core/errors.js';
import { testFolder } from '../../support/folders.js';

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('an event is a line with time, level, host, process, subject and figures', () => {
  const file = join(testFolder(), 'new folder', 'steps.log');
  const log = openLog(file);
  log.info('opened');
  log.about({ slice: 'KRK', phase: 'round 3' }).about({ task: 0 }).warn('retried', { ms: 1.5, bytes: 7 });
  const [first, second, ...more] = linesOf(readFileSync(file, 'utf8'));
  const place = { host: hostname(), pid: process.pid };
  expect(first).toEqual({ ...place, level: 'info', time: expect.any(String), event: 'opened' });
  const { time, ...rest } = second;
  const subject = { slice: 'KRK', phase: 'round 3', task: 0 };
  expect(rest).toEqual({
    ...place,
    ...subject,
    level: 'warn',
    event: 'retried',
    figures: { ms: 1.5, bytes: 7 },
  });
  expect(new Date(time).toISOString()).toBe(time);
  expect(more).toEqual([]);
});

test('a second log is added to a file, and without a file it goes to stderr', () => {
  const folder = testFolder();
  const file = join(folder, 'log');
  openLog(file).info('one');
  openLog(file).error('two');
  expect(linesOf(readFileSync(file, 'utf8')).map(({ event }) => event)).toEqual(['one', 'two']);

  const url = pathToFileURL(resolve('jobs/cli/logs.ts'));
  // Killed at once: all logged lines must be out.
  const program = `import { openLog } from '${url}'; openLog(null).error('three'); process.kill(process.pid, 'SIGKILL');`;
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stderr, signal } = spawnSync(process.execPath, ['--import', TSX, join(folder, 'program.mjs')], {
    encoding: 'utf8',
  });
  expect(signal).toBe('SIGKILL');
  expect(linesOf(stderr)).toMatchObject([{ level: 'error', event: 'three' }]);
});

const TSX = import.meta.resolve('tsx');

test('a file that cannot be opened is named', () => {
  const folder = testFolder();
  expect(() => openLog(folder)).toThrow(StorageError);
  expect(() => openLog(folder)).toThrow(folder);
});

test('a full disk does not stop the work', () => {
  const log = openLog('/dev/full');
  for (let i = 0; i < 100; i++) log.info('written');
});
