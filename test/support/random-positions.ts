/** Random legal positions of chess, the same for the same seed. */
import { illegality } from '../../pipeline/games/chess/fen.js';
import { type ChessBoard, LETTERS, legalMoves, PAWN, play } from '../../pipeline/games/chess/rules.js';
import { randomNumbers } from '../pipeline/games/chess/kernel-rows.js';

/** The men of a name such as "KPKP", the first group white. Throws an error for a name that is no ending. */
export function menOfEnding(name: string): number[] {
  const match = /^(K[QRBNP]*)(K[QRBNP]*)$/.exec(name);
  if (match === null) throw new Error(`${name} is no ending`);
  const men = (letters: string) => [...letters].map((letter) => LETTERS.indexOf(letter));
  return [...men(match[1]), ...men(match[2]).map((man) => -man)];
}

export interface RandomPositions {
  readonly seed: number;
  /** Positions in which a pawn may be captured en passant, and none else. */
  readonly passant?: boolean;
  /**
   * The share of positions with all men but one within a square of five by five. There men meet, and mates and
   * stalemates are near. In the others they stand anywhere.
   */
  readonly close?: number;
}

/**
 * `count` legal positions with the men of an ending, either colour having the first group and either side to move. A
 * position may come more than once. Throws an error for en passant without pawns on both sides.
 */
export function randomPositions(
  ending: string,
  count: number,
  { seed, passant = false, close = 0.5 }: RandomPositions,
): ChessBoard[] {
  const men = menOfEnding(ending);
  if (passant && !(men.includes(PAWN) && men.includes(-PAWN))) {
    throw new Error(`${ending} has no captures en passant`);
  }
  const random = randomNumbers(seed);
  const found: ChessBoard[] = [];
  while (found.length < count) {
    const board = placed(random, men, random() % 1000 < 1000 * close, passant);
    if (board === null || illegality(board) !== null) continue;
    if (!passant) found.push(board);
    else found.push(...afterDoubleSteps(board).slice(0, count - found.length));
  }
  return found;
}

/** The positions with an en-passant right that the next move leads to. */
function afterDoubleSteps(board: ChessBoard): ChessBoard[] {
  return legalMoves(board)
    .map((step) => play(board, step))
    .filter((after) => after.passant !== undefined);
}

/** Men on random squares, pawns on ranks 2 to 7; null if two would stand on one square. */
function placed(
  random: () => number,
  men: readonly number[],
  close: boolean,
  meeting: boolean,
): ChessBoard | null {
  const squares = new Int8Array(64);
  const colour = random() & 1 ? 1 : -1;
  const side = random() & 1 ? 1 : 0;
  const [left, bottom] = [random() % 4, random() % 4];
  const free = random() % men.length;
  const anywhere = () => random() & 63;
  const within = () => (bottom + (random() % 5)) * 8 + left + (random() % 5);
  const meetings = meeting ? meetingPawns(random, side) : new Map<number, number>();
  for (const [i, original] of men.entries()) {
    const man = original * colour;
    const square = meetings.get(man) ?? (close && i !== free ? within() : anywhere());
    // The first pawn of each side stands where they meet, the others anywhere.
    meetings.delete(man);
    if (squares[square] !== 0) return null;
    squares[square] = man;
  }
  return { squares, side };
}

/** Squares by pawn: one of the side to move on its first rank, one of the other side beside the end of a double step. */
function meetingPawns(random: () => number, side: 0 | 1): Map<number, number> {
  const file = random() & 7;
  const beside = file === 0 ? 1 : file === 7 ? 6 : file + (random() & 1 ? 1 : -1);
  return side === 0
    ? new Map([
        [PAWN, 8 + file],
        [-PAWN, 24 + beside],
      ])
    : new Map([
        [-PAWN, 48 + file],
        [PAWN, 32 + beside],
      ]);
}
