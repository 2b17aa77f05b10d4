/** The folder that a report goes to. */
import { mkdirSync } from 'node:fs';
import { StorageError, UserError } from '../../operators/core/errors.js';

/** Throws UserError if it is no folder, StorageError if it cannot be made. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UserError(`--out ${path} is a file, not a folder`);
    if (code === 'ENOTDIR') throw new UserError(`--out ${path} lies in a file, not in a folder`);
    throw new StorageError(path, message);
  }
}
