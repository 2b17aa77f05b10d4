import { ABSENT, FullError, StorageError, UserError } from '../core/errors.js';
import { own } from '../core/own.js';

const WORDS: Record<string, string> = {
  EACCES: 'permission denied',
  EBUSY: 'another program uses it',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'there is already an object of this name',
  EFBIG: 'the file is larger than this file system or process may write',
  EIO: 'the disk failed (input/output error)',
  EISDIR: 'it is a folder, not an object',
  ELOOP: 'its path has too many symbolic links',
  EMFILE: 'this process may not have more open files (ulimit -n)',
  ENAMETOOLONG: 'its name is too long for this file system',
  ENFILE: 'the system has too many open files',
  ENOENT: ABSENT,
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EPERM: 'the operation is not permitted here',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network file system lost the file',
};

/** Where files that users name differ from objects of a store. */
const FILE_WORDS: Record<string, string> = {
  EEXIST: 'there is already a file of this name',
  EISDIR: 'it is a folder, not a file',
  ENOENT: 'there is no such folder',
};

/** Limits of the machine. Any operation can reach them, and they are not bugs of this program. */
const LIMITS: Record<string, string> = {
  EMFILE: 'this process may not have more open files (ulimit -n)',
  ENFILE: 'the system has too many open files',
  ENOMEM: 'the system has no more memory',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ERR_WORKER_INIT_FAILED: 'the system gives this process no more threads or files',
  ERR_WORKER_OUT_OF_MEMORY: 'a thread has no more memory',
};

/** Errors that an immediate retry would meet again. */
const LASTING = new Set(['EDQUOT', 'ENOSPC', 'EROFS']);

/** The StorageError for a system error about a limit of the machine; null for any other error. */
export function limitError(error: unknown): StorageError | null {
  const code = errnoOf(error);
  const words = own(LIMITS, code);
  if (words === undefined || error instanceof StorageError) return null;
  const { path } = error as NodeJS.ErrnoException;
  return newError(code, path ?? 'this machine', `${words} (${code})`, error);
}

/** The errno name of a system error, e.g. "ENOENT"; '' for anything else. */
export function errnoOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** The StorageError for a system error about `object`, with a message in plain words; `action` is what was attempted, e.g. "write". */
export function systemError(object: string, action: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = errnoOf(error);
  const words = own(WORDS, code) ?? (error instanceof Error ? error.message : String(error));
  return newError(code, object, code === '' ? words : `${words} (${action}: ${code})`, error);
}

/** The error for a file that a user named, with a message in plain words: a UserError where there is no file to read. */
export function fileError(
  path: string,
  action: 'read' | 'written',
  error: unknown,
): UserError | StorageError {
  if (error instanceof StorageError) return error;
  const code = errnoOf(error);
  if (action === 'read' && code === 'ENOENT') return new UserError(`there is no file ${path}`);
  if (action === 'read' && code === 'EISDIR') return new UserError(`${path} is a folder, not a file`);
  const words =
    own(FILE_WORDS, code) ?? own(WORDS, code) ?? (error instanceof Error ? error.message : String(error));
  return newError(code, path, `cannot be ${action}: ${words}`, error);
}

/** Runs `write`, which writes files at a path. Throws {@link fileError}. */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw fileError(path, 'written', error);
  }
}

function newError(code: string, object: string, what: string, cause: unknown): StorageError {
  const Kind = LASTING.has(code) ? FullError : StorageError;
  return new Kind(object, what, { cause });
}
