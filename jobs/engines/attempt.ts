import { randomBytes } from 'node:crypto';

/** Ends the names of the runs of one process, so that two processes which solve the same slice write different ones. */
export function newAttempt(): string {
  return `-${randomBytes(4).toString('hex')}`;
}
