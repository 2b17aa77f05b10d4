/** The moves that were made, as PGN (Edwards 1994): from the first position, numbered as its FEN says; of checkers as PDN. */
import { wrapped } from '../../study/wrapped.js';
import { chessKind } from '../board/chess-kind.js';
import { otherColour } from '../board/kind.js';
import type { Line } from '../line.js';

/** English draughts, in PDN. */
const CHECKERS = '20';

/** @param result "1-0", "0-1", "1/2-1/2" or "*" */
export function lineText(game: string, { start, first, steps, at }: Line, result: string): string {
  const setup = game === 'chess' ? chessKind.read(start) : null;
  const begins = game === 'chess' ? 'white' : 'black';
  let mover = setup?.mover ?? first ?? begins;
  let number = setup?.rights?.move ?? 1;
  const tokens = steps.slice(0, at).map(({ san }, i) => {
    const isFirstOfMove = mover === begins;
    const count = isFirstOfMove ? `${number}. ` : i === 0 ? `${number}... ` : '';
    if (!isFirstOfMove) number++;
    mover = otherColour(mover);
    return count + san;
  });
  const tags = {
    Event: '?',
    Site: '?',
    Date: '????.??.??',
    Round: '?',
    White: '?',
    Black: '?',
    Result: result,
    ...(game === 'checkers' && { GameType: CHECKERS }),
    FEN: start,
    SetUp: '1',
  };
  const head = Object.entries(tags).map(([name, text]) => `[${name} "${text}"]\n`);
  return `${head.join('')}\n${wrapped([...tokens, result])}\n`;
}
