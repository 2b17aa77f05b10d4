/** Names of slices in words. */
import { expect, test } from 'vitest';
import type { Game } from '../../../pipeline/game/game.js';
import { namedSlice } from '../../../pipeline/game/slice-words.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';

test.each<[string, Game, string]>([
  ['KQKR', chess as Game, 'KQKR'],
  ['KPK.7', chess as Game, 'KPK.7 (white pawn on rank 7)'],
  ['KPKP.64', chess as Game, 'KPKP.64 (white pawn on rank 6, black pawn on rank 4)'],
  ['KPPPK.246', chess as Game, 'KPPPK.246 (white pawns on ranks 2, 4 and 6)'],
  [
    'KPKPep.55w',
    chess as Game,
    'KPKPep.55w (white pawn on rank 5, black pawn on rank 5, White may capture en passant)',
  ],
  ['2100', checkers as Game, '2100'],
  ['1110.50', checkers as Game, "1110.50 (Black's leading man on rank 5 of 0 to 6)"],
])('%s', (slice, game, words) => {
  expect(namedSlice(game, slice)).toBe(words);
  // The name is a slice's: the game knows it.
  expect(game.slice(slice).name).toBe(slice);
});
