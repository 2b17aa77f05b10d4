/** What can be read from a position's text, the FEN of chess or of checkers, without the rules. Sides are "w" and "b". */
import type { Result } from '../ui/game-tags.js';

const isPdn = (fen: string): boolean => /^[BW]:/.test(fen);

/** The side to move. */
export function moverOf(fen: string): string {
  return isPdn(fen) ? fen[0].toLowerCase() : (fen.split(' ')[1] ?? 'w');
}

/** Null of a draw. In PDN of English draughts the first number is that of Black, who begins the game. */
export function winnerOf(result: Result, fen: string): string | null {
  if (result === '1/2-1/2') return null;
  return (result === '1-0') === isPdn(fen) ? 'b' : 'w';
}

/** The men on the board: letters of the ranks of chess, squares of checkers. */
export function menOf(fen: string): number {
  if (isPdn(fen)) return (fen.match(/\d+/g) ?? []).length;
  let men = 0;
  // Letters come after digits and slashes.
  for (let at = 0; at < fen.length && fen[at] !== ' '; at++) if (fen[at] > '9') men++;
  return men;
}
