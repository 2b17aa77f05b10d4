/** What the solver solves, in words: why it cannot solve a slice, or null if it can. It is of chess, and of pieces alone. */
export function whyNot(game: string, slice: string): string | null {
  if (game !== 'chess') return `chess only, not ${game}`;
  return slice.includes('P') ? `endings without pawns only, not ${slice}` : null;
}
