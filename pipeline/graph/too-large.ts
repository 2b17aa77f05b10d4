/** Reasons for which an import ends that is not at fault. */
import { UserError } from '../../operators/core/errors.js';

/** Thrown where only a graph that fits memory is wanted, and this one does not. */
export class TooLarge extends Error {}

/** Thrown in memory where two keys have the same hash under a seed. */
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
