/** The moves after a position, as UCI writes them: "FEN moves e2e4 e7e8q". Separate from the rules, for code that loads no game. */

const MOVES = /\smoves(?=\s|$)/;

/** The text in front of "moves", and the moves behind it. */
export function splitMoves(text: string): { readonly start: string; readonly moves: readonly string[] } {
  const at = text.search(MOVES);
  if (at < 0) return { start: text, moves: [] };
  return { start: text.slice(0, at), moves: text.slice(at).trim().split(/\s+/).slice(1) };
}

/** Whether the text gives a position by the moves that lead to it, so that the FEN of the position is a different text. */
export function isByMoves(text: string): boolean {
  return MOVES.test(text) || text.trim() === 'startpos';
}
