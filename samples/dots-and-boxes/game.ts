/**
 * Dots and boxes, 2 x 2 boxes: a move draws a line between two dots. Whoever draws the fourth line of a box has it, and moves again. White
 * wins with three boxes or more, as Black does; two each are drawn.
 */
import { keyedGame, type NamedMove, type Side } from 'mergemate';

/**
 * Lines 0 to 5 lie across, row by row from above, and 6 to 11 upright, column by column from the left. How the boxes that are
 * complete are shared is part of a position.
 */
interface Lines {
  readonly drawn: number;
  readonly white: number;
  readonly side: Side;
}

const LINES = 12;
const lines = Array.from({ length: LINES }, (_, line) => line);
/** The lines around each box. */
const boxes = [0, 1, 2, 3].map((box) => {
  const [row, column] = [box >> 1, box & 1];
  const around = [2 * row + column, 2 * row + column + 2, 6 + 2 * column + row, 8 + 2 * column + row];
  return around.reduce((set, line) => set | (1 << line), 0);
});
const complete = (drawn: number) => boxes.filter((box) => (drawn & box) === box).length;

function* moves({ drawn, white, side }: Lines): Generator<NamedMove<Lines>> {
  for (const line of lines) {
    if ((drawn >> line) & 1) continue;
    const after = drawn | (1 << line);
    const taken = complete(after) - complete(drawn);
    yield [
      `${line < 6 ? 'across' : 'upright'} ${(line % 6) + 1}`,
      {
        drawn: after,
        white: white + (side === 0 ? taken : 0),
        side: taken > 0 ? side : ((1 - side) as Side),
      },
    ];
  }
}

function ended({ drawn, white, side }: Lines) {
  if (drawn !== 2 ** LINES - 1) return null;
  const own = side === 0 ? white : 4 - white;
  return own === 2 ? 'drawn' : own > 2 ? 'won' : 'lost';
}

/** The mirror images: lines across are 0 1 / 2 3 / 4 5, lines upright 6 7 | 8 9 | 10 11. */
const LEFT_RIGHT = [1, 0, 3, 2, 5, 4, 10, 11, 8, 9, 6, 7];
const DIAGONAL = [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5];
const moved = (drawn: number, to: readonly number[]) =>
  lines.reduce((set, line) => set | (((drawn >> line) & 1) << to[line]), 0);

function symmetries({ drawn, ...rest }: Lines): Lines[] {
  const images: Lines[] = [];
  for (let turn = 0, each = drawn; turn < 4; turn++) {
    each = moved(each, DIAGONAL);
    images.push({ ...rest, drawn: each });
    each = moved(each, LEFT_RIGHT);
    images.push({ ...rest, drawn: each });
  }
  return images;
}

export default keyedGame<Lines, number>({
  name: 'dots-and-boxes',
  roots: () => [{ drawn: 0, white: 0, side: 0 }],
  key: ({ drawn, white, side }) => (drawn * 8 + white) * 2 + side,
  position: (key) => ({ drawn: key >> 4, white: (key >> 1) & 7, side: (key & 1) as Side }),
  mover: ({ side }) => side,
  moves,
  ended,
  symmetries,
});
