/** Errors on their way between threads: structured clone would forget their class. */

import { DamageError, FullError, StorageError, UserError } from '../../operators/core/errors.js';
import { limitError } from '../../operators/storage/errno.js';
import { errorText } from '../cli/error-text.js';

const ERROR_KINDS = ['user', 'storage', 'damage', 'full', 'bug'] as const;

export interface PackedError {
  readonly kind: (typeof ERROR_KINDS)[number];
  readonly message: string;
  readonly stack: string | undefined;
  /** The object that the error names; empty for a user error or a bug. */
  readonly object: string;
}

export function packError(thrown: unknown): PackedError {
  const error = limitError(thrown) ?? thrown;
  const stack = error instanceof Error ? error.stack : undefined;
  const message = errorText(error);
  if (error instanceof StorageError) {
    return { kind: kindOf(error), message, stack, object: error.object };
  }
  return { kind: error instanceof UserError ? 'user' : 'bug', message, stack, object: '' };
}

function kindOf(error: StorageError): PackedError['kind'] {
  if (error instanceof DamageError) return 'damage';
  return error instanceof FullError ? 'full' : 'storage';
}

export function unpackError(packed: PackedError): Error {
  const error = newError(packed);
  if (packed.stack !== undefined) error.stack = packed.stack;
  return error;
}

function newError({ kind, message, object }: PackedError): Error {
  const what = message.slice(object.length + ': '.length);
  if (kind === 'user') return new UserError(message);
  if (kind === 'damage') return new DamageError(object, what);
  if (kind === 'full') return new FullError(object, what);
  if (kind === 'storage') return new StorageError(object, what);
  return new Error(message);
}
