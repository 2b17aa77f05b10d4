/** Whether a game has so few positions that other costs of solving it count for more. */
import type { KeyedRules } from '../pipeline/games/keyed/keyed-rules.js';

/** Positions that are seen, and milliseconds of the processor's time, before the answer is no. */
const MOST_POSITIONS = 4096;
const MOST_MS = 100;
/** Positions that are asked twice. */
const TWICE = 256;
/** Positions between two looks at the time. A look takes as long as a position. */
const LOOK = 32;

/**
 * False as well if a function of the game fails, or answers otherwise when it is asked again. The game is then solved
 * where its module is loaded again, and that solve says what is wrong. Here the questions might have changed it.
 */
export function isSmall(game: KeyedRules): boolean {
  const began = process.cpuUsage();
  const isLong = () => process.cpuUsage(began).user > 1000 * MOST_MS;
  let asked = 0;
  const seen = new Set<bigint>();
  const left: unknown[] = [];
  try {
    for (const root of game.roots()) {
      const key = game.keyOf(root);
      if (!seen.has(key)) left.push(root);
      seen.add(key);
      if (seen.size > MOST_POSITIONS) return false;
    }
    for (let position = left.pop(); position !== undefined; position = left.pop()) {
      const key = game.keyOf(position);
      const moves = game.moves(position);
      const again = asked++ < TWICE ? game.moves(position) : moves;
      if (game.keyOf(position) !== key || again.length !== moves.length) return false;
      for (const [i, [, after]] of moves.entries()) {
        const next = game.keyOf(after);
        if (game.keyOf(again[i][1]) !== next) return false;
        if (seen.has(next)) continue;
        seen.add(next);
        left.push(after);
      }
      if (seen.size > MOST_POSITIONS || (asked % LOOK === 0 && isLong())) return false;
    }
    return true;
  } catch {
    return false;
  }
}
