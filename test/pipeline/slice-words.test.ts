/** Names of slices in words. */
import { expect, test } from 'vitest';
import type { Game } from '../../pipeline/game.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { namedSlice } from '../../pipeline/slice-words.js';

test.each<[Game, string, string]>([
  [chess as Game, 'KQKR', 'KQKR'],
  [chess as Game, 'KPK.7', 'KPK.7 (white pawn on rank 7)'],
  [chess as Game, 'KPKP.64', 'KPKP.64 (white pawn on rank 6, black pawn on rank 4)'],
  [chess as Game, 'KPPPK.246', 'KPPPK.246 (white pawns on ranks 2, 4 and 6)'],
  [
    chess as Game,
    'KPKPep.44b',
    'KPKPep.44b (white pawn on rank 4, black pawn on rank 4, Black may capture en passant)',
  ],
  [checkers as Game, '2100', '2100'],
  [checkers as Game, '1110.50', "1110.50 (Black's leading man on rank 5 of 0 to 6)"],
])('%o %s', (game, slice, words) => {
  expect(namedSlice(game, slice)).toBe(words);
  // It is a slice: the game knows it.
  expect(game.slice(slice).name).toBe(slice);
});
