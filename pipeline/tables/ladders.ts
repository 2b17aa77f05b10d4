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

export interface Ladders {
  readonly count: number;
  /** The last clock at which the last rung holds; -1 of the ladder without rungs. */
  readonly until: Int8Array;
  /** Plies to mate of the last rung, even for losses, odd for wins. */
  readonly plies: Uint16Array;
  /** The ladder without its last rung. */
  readonly parent: Uint32Array;
  /** The ladder with one more rung. Its `until` is higher than that of the last; of equal plies the higher rung replaces it. */
  raised(ladder: number, plies: number, until: number): number;
}

/** Bytes of memory for a ladder: its columns, and its place in the map of those that are known. */
export const LADDER_BYTES = 64;
/** No map holds more. */
const MOST_LADDERS = 2 ** 24 - 1;

/** @param most ladders that may be held: {@link Ladders.raised} throws UserError beyond. */
export function newLadders(most = MOST_LADDERS): Ladders {
  const known = new Map<number, number>();
  let room = 1 << 10;
  const all = {
    count: FIRST_FREE,
    until: new Int8Array(room),
    plies: new Uint16Array(room),
    parent: new Uint32Array(room),
    raised,
  };
  all.until[DRAWN_LADDER] = -1;
  all.until[BROKEN_LADDER] = 127;
  all.until[MATED_LADDER] = RULE_PLIES;

  function grow(): void {
    room *= 2;
    const { until, plies, parent } = all;
    all.until = new Int8Array(room);
    all.plies = new Uint16Array(room);
    all.parent = new Uint32Array(room);
    all.until.set(until);
    all.plies.set(plies);
    all.parent.set(parent);
  }

  function raised(ladder: number, plies: number, until: number): number {
    const base = ladder !== DRAWN_LADDER && all.plies[ladder] === plies ? all.parent[ladder] : ladder;
    const key = (base * 0x10000 + plies) * 0x80 + until;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (all.count === room) grow();
    if (all.count >= most)
      throw new UserError(
        `the slice has more than ${most} different ladders under dtm50: give more --memory`,
      );
    const made = all.count++;
    all.plies[made] = plies;
    all.until[made] = until;
    all.parent[made] = base;
    known.set(key, made);
    return made;
  }

  return all;
}

/** The code (pipeline/game/value.ts) of a rung's plies: the winner mates, so plies are odd for the winner. */
function codeOfPlies(plies: number): number {
  return (plies & 1) === 1 ? plies : -plies - 1;
}

/** The code of a ladder at a clock; that of a draw for broken indices. */
export function codeAt({ until, plies, parent }: Ladders, ladder: number, clock: number): number {
  if (ladder <= BROKEN_LADDER || until[ladder] < clock) return 0;
  let at = ladder;
  while (parent[at] !== DRAWN_LADDER && until[parent[at]] >= clock) at = parent[at];
  return codeOfPlies(plies[at]);
}
