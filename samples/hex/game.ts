/**
 * Hex on 3 x 3 cells: White joins the left and right edges, Black the upper and lower. One of them always does, so nothing is drawn.
 */
import { keyedGame, type NamedMove, type Side } from 'mergemate';

const N = 3;
const CELLS = N * N;

/** Sets of cells with a bit for each, row by row from above. White has as many men as Black or one more. */
type Men = readonly [white: number, black: number];

const cells = Array.from({ length: CELLS }, (_, cell) => cell);
const isOn = (set: number, cell: number) => ((set >> cell) & 1) === 1;
const size = (set: number) => cells.filter((cell) => isOn(set, cell)).length;
const mover = ([white, black]: Men): Side => (size(white) > size(black) ? 1 : 0);

/** Each cell has up to six neighbours: those in its row and column, and on one diagonal. */
const neighbours = cells.map((cell) => {
  const [row, column] = [Math.floor(cell / N), cell % N];
  const steps = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const));
  return steps
    .filter(([down, right]) => down !== right)
    .map(([down, right]) => [row + down, column + right] as const)
    .filter(([r, c]) => r >= 0 && r < N && c >= 0 && c < N)
    .map(([r, c]) => r * N + c);
});
const isFirst = [(cell: number) => cell % N === 0, (cell: number) => cell < N] as const;
const isLast = [(cell: number) => cell % N === N - 1, (cell: number) => cell >= CELLS - N] as const;

function isJoined(set: number, side: Side): boolean {
  const reached = cells.filter((cell) => isFirst[side](cell) && isOn(set, cell));
  for (const cell of reached)
    for (const next of neighbours[cell]) if (isOn(set, next) && !reached.includes(next)) reached.push(next);
  return reached.some(isLast[side]);
}

function* moves(men: Men): Generator<NamedMove<Men>> {
  const [white, black] = men;
  for (const cell of cells) {
    if (isOn(white | black, cell)) continue;
    const name = `${'abc'[cell % N]}${Math.floor(cell / N) + 1}`;
    yield [name, mover(men) === 0 ? [white | (1 << cell), black] : [white, black | (1 << cell)]];
  }
}

/** Half a turn of the board. */
const turned = (set: number) =>
  cells.reduce((all, cell) => all | (isOn(set, cell) ? 1 << (CELLS - 1 - cell) : 0), 0);
const signs = ([white, black]: Men) =>
  cells.map((cell) => (isOn(white, cell) ? 'x' : isOn(black, cell) ? 'o' : '.'));

function parse(text: string): Men {
  if (!/^[xo.]{9}$/.test(text.trim())) throw new Error('a position looks like "x...o....", row by row');
  const setOf = (sign: string) =>
    [...text.trim()].reduce((set, each, cell) => set | (Number(each === sign) << cell), 0);
  const men: Men = [setOf('x'), setOf('o')];
  if (![0, 1].includes(size(men[0]) - size(men[1]))) throw new Error('x has as many men as o, or one more');
  return men;
}

export default keyedGame<Men, number>({
  name: 'hex',
  roots: () => [[0, 0]],
  key: ([white, black]) => white * 2 ** CELLS + black,
  position: (key) => [Math.floor(key / 2 ** CELLS), key % 2 ** CELLS],
  mover,
  moves,
  ended: (men) => (isJoined(men[1 - mover(men)], (1 - mover(men)) as Side) ? 'lost' : null),
  symmetries: ([white, black]) => [[turned(white), turned(black)]],
  parse,
  format: (men) => signs(men).join(''),
  diagram: (men) =>
    signs(men)
      .join(' ')
      .replace(/(.{5}) (.{5}) (.{5})/, '$1\n $2\n  $3'),
});
