/**
 * Dots and boxes: a move draws a line between two dots. Whoever draws the fourth line of a box has it, and moves again. The score is by how many
 * boxes White has more.
 */
import { type KeyedGame, keyedGame, type NamedMove, type Side } from 'mergemate';

/**
 * A bit for each line. First come those that lie across, row by row from above. Then come those that are upright,
 * column by column from the left. How the boxes that are complete are shared is part of a position.
 */
export interface Lines {
  readonly drawn: number;
  readonly white: number;
  readonly side: Side;
}

/** A square of `size` x `size` boxes. */
export function dotsAndBoxes(size: number): KeyedGame<Lines, number> {
  const across = size * (size + 1);
  const LINES = 2 * across;
  const lines = Array.from({ length: LINES }, (_, line) => line);
  /** The lines around each box. */
  const boxes = Array.from({ length: size * size }, (_, box) => {
    const [row, column] = [Math.floor(box / size), box % size];
    const above = row * size + column;
    const left = across + column * size + row;
    return (1 << above) | (1 << (above + size)) | (1 << left) | (1 << (left + size));
  });
  const complete = (drawn: number) =>
    boxes.reduce((count, box) => count + ((drawn & box) === box ? 1 : 0), 0);

  function moves({ drawn, white, side }: Lines): NamedMove<Lines>[] {
    const before = complete(drawn);
    return lines
      .filter((line) => ((drawn >> line) & 1) === 0)
      .map((line) => {
        const after = drawn | (1 << line);
        const taken = complete(after) - before;
        const name = `${line < across ? 'across' : 'upright'} ${(line % across) + 1}`;
        const next = taken > 0 ? side : ((1 - side) as Side);
        return [name, { drawn: after, white: white + (side === 0 ? taken : 0), side: next }];
      });
  }

  /** The mirror images: where each line goes. Lines across become upright in one along the diagonal. */
  const leftRight = lines.map((line) => {
    if (line < across) return line - (line % size) + (size - 1 - (line % size));
    const [column, row] = [Math.floor((line - across) / size), line % size];
    return across + (size - column) * size + row;
  });
  const diagonal = lines.map((line) => (line + across) % LINES);
  const moved = (drawn: number, to: readonly number[]) =>
    lines.reduce((set, line) => set | (((drawn >> line) & 1) << to[line]), 0);
  /** The other ways to look at sets of lines: along the diagonal and from left to right by turns. By bytes, since sets are looked at often. */
  const images = Array.from({ length: 7 }, (_, image) => {
    let to = lines;
    for (let i = 0; i <= image; i++) to = to.map((line) => (i % 2 === 0 ? diagonal : leftRight)[line]);
    return [0, 8, 16].map((place) =>
      Uint32Array.from({ length: 256 }, (_, byte) => moved(byte << place, to)),
    );
  });

  return {
    name: `dots-and-boxes-${size}`,
    roots: () => [{ drawn: 0, white: 0, side: 0 }],
    key: ({ drawn, white, side }) => (drawn * 16 + white) * 2 + side,
    position: (key) => ({ drawn: Math.floor(key / 32), white: (key >>> 1) & 15, side: (key & 1) as Side }),
    mover: ({ side }) => side,
    moves,
    score: ({ white }) => 2 * white - size * size,
    symmetries: ({ drawn, ...rest }) =>
      images.map(([low, middle, high]) => ({
        ...rest,
        drawn: low[drawn & 255] | middle[(drawn >> 8) & 255] | high[drawn >> 16],
      })),
  };
}

export default keyedGame(dotsAndBoxes(2));
