/**
 * Differences between operating systems in how they treat files, with fallbacks. All tests run on Linux; a double that fails as Windows
 * and macOS do stands in for these (test/support/other-systems.cjs).
 *
 * | | Linux | macOS | Windows | instead |
 * |---|---|---|---|---|
 * | fsync of a folder | yes | yes | EPERM | nothing: NTFS writes names by its journal |
 * | rename an open file, or onto one | yes | yes | EPERM, EACCES, EBUSY | files are closed after each read, and the rename is retried for a while |
 * | delete a file that is open | yes | yes | EPERM, EBUSY | the same; swap files keep their names until they are closed |
 * | open without waiting for a FIFO's writer | O_NONBLOCK | O_NONBLOCK | no FIFOs | nothing |
 * | bypass the page cache | O_DIRECT | no | no | a StorageError that says so |
 * | names | all but "/" and NUL | the same | neither ":" nor "?" nor … | a StorageError; no name of mergemate's own has such characters |
 */
import { closeSync, constants, fsync, fsyncSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errnoOf } from './errno.js';

const isWindows = process.platform === 'win32';

/** Flags of open(2) for a file that is read. Without O_NONBLOCK, opening a FIFO waits for its writer. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The flag of open(2) that has a file bypass the page cache; undefined if the system has none. */
export const DIRECT: number | undefined = constants.O_DIRECT;

/** Whether a file that somebody has open can be renamed, replaced and deleted. Where it cannot, a reader must not keep it open. */
export const mayChangeOpenFiles = !isWindows;

/** Pauses between retries: two seconds in all, in which readers and virus scanners close the file. */
const PAUSES_MS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const IN_USE = new Set(['EBUSY', 'EPERM', 'EACCES']);
/** Error codes of systems and file systems that cannot sync a folder. */
const NEVER_SYNCED = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Whether a change failed because somebody has the file open, which may pass. */
export function isInUse(error: unknown): boolean {
  return !mayChangeOpenFiles && IN_USE.has(errnoOf(error));
}

/** Runs `change`, which renames or deletes a file, and retries while the file is in use. Returns its result. Throws the system's error. */
export async function changed<T>(change: () => T | Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await change();
    } catch (error) {
      if (!isInUse(error)) throw error;
      await pause(ms);
    }
  }
  return change();
}

/** As {@link changed}; the thread waits. */
function changedNow(change: () => void): void {
  for (const ms of PAUSES_MS) {
    try {
      change();
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  }
  change();
}

/** Renames a file that is closed, in place of one that may be there. */
export const replaceFile = (from: string, to: string): Promise<void> => changed(() => renameSync(from, to));

/** As {@link replaceFile}; the thread waits. */
export const replaceFileNow = (from: string, to: string): void => changedNow(() => renameSync(from, to));

/** Removes the name of a file that this process has open and goes on to use. False: it has to be removed again when it is closed. */
export function unlinkOpened(path: string): boolean {
  try {
    unlinkSync(path);
    // Windows may keep the name of a file that is deleted while it is open, until it is closed.
    return true;
  } catch (error) {
    if (!isInUse(error)) throw error;
    return false;
  }
}

const toDisk = promisify(fsync);

/**
 * Has the names in a folder written to the device, if the system can do that.
 * @param open opens the folder.
 */
export async function syncFolder(
  folder: string,
  open: (path: string) => number = (path) => openSync(path, 'r'),
): Promise<void> {
  const descriptor = folderDescriptor(folder, open);
  if (descriptor === null) return;
  try {
    await toDisk(descriptor);
  } catch (error) {
    if (!NEVER_SYNCED.has(errnoOf(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** As {@link syncFolder}; the thread waits. */
export function syncFolderNow(folder: string): void {
  const descriptor = folderDescriptor(folder, (path) => openSync(path, 'r'));
  if (descriptor === null) return;
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!NEVER_SYNCED.has(errnoOf(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Null where folders cannot be opened. */
function folderDescriptor(folder: string, open: (path: string) => number): number | null {
  try {
    return open(folder);
  } catch (error) {
    if (NEVER_SYNCED.has(errnoOf(error))) return null;
    throw error;
  }
}

const FORBIDDEN = /[<>:"|?*\\\p{Cc}]|[. ]$/u;
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether no file can have a name (a/b): what follows a colon would be another stream of the file before it, and "nul" a device. */
export function isUnusable(name: string, windows = isWindows): boolean {
  return windows && name.split('/').some((part) => FORBIDDEN.test(part) || DEVICES.test(part));
}
