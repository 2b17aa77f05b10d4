/**
 * Hex on `size` x `size` cells: White joins the left and right edges, Black the upper and lower. One of them always does, so nothing is drawn.
 */
import { type KeyedGame, keyedGame, type NamedMove, type Side } from 'mergemate';

/** Sets of cells with a bit for each, row by row from above. White has as many men as Black or one more. */
type Men = readonly [white: number, black: number];

/** Boards of up to 5 x 5 cells. */
export function hex(size: number): KeyedGame<Men, number> {
  const CELLS = size * size;
  const cells = Array.from({ length: CELLS }, (_, cell) => cell);
  const setOf = (has: (cell: number) => boolean) =>
    cells.reduce((set, cell) => (has(cell) ? set | (1 << cell) : set), 0);
  const isOn = (set: number, cell: number) => ((set >> cell) & 1) === 1;

  const count = (set: number): number => (set === 0 ? 0 : 1 + count(set & (set - 1)));
  const mover = ([white, black]: Men): Side => (count(white) > count(black) ? 1 : 0);

  const [left, right] = [setOf((cell) => cell % size === 0), setOf((cell) => cell % size === size - 1)];
  const [above, below] = [setOf((cell) => cell < size), setOf((cell) => cell >= CELLS - size)];

  /** Where a cell's neighbours are: in its row and column, and on one diagonal; and which cells have such a neighbour. */
  const ways = [1, size, size - 1].map((step, i) => [step, ~[right, below, left | below][i]] as const);
  const back = [1, size, size - 1].map((step, i) => [step, ~[left, above, right | above][i]] as const);

  function isJoined(set: number, side: Side): boolean {
    let reached = set & (side === 0 ? left : above);
    for (let before = 0; reached !== before; ) {
      before = reached;
      for (const [step, from] of ways) reached |= ((reached & from) << step) & set;
      for (const [step, from] of back) reached |= ((reached & from) >> step) & set;
    }
    return (reached & (side === 0 ? right : below)) !== 0;
  }

  const names = cells.map((cell) => `${'abcde'[cell % size]}${Math.floor(cell / size) + 1}`);
  function moves(men: Men): NamedMove<Men>[] {
    const [white, black] = men;
    const isWhite = mover(men) === 0;
    return cells
      .filter((cell) => !isOn(white | black, cell))
      .map((cell) => [names[cell], isWhite ? [white | (1 << cell), black] : [white, black | (1 << cell)]]);
  }

  /** Half a turn of the board. */
  const turned = (set: number) => setOf((cell) => isOn(set, CELLS - 1 - cell));
  const signs = ([white, black]: Men) =>
    cells.map((cell) => (isOn(white, cell) ? 'x' : isOn(black, cell) ? 'o' : '.'));

  const board = (men: Men) =>
    Array.from({ length: size }, (_, row) => signs(men).slice(row * size, (row + 1) * size));

  function parse(text: string): Men {
    const given = text.trim();
    if (!/^[xo.]+$/.test(given) || given.length !== CELLS)
      throw new Error(`a position looks like "${signs([1, 4]).join('')}", row by row`);
    const men: Men = [setOf((cell) => given[cell] === 'x'), setOf((cell) => given[cell] === 'o')];
    if (![0, 1].includes(count(men[0]) - count(men[1])))
      throw new Error('x has as many men as o, or one more');
    return men;
  }

  return {
    name: size === 3 ? 'hex' : `hex-${size}`,
    roots: () => [[0, 0]],
    mover,
    moves,
    parse,
    key: ([white, black]) => white * 2 ** CELLS + black,
    position: (key) => [Math.floor(key / 2 ** CELLS), key % 2 ** CELLS],
    ended: (men) => (isJoined(men[1 - mover(men)], (1 - mover(men)) as Side) ? 'lost' : null),
    symmetries: ([white, black]) => [[turned(white), turned(black)]],
    format: (men) => signs(men).join(''),
    diagram: (men) =>
      Array.from({ length: size }, (_, row) => ' '.repeat(row) + board(men)[row].join(' ')).join('\n'),
  };
}

export default keyedGame(hex(3));
