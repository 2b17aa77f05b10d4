/** The lines that an array man sweeps along, and the jumps of an array knight. */
const ORTHOGONAL = [1, -1, 8, -8];
const DIAGONAL = [9, 7, -9, -7];

function onBoard(from: number, step: number): boolean {
  const to = from + step;
  return to >= 0 && to < 64 && Math.abs((to & 7) - (from & 7)) <= 1;
}

function sequence(steps: readonly number[]): Int8Array {
  const squares: number[] = [];
  for (const step of steps) {
    for (let start = 0; start < 64; start++) {
      if (onBoard(start, -step)) continue;
      squares.push(~start);
      for (let at = start; onBoard(at, step); ) {
        at += step;
        squares.push(at);
      }
    }
  }
  return Int8Array.from(squares);
}

/**
 * For queen, rook and bishop: the squares of every line in every direction, one after the other; the first square of a
 * line is stored as its complement.
 */
export const SWEEPS: readonly Int8Array[] = [
  sequence([...ORTHOGONAL, ...DIAGONAL]),
  sequence(ORTHOGONAL),
  sequence(DIAGONAL),
];

/** From and to of each of the knight's 336 jumps, in turn. */
export const JUMPS = Int8Array.from(
  Array.from({ length: 64 }, (_, from) => from).flatMap((from) =>
    Array.from({ length: 64 }, (_, to) => to)
      .filter((to) => {
        const files = Math.abs((to & 7) - (from & 7));
        const ranks = Math.abs((to >> 3) - (from >> 3));
        return files * ranks === 2;
      })
      .flatMap((to) => [from, to]),
  ),
);

/** At square * 8: the king's steps from a square, filled up with -1. */
export const KING_STEPS = new Int8Array(64 * 8).fill(-1);
for (let from = 0; from < 64; from++) {
  [...ORTHOGONAL, ...DIAGONAL]
    .filter((step) => onBoard(from, step))
    .forEach((step, i) => {
      KING_STEPS[from * 8 + i] = from + step;
    });
}
