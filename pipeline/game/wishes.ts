/** Positions by where men stand: a text of wishes; each names a man and where it stands. */
import { UserError } from '../../operators/core/errors.js';

/**
 * Reads wishes, separated by spaces or commas.
 * @param none the message if there are none
 * @throws UserError for a text without wishes, and as `readWish` does
 */
export function readWishes<T>(text: string, readWish: (wish: string) => T, none: string): T[] {
  const wishes = text.split(/[\s,]+/).filter((each) => each !== '');
  if (wishes.length === 0) throw new UserError(none);
  return wishes.map(readWish);
}
