/**
 * Dodgem: n - 1 cars of each player on n x n squares. White's drive to the right, Black's up. Cars move one square ahead or to
 * either side, never back, and leave the board ahead. Whoever has no move has won: his cars are gone, or the other
 * player, who must not do that, has shut them in. (Colin Vout; Berlekamp, Conway & Guy, "Winning Ways", chapter 22.)
 */
import { type KeyedRules, keyedGame, type NamedMove, type Side } from 'mergemate';

/** Squares are numbered row by row from the lower left; a set of squares is a number with a bit for each. */
export interface Board {
  readonly cars: readonly [white: number, black: number];
  readonly side: Side;
}

const SIGNS = '>^';
const COLOURS = 'wb';

/** Boards of up to 5 x 5: sets of squares are numbers of 31 bits. */
export function dodgem(n: number): KeyedRules<Board> {
  const squares = Array.from({ length: n * n }, (_, square) => square);
  const column = (square: number) => square % n;
  const row = (square: number) => Math.floor(square / n);
  const nameOf = (square: number) => `${'abcde'[column(square)]}${row(square) + 1}`;
  const OFF = -1;

  /** Where cars of White, and of Black, may go from each square: another, or off. */
  const targets = [
    squares.map((square) => [
      column(square) === n - 1 ? OFF : square + 1,
      ...(row(square) < n - 1 ? [square + n] : []),
      ...(row(square) > 0 ? [square - n] : []),
    ]),
    squares.map((square) => [
      row(square) === n - 1 ? OFF : square + n,
      ...(column(square) < n - 1 ? [square + 1] : []),
      ...(column(square) > 0 ? [square - 1] : []),
    ]),
  ] as const;

  const isOn = (set: number, square: number) => ((set >> square) & 1) === 1;
  const setOf = (some: readonly number[]) => some.reduce((set, square) => set | (1 << square), 0);
  const start: Board = {
    cars: [
      setOf(squares.filter((square) => column(square) === 0 && row(square) > 0)),
      setOf(squares.filter((square) => row(square) === 0 && column(square) > 0)),
    ],
    side: 0,
  };

  function* moves({ cars, side }: Board): Generator<NamedMove<Board>> {
    const taken = cars[0] | cars[1];
    for (const from of squares) {
      if (!isOn(cars[side], from)) continue;
      for (const to of targets[side][from]) {
        if (to !== OFF && isOn(taken, to)) continue;
        const mine = (cars[side] & ~(1 << from)) | (to === OFF ? 0 : 1 << to);
        const after: Board =
          side === 0 ? { cars: [mine, cars[1]], side: 1 } : { cars: [cars[0], mine], side: 0 };
        yield [`${nameOf(from)}-${to === OFF ? 'off' : nameOf(to)}`, after];
      }
    }
  }

  const signAt = ([white, black]: Board['cars'], square: number) =>
    isOn(white, square) ? SIGNS[0] : isOn(black, square) ? SIGNS[1] : '.';
  const rows = ({ cars }: Board) =>
    Array.from({ length: n }, (_, i) =>
      squares
        .slice(n * (n - 1 - i), n * (n - i))
        .map((square) => signAt(cars, square))
        .join(''),
    );
  const text = (board: Board) => `${rows(board).join('/')} ${COLOURS[board.side]}`;

  return keyedGame<Board>({
    name: `dodgem-${n}x${n}`,
    roots: () => [start],
    key: ({ cars: [white, black], side }) =>
      (BigInt(side) << BigInt(2 * n * n)) | (BigInt(black) << BigInt(n * n)) | BigInt(white),
    position(key) {
      const set = (by: number) => Number(BigInt.asUintN(n * n, key >> BigInt(by)));
      return { cars: [set(0), set(n * n)], side: Number(key >> BigInt(2 * n * n)) as Side };
    },
    mover: ({ side }) => side,
    moves,
    // Who has driven off his last car has won though it is not his turn.
    ended: (board) => (board.cars[1 - board.side] === 0 ? 'lost' : moves(board).next().done ? 'won' : null),
    parse(words) {
      const [picture = '', colour = ''] = words.trim().split(/\s+/);
      const lines = picture.split('/').reverse();
      if (lines.length !== n || lines.some((line) => line.length !== n) || !/^[.>^/]*$/.test(picture))
        throw new Error(`a position looks like "${text(start)}"`);
      const signs = lines.join('');
      const cars = [...SIGNS].map((sign) => setOf(squares.filter((square) => signs[square] === sign)));
      const counts = [...SIGNS].map((sign) => signs.split(sign).length - 1);
      if (counts.some((count) => count >= n)) throw new Error(`each player has ${n - 1} cars`);
      if (!/^[wb]$/.test(colour)) throw new Error('who is to move is "w" or "b"');
      return { cars: [cars[0], cars[1]], side: COLOURS.indexOf(colour) as Side };
    },
    format: text,
    diagram: (board) => rows(board).join('\n'),
  });
}

export default dodgem(4);
