/** Suggests names for a misspelt word, in the way that commander does for its own commands and options. */

/** A name may be this many edits away, and more than this share of the longer of the two must be alike. */
const MOST_EDITS = 3;
const LEAST_ALIKE = 0.4;
/** If more names than this are equally near, none is suggested. */
const MOST_NAMES = 3;

/** " (Did you mean KQKR?)" with the known names that are nearest to a word, in capital letters or small ones; empty if none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const small = word.toLowerCase();
  let least = MOST_EDITS;
  let nearest: string[] = [];
  for (const name of new Set(known)) {
    const edits = editsBetween(small, name.toLowerCase(), least);
    const length = Math.max(word.length, name.length);
    if (edits > least || length - edits <= LEAST_ALIKE * length) continue;
    if (edits < least) nearest = [];
    least = edits;
    nearest.push(name);
  }
  if (nearest.length === 0 || nearest.length > MOST_NAMES) return '';
  return ` (Did you mean ${nearest.length === 1 ? nearest[0] : `one of ${nearest.join(', ')}`}?)`;
}

/**
 * How many letters have to be put in, left out, replaced, or exchanged with the next one to make one word of another ("optimal string
 * alignment"). More than `most` if it is more.
 */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1));
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}
