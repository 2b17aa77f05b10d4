/** The moves that were made, as PGN (Edwards 1994): from the first position, numbered as its FEN says; of checkers as PDN. */
import { wrapped } from '../../notation/wrapped.js';
import { ENGLISH_DRAUGHTS, positionTags } from '../../ui/game-tags.js';
import { numbered } from '../../ui/numbered-moves.js';
import { chessKind } from '../board/chess-kind.js';
import type { Line } from '../line.js';

/** @param result "1-0", "0-1", "1/2-1/2" or "*" */
export function lineText(game: string, { start, first, steps, at }: Line, result: string): string {
  const setup = game === 'chess' ? chessKind.read(start) : null;
  const begins = game === 'chess' ? 'white' : 'black';
  const mover = setup?.mover ?? first ?? begins;
  const sans = steps.slice(0, at).map(({ san }) => san);
  const moves = numbered(sans, mover === begins ? 0 : 1, 'game', setup?.rights?.move);
  const tags = positionTags(start, result, game === 'checkers' ? { GameType: ENGLISH_DRAUGHTS } : {});
  return `${tags}\n${wrapped(`${moves} ${result}`.trim().split(' '))}\n`;
}
