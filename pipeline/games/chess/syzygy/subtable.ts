/**
 * A subtable in memory: of one side to move and, with pawns, one file of the leading pawn, the value of every index. It
 * is the only memory in proportion to anything: three bytes an index, and two more while it is compressed.
 */
import type { Side } from '../../../game.js';
import { type Arrangement, type SubtableIndex, subtableIndex } from './arrangement.js';
import type { Material } from './material.js';

/** Under the 50-move rule, from the mover's side, in the numbers of the format. */
export const Outcome = { loss: 0, blessedLoss: 1, draw: 2, cursedWin: 3, win: 4 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** Plies that the 50-move rule allows. */
export const RULE = 100;

/** The outcome of a code of pipeline/value.ts under `dtz`. */
export function outcomeOf(code: number): Outcome {
  if (code > 0) return code > RULE ? Outcome.cursedWin : Outcome.win;
  if (code === 0) return Outcome.draw;
  return -code - 1 > RULE ? Outcome.blessedLoss : Outcome.loss;
}

/** For the mover, what a move is worth to a position of this code. */
export function outcomeBefore(code: number): Outcome {
  return (Outcome.win - outcomeOf(code)) as Outcome;
}

/** Shows a position: squares of the men in the order of `Material.men`, valid during the call. */
export type ShowValue = (squares: Uint8Array, code: number) => void;
/** Shows a position before a capture or a move of a pawn, and the outcome that the move has for the mover. */
export type ShowZeroing = (squares: Uint8Array, isCapture: boolean, outcome: Outcome) => void;

/**
 * Where values come from: scans in any order, each showing at least one board of every orbit of what it is about. Positions
 * with a right to capture en passant are no matter of Syzygy's files and not shown.
 */
export interface ValueSource {
  /** Legal positions with `side` to move, with codes of pipeline/value.ts under the metric `dtz`. */
  values(side: Side, show: ShowValue): Promise<void>;
  /** Positions with `side` to move before each capture and each move of a pawn. */
  zeroingMoves(side: Side, show: ShowZeroing): Promise<void>;
}

export interface Subtable {
  readonly index: SubtableIndex;
  /** {@link NO_POSITION}, or the code of the position. */
  readonly codes: Int16Array;
  /** Best outcome + 1 of the position's captures in the lower four bits, of these and moves of pawns in the upper; 0: none. */
  readonly zeroing: Uint8Array;
}

export const NO_POSITION = -32768;

/** Places the values of a side in the order of `arrangement`; with pawns those whose leading pawn stands on `file`. */
export async function fillSubtable(
  source: ValueSource,
  material: Material,
  arrangement: Arrangement,
  side: Side,
  file: number,
): Promise<Subtable> {
  const index = subtableIndex(material, arrangement, file);
  const codes = new Int16Array(index.size).fill(NO_POSITION);
  const zeroing = new Uint8Array(index.size);
  const image = new Uint8Array(material.men.length);
  const place = (squares: Uint8Array, put: (at: number) => void) => {
    const at = index.encode(squares);
    if (at < 0) return;
    put(at);
    if (index.mirror(squares, image)) put(index.encode(image));
  };
  await source.values(side, (squares, code) => {
    place(squares, (at) => {
      codes[at] = code;
    });
  });
  await source.zeroingMoves(side, (squares, isCapture, outcome) => {
    place(squares, (at) => {
      const capture = zeroing[at] & 15;
      const any = zeroing[at] >> 4;
      const is = outcome + 1;
      zeroing[at] = (isCapture ? Math.max(capture, is) : capture) | (Math.max(any, is) << 4);
    });
  });
  return { index, codes, zeroing };
}
