/** Positions by where men stand: a text of criteria, each of which names a man and where it stands. */
import { UserError } from '../../operators/core/errors.js';

/**
 * Reads criteria, separated by spaces or commas.
 * @param none the message if there are none
 * @throws UserError for a text without criteria, and as `read` does
 */
export function readCriteria<T>(text: string, read: (criterion: string) => T, none: string): T[] {
  const criteria = text.split(/[\s,]+/).filter((each) => each !== '');
  if (criteria.length === 0) throw new UserError(none);
  return criteria.map(read);
}
