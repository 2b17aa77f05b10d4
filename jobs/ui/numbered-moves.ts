/** Moves with their numbers. */
import type { Side } from '../../pipeline/game/game.js';

/** "12. " and, where moves begin in the middle of one, "12... " as games have them; "12." and "12…" as problems do. */
type Style = 'game' | 'problem';
const SIGNS: Readonly<Record<Style, readonly [first: string, second: string]>> = {
  game: ['. ', '... '],
  problem: ['.', '…'],
};

/** The number before a move, or nothing. @param turn moves of both sides before it, from the first one of move 1 on. @param begins whether it is the first of its line. */
export function numberBefore(turn: number, begins: boolean, style: Style): string {
  const [first, second] = SIGNS[style];
  if (turn % 2 !== 0 && !begins) return '';
  return `${Math.floor(turn / 2) + 1}${turn % 2 === 0 ? first : second}`;
}

/** "12... Kd4 13. Qe1+" @param mover 1: begins in the middle of a move. @param number of the first move. */
export function numbered(sans: readonly string[], mover: Side, style: Style = 'game', number = 1): string {
  const before = 2 * (number - 1) + mover;
  return sans.map((san, i) => numberBefore(before + i, i === 0, style) + san).join(' ');
}
