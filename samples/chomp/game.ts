/**
 * Chomp on a bar of 5 x 8 squares: a move bites off a square with all above and to the right of it. Who must eat the last square has lost.
 */
import { keyedGame, type NamedMove, type Side } from 'mergemate';

const [WIDTH, HEIGHT] = [8, 5];

/** Heights of the columns, none higher than the one before. */
interface Bar {
  readonly heights: readonly number[];
  readonly side: Side;
}

function* moves({ heights, side }: Bar): Generator<NamedMove<Bar>> {
  for (const [column, height] of heights.entries())
    for (let left = 0; left < height; left++) {
      if (column + left === 0) continue;
      const after = heights.map((each, i) => (i < column ? each : Math.min(each, left)));
      yield [`${'abcdefgh'[column]}${left + 1}`, { heights: after, side: (1 - side) as Side }];
    }
}

function parse(text: string): Bar {
  const [digits, side] = text.trim().split(' ');
  const heights = [...(digits ?? '')].map(Number);
  const isBar = heights.every((height, i) => height <= (heights[i - 1] ?? HEIGHT));
  if (heights.length !== WIDTH || !isBar || heights[0] === 0 || !['w', 'b'].includes(side))
    throw new Error('a bar looks like "55552110 b": heights from left to right, and who is to move');
  return { heights, side: side === 'w' ? 0 : 1 };
}

/** The bar as a picture: the square that loses is dark. */
function board({ heights }: Bar): string {
  const squares = heights.flatMap((height, column) =>
    Array.from({ length: height }, (_, row) => {
      const colour = column + row === 0 ? '#3b2314' : '#a9713f';
      return `<rect x="${column + 0.05}" y="${HEIGHT - row - 0.95}" width="0.9" height="0.9" fill="${colour}"/>`;
    }),
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${squares.join('')}</svg>`;
}

export default keyedGame<Bar, number>({
  name: 'chomp',
  roots: () => [{ heights: Array(WIDTH).fill(HEIGHT), side: 0 }],
  key: ({ heights, side }) => heights.reduce((key, height) => key * 8 + height, 1) * 2 + side,
  position: (key) => ({
    heights: Array.from(
      Math.floor(key / 2)
        .toString(8)
        .slice(1),
      Number,
    ),
    side: (key % 2) as Side,
  }),
  mover: ({ side }) => side,
  moves,
  parse,
  format: ({ heights, side }) => `${heights.join('')} ${'wb'[side]}`,
  diagram: ({ heights }) =>
    Array.from({ length: HEIGHT }, (_, i) =>
      heights.map((height) => (height >= HEIGHT - i ? '#' : '.')).join(''),
    ).join('\n'),
  board,
});
