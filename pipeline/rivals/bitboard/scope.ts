/** Why the solver cannot solve a slice, in words; null if it can. It solves slices of chess without pawns. */
export function whyNot(game: string, slice: string): string | null {
  if (game !== 'chess') return `chess only, not ${game}`;
  return slice.includes('P') ? `endings without pawns only, not ${slice}` : null;
}
