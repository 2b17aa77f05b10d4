/**
 * Dots and boxes by another state than the sample's: the lines that are drawn alone. Its values are by how many boxes
 * who is to move wins of those that are left. So do Wilson, and Barker & Korf ("Solving Dots-and-Boxes", AAAI 2012,
 * section 3). Lines are numbered across and upright in turn, row by row, and nothing is shared with the sample.
 */

interface Grid {
  readonly lines: number;
  /** The lines around each. */
  readonly boxes: readonly number[];
  /** By place on a grid of dots, lines and boxes: a line lies where the sum of row and column is odd. */
  readonly numbers: ReadonlyMap<number, number>;
}

function newGrid(size: number): Grid {
  const width = 2 * size + 1;
  const numbers = new Map<number, number>();
  for (let at = 0; at < width * width; at++)
    if ((Math.floor(at / width) + (at % width)) % 2 === 1) numbers.set(at, numbers.size);
  const boxes: number[] = [];
  for (let row = 1; row < width; row += 2)
    for (let column = 1; column < width; column += 2) {
      const around = [-width, -1, 1, width].map((step) => numbers.get(row * width + column + step)!);
      boxes.push(around.reduce((set, line) => set | (1 << line), 0));
    }
  return { lines: numbers.size, boxes, numbers };
}

/** A set of lines as the sample numbers them: which set it is here, and how many boxes it completes. */
export function gridOf(size: number, drawn: number): { readonly lines: number; readonly taken: number } {
  const { lines: count, boxes, numbers } = newGrid(size);
  const width = 2 * size + 1;
  const across = count / 2;
  let lines = 0;
  for (let line = 0; line < count; line++) {
    if (((drawn >> line) & 1) === 0) continue;
    const i = line % across;
    const at =
      line < across
        ? 2 * Math.floor(i / size) * width + 2 * (i % size) + 1
        : (2 * (i % size) + 1) * width + 2 * Math.floor(i / size);
    lines |= 1 << numbers.get(at)!;
  }
  return { lines, taken: boxes.filter((box) => (lines & box) === box).length };
}

/** The margin of each set of lines, for the side to move: 2^(2n(n + 1)) bytes. `size`: at most 3. */
export function marginsOf(size: number): Int8Array {
  const { lines, boxes } = newGrid(size);
  const boxesOf = Array.from({ length: lines }, (_, line) => boxes.filter((box) => (box >> line) & 1));
  const margins = new Int8Array(2 ** lines);
  for (let drawn = 2 ** lines - 2; drawn >= 0; drawn--) {
    let best = Number.NEGATIVE_INFINITY;
    for (let line = 0; line < lines; line++) {
      if ((drawn >> line) & 1) continue;
      const after = drawn | (1 << line);
      let taken = 0;
      for (const box of boxesOf[line]) if ((after & box) === box) taken++;
      best = Math.max(best, taken > 0 ? taken + margins[after] : -margins[after]);
    }
    margins[drawn] = best;
  }
  return margins;
}
