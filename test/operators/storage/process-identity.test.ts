/** The identity of a process, and where processes are found by theirs. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processIdentity, whereabouts } from '../../../operators/storage/process-identity.js';
import { testFolder } from '../../support/folders.js';
import { endedIdentity, foreignIdentity } from '../../support/identities.js';

const [random, place, pid, start] = processIdentity.split('.');
const isLinux = process.platform === 'linux';

test('a process finds itself, and knows that one which ended is gone', () => {
  expect(processIdentity).toMatch(/^[\da-f]{16}\.[\da-f]{12}\.\d+\.\d*$/);
  expect(whereabouts(processIdentity)).toBe('here');
  expect(whereabouts(endedIdentity())).toBe('gone');
});

test.skipIf(!isLinux)('a process that got the number of one that ended is not taken for it', () => {
  expect(whereabouts(`${random}.${place}.${pid}.${Number(start) - 1}`)).toBe('gone');
  expect(whereabouts(`0000000000000000.${place}.${pid}.${start}`)).toBe('here');
  expect(whereabouts(`0000000000000000.${place}.${process.ppid}.1`)).toBe('gone');
});

test('nothing is known of a process with another table of processes, whatever its number', () => {
  expect(whereabouts(foreignIdentity)).toBe('unknown');
  expect(whereabouts(`${random}.000000000000.${pid}.${start}`)).toBe('unknown');
  // As older versions, or systems without such a table, leave them.
  for (const left of [random, '4194305', '1@host', '']) expect(whereabouts(left)).toBe('unknown');
});

test('threads of a process share its identity, and another process has another', () => {
  const script = join(testFolder(), 'main.mjs');
  const module = new URL('../../../operators/storage/process-identity.ts', import.meta.url).href;
  writeFileSync(
    script,
    `
    import { isMainThread, Worker } from 'node:worker_threads';
    import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
    register();
    const { processIdentity } = await import(${JSON.stringify(module)});
    console.log(processIdentity);
    for (let i = 0; isMainThread && i < 2; i++) {
      const worker = new Worker(new URL(import.meta.url));
      await new Promise((done) => worker.on('exit', done));
    }`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const [own, ...ofThreads] = stdout.trim().split('\n');
  expect(ofThreads).toEqual([own, own]);
  expect(own).not.toBe(processIdentity);
  expect(whereabouts(own)).toBe('gone');
});
