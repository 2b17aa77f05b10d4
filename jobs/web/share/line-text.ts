/** The moves that were made, as PGN (Edwards 1994): from the first position, numbered as its FEN says; of checkers as PDN. */
import type { Colour } from '../../../pipeline/game/game.js';
import { wrapped } from '../../notation/wrapped.js';
import { ENGLISH_DRAUGHTS, positionTags } from '../../ui/game-tags.js';
import { chessKind } from '../board/chess-kind.js';
import { otherColour } from '../board/kind.js';
import type { Line } from '../line.js';

/** @param result "1-0", "0-1", "1/2-1/2" or "*" */
export function lineText(game: string, { start, first, steps, at }: Line, result: string): string {
  const setup = game === 'chess' ? chessKind.read(start) : null;
  const begins = game === 'chess' ? 'white' : 'black';
  let mover: Colour = setup?.mover ?? (first as Colour | null) ?? begins;
  let number = setup?.rights?.move ?? 1;
  const tokens = steps.slice(0, at).map(({ san }, i) => {
    const isFirstOfMove = mover === begins;
    const count = isFirstOfMove ? `${number}. ` : i === 0 ? `${number}... ` : '';
    if (!isFirstOfMove) number++;
    mover = otherColour(mover);
    return count + san;
  });
  const tags = positionTags(start, result, game === 'checkers' ? { GameType: ENGLISH_DRAUGHTS } : {});
  return `${tags}\n${wrapped([...tokens, result])}\n`;
}
