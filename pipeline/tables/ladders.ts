/**
 * Ladders: the distances to mate under the 50-move rule that a position has, by the clock of plies since the last zeroing move.
 * A ladder has *rungs* (plies, until): a forced mate in so many plies while the clock is at most `until`. Both ascend from rung to
 * rung: with more plies gone, only longer ways are left that zero the clock in time. Behind the last rung the game is drawn.
 *
 * Few ladders are different, so all are held once: as nodes of a tree, each the last rung of the ladder that its parent ends.
 * Positions hold the number of a node.
 */
import { UserError } from '../../operators/core/errors.js';
import { RULE_PLIES } from '../game/value.js';

/** The ladder without rungs: drawn whatever the clock is. */
export const DRAWN_LADDER = 0;
/** No ladder: of broken indices. Its `until` is more than any rung can have, so nothing raises it. */
export const BROKEN_LADDER = 1;
/** Mated: whatever the clock is. */
export const MATED_LADDER = 2;
export const FIRST_FREE = 3;

/** Bytes of memory for a ladder: its columns, and its place in the map of those that are known. */
export const LADDER_BYTES = 64;
/** The most entries of a Map in V8. */
const MOST_LADDERS = 2 ** 24 - 1;

/** Columns are indexed by ladder. They are replaced by larger ones when they are full. */
export class Ladders {
  count = FIRST_FREE;
  /** The last clock at which the last rung holds; -1 of the ladder without rungs. */
  until = new Int8Array(1 << 10);
  /** Plies to mate of the last rung, even for losses, odd for wins. */
  plies = new Uint16Array(1 << 10);
  /** The ladder without its last rung. */
  parent = new Uint32Array(1 << 10);
  readonly #known = new Map<number, number>();
  readonly #most: number;

  /** @param most ladders that may be held: {@link raised} throws UserError beyond. */
  constructor(most = MOST_LADDERS) {
    this.#most = most;
    this.until[DRAWN_LADDER] = -1;
    this.until[BROKEN_LADDER] = 127;
    this.until[MATED_LADDER] = RULE_PLIES;
  }

  /** The ladder with one more rung. Its `until` is higher than that of the last; of equal plies the higher rung replaces it. */
  raised(ladder: number, plies: number, until: number): number {
    const base = ladder !== DRAWN_LADDER && this.plies[ladder] === plies ? this.parent[ladder] : ladder;
    const key = (base * 0x10000 + plies) * 0x80 + until;
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    if (this.count >= this.#most)
      throw new UserError(
        `the slice has more than ${this.#most} different ladders under dtm50: give more --memory`,
      );
    const made = this.count++;
    if (made === this.plies.length) this.#grow();
    this.plies[made] = plies;
    this.until[made] = until;
    this.parent[made] = base;
    this.#known.set(key, made);
    return made;
  }

  #grow(): void {
    const { until, plies, parent } = this;
    this.until = new Int8Array(2 * until.length);
    this.plies = new Uint16Array(2 * plies.length);
    this.parent = new Uint32Array(2 * parent.length);
    this.until.set(until);
    this.plies.set(plies);
    this.parent.set(parent);
  }

  /** The ladder whose last rung is the first that holds at the clock; the one without rungs if none does. */
  rungAt(ladder: number, clock: number): number {
    const { until, parent } = this;
    if (until[ladder] < clock) return DRAWN_LADDER;
    let at = ladder;
    while (parent[at] !== DRAWN_LADDER && until[parent[at]] >= clock) at = parent[at];
    return at;
  }

  /** The code (pipeline/game/value.ts) of a ladder at a clock; that of a draw for broken indices. */
  codeAt(ladder: number, clock: number): number {
    const rung = this.rungAt(ladder, clock);
    if (rung <= BROKEN_LADDER) return 0;
    const plies = this.plies[rung];
    // The winner mates, so plies are odd for the winner.
    return (plies & 1) === 1 ? plies : -plies - 1;
  }
}
