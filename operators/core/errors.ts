/**
 * The three ways things go wrong. User input: {@link UserError}. The outside world (disk, network, a damaged file):
 * {@link StorageError}, which names the object. Our own bug: {@link assert} throws a plain Error that stops the step.
 */

/** Bad input from a person: one clear line naming the fault and its place. The command line exits with code 2. */
export class UserError extends Error {
  override name = 'UserError';
}

/** The outside world failed: `object` names the file or object; the command line exits with code 2. */
export class StorageError extends Error {
  override name = 'StorageError';
  constructor(
    readonly object: string,
    what: string,
    options?: ErrorOptions,
  ) {
    super(`${object}: ${what}`, options);
  }
}

/** The text of an error about an object that is not there. */
export const ABSENT = 'no such object';

/** Whether an operation failed because its object is not there: it was never put, or another process deleted it. */
export function isMissing(error: unknown): error is StorageError {
  return error instanceof StorageError && error.message.startsWith(`${error.object}: ${ABSENT}`);
}

/**
 * An object is not there though another names it, or its bytes are not those that were written. Reads over a network may be
 * repeated: see `readSoundly` in operators/storage/store.ts.
 */
export class DamageError extends StorageError {}

/** A folder, which nothing but a person may remove, is where an object belongs. */
export class ObstacleError extends StorageError {}

/** The store cannot say which objects it has. */
export class UnlistedError extends StorageError {}

/** The disk has no room, or takes no writes: a retry fails until somebody changes that. */
export class FullError extends StorageError {}

/** Stops the step when an invariant of this program does not hold. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) fail(what);
}

/** Throws what a failed {@link assert} throws. For inner loops, which test the condition themselves: the message of an `assert` is made at each call, also if it holds. */
export function fail(what: string): never {
  throw new Error(`assertion failed: ${what}`);
}

/** Whether a system call or a request failed, which may pass; else the bytes read are wrong. */
export function isUnreachable(error: StorageError): boolean {
  return error.cause !== undefined && !(error instanceof DamageError);
}
