/** Where men of the files' codes go on an empty board, and whether one attacks a square. Written for audits alone. */
import { type ManCode, PAWN } from '../material.js';

const STRAIGHT = [1, 8, -1, -8] as const;
const OBLIQUE = [7, 9, -7, -9] as const;
const JUMPS = [6, 10, 15, 17, -6, -10, -15, -17] as const;
const Kind = { knight: 2, bishop: 3, rook: 4, queen: 5, king: 6 } as const;

/** By square: the squares that a step leads to, one after another; empty where the board ends. A knight's is one step. */
function line(from: number, step: number, most: number): number[] {
  const found: number[] = [];
  for (let at = from; found.length < most; ) {
    const to = at + step;
    const files = Math.abs((to & 7) - (at & 7));
    if (to < 0 || to > 63 || files > 2) break;
    found.push(to);
    at = to;
  }
  return found;
}

const STEPS: Readonly<Record<number, readonly number[]>> = {
  [Kind.knight]: JUMPS,
  [Kind.bishop]: OBLIQUE,
  [Kind.rook]: STRAIGHT,
  [Kind.queen]: [...STRAIGHT, ...OBLIQUE],
  [Kind.king]: [...STRAIGHT, ...OBLIQUE],
};

/** At kind and square: the lines along which a man goes, up to the first that stands there. */
export const LINES: readonly (readonly (readonly Uint8Array[])[])[] = Array.from({ length: 7 }, (_, kind) =>
  Array.from({ length: 64 }, (_, from) =>
    (STEPS[kind] ?? [])
      .map((step) => line(from, step, kind === Kind.knight || kind === Kind.king ? 1 : 7))
      .filter((squares) => squares.length > 0)
      .map((squares) => Uint8Array.from(squares)),
  ),
);

/** At (kind * 64 + from) * 64 + to: the step from one to the other for a man that goes there on an empty board, else 0. */
const STEP_OF = new Int8Array(7 * 64 * 64);
for (const [kind, squares] of LINES.entries()) {
  for (const [from, lines] of squares.entries()) {
    for (const [first, ...rest] of lines) {
      for (const to of [first, ...rest]) STEP_OF[(kind * 64 + from) * 64 + to] = first - from;
    }
  }
}

/** Whether a man attacks a square. `board` has -1 on free squares. */
export function attacks(board: Int8Array, code: ManCode, from: number, to: number): boolean {
  const kind = code & 7;
  if (kind === PAWN) {
    const ahead = code === PAWN ? 8 : -8;
    return Math.abs((to & 7) - (from & 7)) === 1 && (to & ~7) === (from & ~7) + ahead;
  }
  const step = STEP_OF[(kind * 64 + from) * 64 + to];
  if (step === 0) return false;
  for (let at = from + step; at !== to; at += step) if (board[at] >= 0) return false;
  return true;
}
