/**
 * The L game (Edward de Bono, "The Five-Day Course in Thinking", 1967). Each player has an L of four squares, and two neutral counters lie on
 * the board of 4 x 4. Who moves puts the own L somewhere else, and may then move one counter to a free square. Who cannot has lost.
 *
 * The board has eight symmetries, and the players have the same pieces. So a position is alike to its mirror images and, with the Ls
 * exchanged and the other side to move, to eight more.
 */
import { keyedGame, type NamedMove, type Side } from 'mergemate';

/** Places of the Ls in {@link LS} and of the counters in {@link PAIRS}. */
export interface Position {
  readonly ls: readonly [white: number, black: number];
  readonly counters: number;
  readonly side: Side;
}

const SIZE = 4;
const SQUARES = Array.from({ length: SIZE * SIZE }, (_, square) => square);
const nameOf = (square: number) => `${'abcd'[square % SIZE]}${Math.floor(square / SIZE) + 1}`;
const bit = (square: number) => 1 << square;

/** The eight symmetries of the board: where each square goes. */
const SYMMETRIES = Array.from({ length: 8 }, (_, symmetry) =>
  SQUARES.map((square) => {
    let [x, y] = [square % SIZE, Math.floor(square / SIZE)];
    if (symmetry & 1) x = SIZE - 1 - x;
    if (symmetry & 2) y = SIZE - 1 - y;
    if (symmetry & 4) [x, y] = [y, x];
    return y * SIZE + x;
  }),
);

const squaresOf = (set: number) => SQUARES.filter((square) => (set & bit(square)) !== 0);
const setOf = (squares: readonly number[]) => squares.reduce((set, square) => set | bit(square), 0);
const imageOf = (set: number, symmetry: readonly number[]) =>
  setOf(squaresOf(set).map((square) => symmetry[square]));

/** The four Ls that lie in a rectangle of 3 x 2, on four of its places: their images are all 48. */
const LYING = [
  [0, 1, 2, 4],
  [0, 1, 2, 6],
  [4, 5, 6, 0],
  [4, 5, 6, 2],
];
const LS = [
  ...new Set(
    [0, 1, 4, 5].flatMap((corner) =>
      LYING.flatMap((squares) => {
        const set = setOf(squares.map((square) => square + corner));
        return SYMMETRIES.map((symmetry) => imageOf(set, symmetry));
      }),
    ),
  ),
].sort((a, b) => a - b);
const PAIRS = SQUARES.flatMap((b) => SQUARES.filter((a) => a < b).map((a) => bit(a) | bit(b)));
const L_OF = new Map(LS.map((set, i) => [set, i]));
const PAIR_OF = new Map(PAIRS.map((set, i) => [set, i]));
const L_IMAGES = SYMMETRIES.map((symmetry) => LS.map((set) => L_OF.get(imageOf(set, symmetry))!));
const PAIR_IMAGES = SYMMETRIES.map((symmetry) => PAIRS.map((set) => PAIR_OF.get(imageOf(set, symmetry))!));

const L_NAMES = LS.map((set) => squaresOf(set).map(nameOf).join(''));

const withL = ({ ls, side }: Position, l: number): [number, number] => (side === 0 ? [l, ls[1]] : [ls[0], l]);

function* moves(position: Position): Generator<NamedMove<Position>> {
  const { ls, counters, side } = position;
  const next = (1 - side) as Side;
  const pair = PAIRS[counters];
  const others = LS[ls[next]] | pair;
  for (const [l, set] of LS.entries()) {
    if (l === ls[side] || (set & others) !== 0) continue;
    const moved = withL(position, l);
    yield [L_NAMES[l], { ls: moved, counters, side: next }];
    const taken = set | others;
    for (const from of squaresOf(pair))
      for (const to of SQUARES)
        if ((taken & bit(to)) === 0)
          yield [
            `${L_NAMES[l]} ${nameOf(from)}-${nameOf(to)}`,
            { ls: moved, counters: PAIR_OF.get((pair ^ bit(from)) | bit(to))!, side: next },
          ];
  }
}

const SIGNS = 'wbo';
const setsOf = ({ ls, counters }: Position) => [LS[ls[0]], LS[ls[1]], PAIRS[counters]];

/** From the upper row to the lower one. */
function rows(position: Position): string[] {
  const sets = setsOf(position);
  const sign = (square: number) => SIGNS[sets.findIndex((set) => (set & bit(square)) !== 0)] ?? '.';
  return [3, 2, 1, 0].map((row) =>
    SQUARES.slice(row * SIZE, (row + 1) * SIZE)
      .map(sign)
      .join(''),
  );
}

function parse(text: string): Position {
  const [board = '', colour = ''] = text.trim().split(/\s+/);
  const squares = board.split('/').reverse().join('');
  const sets = [...SIGNS].map((sign) => setOf(SQUARES.filter((square) => squares[square] === sign)));
  const [white, black] = [L_OF.get(sets[0]), L_OF.get(sets[1])];
  const counters = PAIR_OF.get(sets[2]);
  if (!/^([wbo.]{4}\/){3}[wbo.]{4}$/.test(board) || !/^[wb]$/.test(colour))
    throw new Error('a position looks like "oww./.bw./.bw./.bbo w"');
  if (white === undefined || black === undefined || counters === undefined)
    throw new Error('there are two Ls, w and b, and two counters, o');
  return { ls: [white, black], counters, side: colour === 'w' ? 0 : 1 };
}

export default keyedGame<Position, number>({
  name: 'l-game',
  roots: () => [parse('oww./.bw./.bw./.bbo w')],
  key: ({ ls, counters, side }) => ((ls[0] * LS.length + ls[1]) * PAIRS.length + counters) * 2 + side,
  position: (key) => ({
    ls: [Math.floor(key / (2 * PAIRS.length * LS.length)), Math.floor(key / (2 * PAIRS.length)) % LS.length],
    counters: Math.floor(key / 2) % PAIRS.length,
    side: (key % 2) as Side,
  }),
  mover: ({ side }) => side,
  moves,
  symmetries: ({ ls: [white, black], counters, side }) =>
    L_IMAGES.flatMap((l, i): Position[] => {
      const pair = PAIR_IMAGES[i][counters];
      return [
        { ls: [l[white], l[black]], counters: pair, side },
        // The colours exchanged: each has the other's L, and the other is to move.
        { ls: [l[black], l[white]], counters: pair, side: (1 - side) as Side },
      ];
    }),
  parse,
  format: (position) => `${rows(position).join('/')} ${'wb'[position.side]}`,
  diagram: rows,
  board: (position) => rows(position).map((row) => [...row].map((sign) => (sign === '.' ? '' : sign))),
});
