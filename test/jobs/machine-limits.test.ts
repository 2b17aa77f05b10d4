/** Limits of the machine give one line, wherever they are met; open files are as few as there may be. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packError, unpackError } from '../../jobs/engines/packed-error.js';
import { StorageError } from '../../operators/core/errors.js';
import { newDescriptors } from '../../operators/storage/descriptors.js';
import { limitError } from '../../operators/storage/errno.js';
import { testFolder } from '../support/folders.js';
import { sweep } from '../support/long.js';

/** Runs the command line with this limit of open files. */
function runWith(files: number, args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const command = `ulimit -n ${files} && exec "$0" dist/jobs/cli.js "$@"`;
  return new Promise((done) => {
    execFile('sh', ['-c', command, process.execPath, ...args], (error, _, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stderr }),
    );
  });
}

// With 21 the thread that solves cannot begin. A small slice can be solved with 32, two threads need more.
test.each(
  sweep(
    [
      [21, 'KQK', '1'],
      [28, 'KQK', '1'],
    ],
    [[50, 'KQKR', '2']],
  ),
)(
  'too few open files (%d) end the command with exit code 2, not as a bug',
  async (files, ending, workers) => {
    const solve = ['solve', 'chess', ending, '--workers', workers, '--store', testFolder()];
    const { code, stderr } = await runWith(files, solve);
    expect(code).toBe(2);
    // A file cannot be opened, or a thread cannot begin.
    const limit = String.raw`this process may not have more open files \(ulimit -n\) \((write: )?EMFILE\)|.*ERR_WORKER_INIT_FAILED.*`;
    expect(stderr).toMatch(new RegExp(String.raw`^(\w+ \[\d/\d\]\n)*mergemate: [^\n]+: (${limit})\n$`));
  },
);

test('a store is read within the limit of open files', () => {
  const folder = testFolder();
  const paths = Array.from({ length: 20 }, (_, i) => join(folder, String(i)));
  for (const path of paths) writeFileSync(path, path);
  const open = new Set<string>();
  const most = 5;
  const tooMany = () => Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  const attempt = (path: string) => {
    if (open.size >= most) throw tooMany();
    open.add(path);
    return Number(path.slice(folder.length + 1)) + 100;
  };
  const closed: number[] = [];
  const descriptors = newDescriptors(32, attempt, (descriptor) => {
    closed.push(descriptor);
    open.delete(join(folder, String(descriptor - 100)));
  });
  for (const path of [...paths, ...paths]) descriptors.open(path);
  expect(open.size).toBe(most);
  expect(closed.slice(0, 3)).toEqual([100, 101, 102]);
  // Files to be written get room, too; an error says if there is none to be had.
  expect(descriptors.withRoom(() => attempt(join(folder, '7')))).toBe(107);
  const full = () => {
    throw tooMany();
  };
  expect(() => descriptors.withRoom(full)).toThrow('EMFILE');
});

test('a limit that a thread meets is reported as such', () => {
  const error = Object.assign(new Error('ENOMEM: not enough memory, read'), { code: 'ENOMEM', path: '/a/b' });
  const unpacked = unpackError(packError(error));
  expect(unpacked).toBeInstanceOf(StorageError);
  expect(unpacked.message).toBe('/a/b: the system has no more memory (ENOMEM)');
  expect(limitError(new Error('a bug'))).toBeNull();
});
