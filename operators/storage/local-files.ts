/** The files of a store in a folder: objects, and those that are being written. */
import { readdirSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, systemError } from './errno.js';
import { objectName, TEMPORARY } from './object-names.js';
import type { Unfinished } from './store.js';

export const isTemporary = (file: string): boolean => file.startsWith(TEMPORARY);
export const isObject = (file: string): boolean => !isTemporary(file);

/** The file, or undefined if there is none. */
export function fileAt(path: string, object: string): Stats | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? found : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw systemError(object, 'stat', error);
  }
}

/** The temporary file `name`; nothing if it is gone by now, or is not one of ours. */
export function temporaryAt(at: { uri: string }, root: string, name: string): Unfinished[] {
  const match = /^(\d+)-\d+$/.exec(name.slice(name.lastIndexOf('/') + 1 + TEMPORARY.length));
  const object = objectName(at, name);
  const path = join(root, name);
  const found = fileAt(path, object);
  if (match === null || found === undefined) return [];
  const remove = async () => {
    try {
      unlinkSync(path);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw systemError(object, 'delete', error);
    }
  };
  return [{ name, bytes: found.size, at: found.mtimeMs, pid: Number(match[1]), remove }];
}

/** Adds the files under `folder` ("" or "a/b/") that are `wanted` to `names`. */
export function listInto(
  names: string[],
  at: { uri: string },
  root: string,
  folder: string,
  wanted: (file: string) => boolean,
): void {
  try {
    for (const found of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (found.isDirectory()) listInto(names, at, root, `${folder}${found.name}/`, wanted);
      else if (wanted(found.name)) names.push(`${folder}${found.name}`);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return;
    throw systemError(objectName(at, folder), 'list', error);
  }
}
