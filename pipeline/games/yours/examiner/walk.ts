/** Ways through a game: the positions nearest to those where it begins, and random games. */

import type { Random } from '../../../game/sample.js';
import type { NamedMove } from '../definition.js';

/** The last step to a position: a move, or if it has no name, a symmetry. Null at a root. */
export type Way = { readonly from: unknown; readonly move: string | null } | null;

export interface Reached {
  readonly position: unknown;
  /** Moves from a root, by the way that was taken. */
  readonly distance: number;
  readonly way: Way;
}

export function rootAt(position: unknown): Reached {
  return { position, distance: 0, way: null };
}

/** What moves lead to. */
export function afterMoves(at: Reached, moves: readonly NamedMove<unknown>[]): Reached[] {
  const [from, distance] = [at.position, at.distance + 1];
  return moves.map(([move, position]) => ({ position, distance, way: { from, move } }));
}

/** Positions in the order in which they were added, which is that of their distance. Each key is added once; null is no key. */
export class Queue<At> {
  private readonly keys = new Set<unknown>([null]);
  private readonly added: At[] = [];
  private taken = 0;

  /** How many were added. */
  get length(): number {
    return this.added.length;
  }

  /** Those that were not taken. */
  get left(): readonly At[] {
    return this.added.slice(this.taken);
  }

  add(at: At, key: unknown): void {
    if (key !== null && this.keys.has(key)) return;
    this.keys.add(key);
    this.added.push(at);
  }

  /** Takes the next one: also what is added meanwhile. */
  *[Symbol.iterator](): Generator<At> {
    while (this.taken < this.added.length) yield this.added[this.taken++];
  }
}

/** How many games are played, and positions of each. */
export interface Games {
  readonly games: number;
  readonly longest: number;
}

/**
 * Plays at random, each game until nothing is left to move to. Stops after each position, so that the caller may pause, or end the games.
 * @param start where a game begins. @param visit returns what moves lead to.
 */
export function* randomGames<At>(
  { games, longest }: Games,
  random: Random,
  start: (game: number) => At | undefined,
  visit: (at: At) => readonly At[],
): Generator<void> {
  for (let game = 0; game < games; game++) {
    let at = start(game);
    for (let visited = 0; visited < longest && at !== undefined; visited++) {
      const after = visit(at);
      yield;
      at = after[random(after.length)];
    }
  }
}
