/** The files of a store in a folder: objects, and those that are being written. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { ObstacleError, StorageError } from '../core/errors.js';
import { errnoOf, systemError } from './errno.js';
import { NEW_FILE } from './file-access.js';
import { objectName, TEMPORARY } from './object-names.js';
import { processIdentity } from './process-identity.js';
import type { Unfinished } from './store.js';

export const isTemporary = (file: string): boolean => file.startsWith(TEMPORARY);
export const isObject = (file: string): boolean => !isTemporary(file);
/** Tells the threads of a process apart. */
const thread = randomBytes(4).toString('hex');
let temporaries = 0;

/**
 * A name for a file that is being written: no other thread or process gives the same. It has the identity of the process, by which others
 * recognize abandoned files.
 */
export function newTemporaryName(): string {
  return `${TEMPORARY}${processIdentity}-${thread}.${temporaries++}`;
}

/** The identity in the name of a temporary file; null if no process of this program gave the name. */
export function writerOf(file: string): string | null {
  return /^\.tmp-([\da-z.]+)-[\da-z.]+$/.exec(file)?.[1] ?? null;
}

/**
 * Milliseconds by which the clock of the file system of a folder is ahead of the clock of this machine: they differ where a server keeps the
 * files. Null if nothing can be written into the folder.
 */
export function clockAhead(folder: string): number | null {
  const path = join(folder, newTemporaryName());
  try {
    const descriptor = openSync(path, NEW_FILE);
    try {
      return fstatSync(descriptor).mtimeMs - Date.now();
    } finally {
      closeSync(descriptor);
      unlinkSync(path);
    }
  } catch {
    return null;
  }
}

/**
 * The file, or undefined if there is none. @throws StorageError if something else has its name (a folder, a FIFO, a device, a dangling
 * symbolic link), which is not an object and keeps one from being published.
 */
export function fileAt(path: string, object: string): Stats | undefined {
  const found = statIfThere(path, object, statSync);
  if (found !== undefined) requireRegular(found, object);
  else if (statIfThere(path, object, lstatSync)?.isSymbolicLink() === true)
    throw new StorageError(object, 'is a dangling symbolic link');
  return found;
}

/** @throws StorageError that names the kind of anything but a regular file. */
export function requireRegular(found: Stats, object: string): void {
  if (found.isFile()) return;
  const kind = found.isDirectory()
    ? 'a folder'
    : found.isFIFO()
      ? 'a named pipe (FIFO)'
      : found.isSocket()
        ? 'a socket'
        : 'a device';
  const Kind = found.isDirectory() ? ObstacleError : StorageError;
  throw new Kind(object, `is ${kind}, not a regular file: move it away`);
}

/** The temporary file `name`; nothing if it is gone by now, or is not one of ours. */
export function temporaryAt(at: { uri: string }, root: string, name: string): Unfinished[] {
  const writer = writerOf(name.slice(name.lastIndexOf('/') + 1));
  const object = objectName(at, name);
  const path = join(root, name);
  const found = writer === null ? undefined : statIfThere(path, object, statSync);
  if (writer === null || found?.isFile() !== true) return [];
  const remove = async () => {
    try {
      unlinkSync(path);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw systemError(object, 'delete', error);
    }
  };
  return [{ name, bytes: found.size, at: found.mtimeMs, writer, remove }];
}

/** What is at a path; undefined if nothing is. */
function statIfThere(path: string, object: string, look: typeof statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw systemError(object, 'stat', error);
  }
}

/**
 * Adds the files under `folder` ("" or "a/b/") that are `wanted` to `names`; anything but a folder counts as a file. Symbolic links to
 * folders are followed, unless they lead to a folder that contains them. Files and folders may be deleted meanwhile.
 * @param into ids of the folders that `folder` is in.
 */
export function listInto(
  names: string[],
  at: { uri: string },
  root: string,
  folder: string,
  wanted: (file: string) => boolean,
  into: ReadonlySet<string> = new Set(),
): void {
  try {
    const inside = new Set(into).add(idOf(statSync(join(root, folder))));
    for (const found of readdirSync(join(root, folder), { withFileTypes: true })) {
      const linked = found.isSymbolicLink() ? folderBehind(join(root, folder, found.name)) : undefined;
      if (found.isDirectory() || linked !== undefined) {
        if (linked === undefined || !inside.has(idOf(linked)))
          listInto(names, at, root, `${folder}${found.name}/`, wanted, inside);
      } else if (wanted(found.name)) names.push(`${folder}${found.name}`);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return;
    throw systemError(objectName(at, folder), 'list', error);
  }
}

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The folder that a symbolic link leads to; undefined if it leads to no folder. */
function folderBehind(path: string): Stats | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() === true ? found : undefined;
  } catch (error) {
    // A circle of links is listed as an object, so that reading it reports an error.
    if (errnoOf(error) === 'ELOOP') return undefined;
    throw error;
  }
}
