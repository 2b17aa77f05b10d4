/** Names of endings in words. */
import { expect, test } from 'vitest';
import { endingWords } from '../../../jobs/ui/ending-words.js';

test.each([
  ['chess', 'KQKR', 'Queen against rook'],
  ['chess', 'KRPKR', 'Rook and pawn against rook'],
  ['chess', 'KBBKN', 'Two bishops against knight'],
  ['chess', 'KBNK', 'Bishop and knight against bare king'],
  ['chess', 'KQBNKRP', 'Queen, bishop and knight against rook and pawn'],
  ['chess', 'KPKP.25', 'Pawn against pawn, pawns on rank 2, 5'],
  ['chess', 'KRPKR.4', 'Rook and pawn against rook, pawn on rank 4'],
  ['chess', 'KPKPep', 'Pawn against pawn, with a capture en passant'],
  ['chess', 'KK', 'Bare kings'],
  ['checkers', '2110', 'Two kings and a man against a king'],
  ['checkers', '0023.51', 'Two men against three men'],
])('%s %s is called "%s"', (game, ending, words) => {
  expect(endingWords(game, ending)).toBe(words);
});

test.each([
  ['chess', 'no-such'],
  ['nim', 'KQKR'],
])('a slice that has no such name has none: %s %s', (game, ending) => {
  expect(endingWords(game, ending)).toBe(null);
});
