/** The games that the page has a board for. */
import { checkersKind } from './checkers-kind.js';
import { chessKind } from './chess-kind.js';
import type { BoardKind } from './kind.js';

/** Null if the page has no board for the game. */
export function kindOf(game: string): BoardKind | null {
  return [chessKind, checkersKind].find((each) => each.game === game) ?? null;
}
