/** Reasons for which an import ends that is not at fault. */
import { UserError } from '../../operators/core/errors.js';

/** Thrown where a graph does not fit the memory: while it is found there, and to callers who allow no other way (`inMemory: 'only'`). */
export class TooLarge extends Error {}

/** Thrown while a graph is found in memory if two of its keys have the same hash: they have no order under this seed. */
export class SameHash extends Error {}

const whole = (number: number) => number.toLocaleString('en-US');

/** A game has more positions than a limit allows. Those that were found are committed. */
export class LimitReached extends UserError {
  /** @param found how many positions were found within so many moves from the roots. */
  constructor(
    game: string,
    found: { readonly atMost: number; readonly total: number; readonly moves: number },
  ) {
    const [total, atMost, moves] = [found.total, found.atMost, found.moves].map(whole);
    super(
      `${game}: ${total} positions within ${moves} moves, more than the limit of ${atMost}: they are kept, and solving with a larger limit goes on from them`,
    );
  }
}
