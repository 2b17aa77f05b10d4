import { StorageError } from '../core/errors.js';

const WORDS: Record<string, string> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'there is already an object of this name',
  EFBIG: 'the file is larger than this file system or process may write',
  EIO: 'the disk failed (input/output error)',
  EISDIR: 'it is a folder, not an object',
  ELOOP: 'its path has too many symbolic links',
  EMFILE: 'this process has too many open files',
  ENAMETOOLONG: 'its name is too long for this file system',
  ENFILE: 'the system has too many open files',
  ENOENT: 'no such object',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EPERM: 'the operation is not permitted here',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network file system lost the file',
};

/** The errno name of a system error, e.g. "ENOENT"; '' for anything else. */
export function errnoOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** A system error said in plain words, about `object`; `action` is what was tried, e.g. "write". */
export function systemError(object: string, action: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = errnoOf(error);
  const words = WORDS[code] ?? (error instanceof Error ? error.message : String(error));
  return new StorageError(object, code === '' ? words : `${words} (${action}: ${code})`, { cause: error });
}
