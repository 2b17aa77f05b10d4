/** Moves with their numbers. */
import type { Side } from '../../pipeline/game/game.js';

/** "12... Kd4 13. Qe1+", numbered from 1. */
export function numbered(sans: readonly string[], mover: Side): string {
  return sans
    .map((san, i) => {
      const move = Math.floor((i + mover) / 2) + 1;
      if ((i + mover) % 2 === 0) return `${move}. ${san}`;
      return i === 0 ? `${move}... ${san}` : san;
    })
    .join(' ');
}
