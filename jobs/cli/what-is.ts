/** Looks at what is at a path of the command line. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { errnoOf, fileError, systemError } from '../../operators/storage/errno.js';

/** What is at a path. Undefined: nothing, which is also so where a part of the path is a file. Throws StorageError. */
export function whatIs(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw systemError(path, 'stat', error);
  }
}

/** The part of the path of a folder, or all of it, that is a file, so that the folder cannot be made; null if none is. */
export function fileOnPath(folder: string): string | null {
  const found = whatIs(folder);
  if (found !== undefined) return found.isDirectory() ? null : folder;
  const parent = dirname(folder);
  return parent === folder ? null : fileOnPath(parent);
}

/** Throws UserError if no file can be at the path that a flag gives: there is no folder for it, or it is a folder itself. StorageError if the folder cannot be written to. */
export function requirePlaceOfFile(flag: string, path: string): void {
  if (path === '-') throw new UserError(`${flag} -: this does not go to standard output: name a file`);
  if (whatIs(dirname(path))?.isDirectory() !== true)
    throw new UserError(`${flag} ${path}: there is no folder ${dirname(path)}`);
  if (/[/\\]$/.test(path) || whatIs(path)?.isDirectory())
    throw new UserError(`${flag} ${path} is a folder: name a file`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw fileError(path, 'written', error);
  }
}
