/** Whether a game has so few positions that other costs of solving it count for more. */
import type { KeyedRules } from '../pipeline/games/keyed/keyed-game.js';

/** Positions that are seen, and milliseconds that pass, before the answer is no. */
const MOST_POSITIONS = 4096;
const MOST_MS = 100;

/** False as well if a function of the game fails: solving it says how. */
export function isSmall(game: KeyedRules): boolean {
  const until = performance.now() + MOST_MS;
  const seen = new Set<bigint>();
  const left: unknown[] = [];
  const see = (position: unknown): void => {
    const key = game.keyOf(position);
    if (seen.has(key)) return;
    seen.add(key);
    left.push(position);
  };
  try {
    for (const root of game.roots()) {
      see(root);
      if (seen.size > MOST_POSITIONS) return false;
    }
    while (left.length > 0) {
      for (const [, after] of game.moves(left.pop())) see(after);
      if (seen.size > MOST_POSITIONS || performance.now() > until) return false;
    }
    return true;
  } catch {
    return false;
  }
}
