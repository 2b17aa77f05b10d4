/** Moves with their numbers. */
import type { Side } from '../../pipeline/game/game.js';

/** "12... Kd4 13. Qe1+" as games have them, "12…Kd4 13.Qe1+" as problems do; numbered from 1. @param mover 1: begins in the middle of a move. */
export function numbered(sans: readonly string[], mover: Side, style: 'game' | 'problem' = 'game'): string {
  const [first, second] = style === 'game' ? ['. ', '... '] : ['.', '…'];
  return sans
    .map((san, i) => {
      const move = Math.floor((i + mover) / 2) + 1;
      if ((i + mover) % 2 === 0) return `${move}${first}${san}`;
      return i === 0 ? `${move}${second}${san}` : san;
    })
    .join(' ');
}
