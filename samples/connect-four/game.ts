/**
 * Connect Four on 4 x 4 squares: a man falls to the lowest free square of a column; four in a row, in a column or in a diagonal
 * win. A full board without is drawn. White has as many men as Black or one more, so the board says whose turn it is.
 */
import { keyedGame, type NamedMove, type Side } from 'mergemate';

const N = 4;
const COLUMNS = 'abcd';

/** Sets of squares with a bit for each, column by column from below. */
type Men = readonly [white: number, black: number];

const numbers = Array.from({ length: N }, (_, i) => i);
const squares = Array.from({ length: N * N }, (_, square) => square);
const setOf = (some: readonly number[]) => some.reduce((set, square) => set | (1 << square), 0);
const isOn = (set: number, square: number) => ((set >> square) & 1) === 1;
const size = (set: number) => squares.filter((square) => isOn(set, square)).length;
const mover = ([white, black]: Men): Side => (size(white) > size(black) ? 1 : 0);

/** The sets of four squares that win. */
const fours = [
  ...numbers.map((column) => setOf(numbers.map((row) => column * N + row))),
  ...numbers.map((row) => setOf(numbers.map((column) => column * N + row))),
  setOf(numbers.map((i) => i * N + i)),
  setOf(numbers.map((i) => i * N + N - 1 - i)),
];

function* moves(men: Men): Generator<NamedMove<Men>> {
  const [white, black] = men;
  const side = mover(men);
  for (const column of numbers) {
    const square = numbers.map((row) => column * N + row).find((each) => !isOn(white | black, each));
    if (square === undefined) continue;
    const set = 1 << square;
    yield [COLUMNS[column]!, side === 0 ? [white | set, black] : [white, black | set]];
  }
}

/** From above. */
const rows = ([white, black]: Men) =>
  numbers.map((i) =>
    numbers
      .map((column) => column * N + N - 1 - i)
      .map((square) => (isOn(white, square) ? 'x' : isOn(black, square) ? 'o' : '.'))
      .join(''),
  );

function parse(text: string): Men {
  if (!/^([xo.]{4}\/){3}[xo.]{4}$/.test(text.trim()))
    throw new Error('a position looks like "..../..../.o../.xx."');
  const lines = text.trim().split('/');
  const signAt = (square: number) => lines[N - 1 - (square % N)]![Math.floor(square / N)];
  const [white, black] = ['x', 'o'].map((sign) => setOf(squares.filter((each) => signAt(each) === sign)));
  if (![0, 1].includes(size(white!) - size(black!))) throw new Error('x has as many men as o, or one more');
  return [white!, black!];
}

export default keyedGame<Men>({
  name: 'connect-four-4x4',
  roots: () => [[0, 0]],
  key: ([white, black]) => BigInt(black * 2 ** (N * N) + white),
  position: (key) => [Number(key % 2n ** BigInt(N * N)), Number(key >> BigInt(N * N))],
  mover,
  moves,
  // Only who has just moved can have four.
  ended: (men) => (fours.some((four) => (men[1 - mover(men)]! & four) === four) ? 'lost' : null),
  stuck: 'drawn',
  parse,
  format: (men) => rows(men).join('/'),
  diagram: (men) => rows(men).join('\n'),
});
