/** Errors on their way between threads: structured clone would forget their class. */
import { StorageError, UserError } from '../../operators/core/errors.js';
import { limitError } from '../../operators/storage/errno.js';

export interface PackedError {
  readonly kind: 'user' | 'storage' | 'bug';
  readonly message: string;
  readonly stack: string | undefined;
  /** Of a storage error. */
  readonly object: string;
}

export function packError(thrown: unknown): PackedError {
  const error = limitError(thrown) ?? thrown;
  const stack = error instanceof Error ? error.stack : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StorageError) return { kind: 'storage', message, stack, object: error.object };
  return { kind: error instanceof UserError ? 'user' : 'bug', message, stack, object: '' };
}

export function unpackError({ kind, message, stack, object }: PackedError): Error {
  const error =
    kind === 'user'
      ? new UserError(message)
      : kind === 'storage'
        ? new StorageError(object, message.slice(object.length + ': '.length))
        : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
