/** What the men of a board can force, whatever squares they stand on. */
import { type ChessBoard, LETTERS, PAWN } from './rules.js';

const [BISHOP, KNIGHT] = [LETTERS.indexOf('B'), LETTERS.indexOf('N')];

/** Neither side could mate however the other plays: bare kings, one knight or bishop more, or bishops of one colour of square. */
export function isInsufficient({ squares }: Pick<ChessBoard, 'squares'>): boolean {
  let knights = 0;
  const bishopsOn = [0, 0];
  for (let square = 0; square < 64; square++) {
    const man = Math.abs(squares[square]);
    if (man === KNIGHT) knights++;
    else if (man === BISHOP) bishopsOn[((square >> 3) + square) & 1]++;
    else if (man > 1) return false;
  }
  const bishops = bishopsOn[0] + bishopsOn[1];
  if (knights > 0) return knights + bishops === 1;
  return bishopsOn[0] === 0 || bishopsOn[1] === 0;
}

/**
 * Whether a win can only end by mate: the loser has a bare king, the winner no pawn, and without any one of its men the winner could not
 * mate. So the winner cannot zero the clock, and a capture by the loser draws. Then a win takes an odd number of plies, and a loss an even one.
 */
export function endsByMateAlone({ squares }: Pick<ChessBoard, 'squares'>, winner: 1 | -1): boolean {
  const men: number[] = [];
  for (let square = 0; square < 64; square++) {
    const man = squares[square] * winner;
    if (man === PAWN || man < -1) return false;
    if (man > 1) men.push(square);
  }
  return men.every((taken) =>
    isInsufficient({ squares: squares.map((man, square) => (square === taken ? 0 : man)) }),
  );
}
