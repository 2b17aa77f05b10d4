/**
 * Dōbutsu shōgi (Madoka Kitao, 2008) on 3 x 4 squares, without drops: men that are taken are gone, and chicks that reach the far rank are hens.
 * A player may move into check. The play is over as soon as the mover can take the other lion, and has won; or else where the other lion stands
 * on its far rank, and has lost. Who cannot move has lost, and going on without end is a draw.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

export interface AnimalBoard {
  /** By squares from the upper left, row by row: 0 empty, then those of {@link MEN}. */
  readonly men: readonly number[];
  readonly side: Side;
}

const [WIDTH, HEIGHT] = [3, 4];
/** Lions, giraffes, elephants, chicks and hens. Those of side 0 have capitals, and their chicks go up. */
const MEN = '.LGECHlgech';
const [LION, CHICK, HEN] = [1, 4, 5];
/** From a man of side 0 to the same of side 1. */
const COLOUR = 5;
const squares = Array.from({ length: WIDTH * HEIGHT }, (_, square) => square);

type Steps = readonly (readonly [right: number, up: number])[];
const STRAIGHT: Steps = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
];
const AHEAD: Steps = [
  [1, 1],
  [-1, 1],
];
const DIAGONAL: Steps = [...AHEAD, [1, -1], [-1, -1]];
/** By man of side 0. */
const STEPS: readonly Steps[] = [
  [],
  [...STRAIGHT, ...DIAGONAL],
  STRAIGHT,
  DIAGONAL,
  [[0, 1]],
  [...STRAIGHT, ...AHEAD],
];

const owns = (side: Side, man: number) => man !== 0 && man > COLOUR === (side === 1);
const exchanged = (man: number) => (man === 0 ? 0 : man > COLOUR ? man - COLOUR : man + COLOUR);

/** By man and square: the squares that its steps lead to, whatever stands there. */
const TARGETS = squares.map((square) => {
  const [x, y] = [square % WIDTH, Math.floor(square / WIDTH)];
  const of = (steps: Steps, sign: number) =>
    steps
      .map(([right, up]) => [x + right, y - sign * up] as const)
      .filter(([tx, ty]) => tx >= 0 && tx < WIDTH && ty >= 0 && ty < HEIGHT)
      .map(([tx, ty]) => ty * WIDTH + tx);
  return [...STEPS.map((steps) => of(steps, 1)), ...STEPS.slice(1).map((steps) => of(steps, -1))];
});

const isFarRank = (square: number, side: Side) =>
  side === 0 ? square < WIDTH : square >= WIDTH * (HEIGHT - 1);

function ended({ men, side }: AnimalBoard): 'won' | 'lost' | null {
  const other = (1 - side) as Side;
  const lion = men.indexOf(LION + COLOUR * other);
  for (const square of squares)
    if (owns(side, men[square]) && TARGETS[square][men[square]].includes(lion)) return 'won';
  return isFarRank(lion, other) ? 'lost' : null;
}

function moves({ men, side }: AnimalBoard): NamedMove<AnimalBoard>[] {
  const found: NamedMove<AnimalBoard>[] = [];
  for (const square of squares) {
    const man = men[square];
    if (!owns(side, man)) continue;
    const isChick = man === CHICK + COLOUR * side;
    for (const to of TARGETS[square][man]) {
      if (owns(side, men[to])) continue;
      const after = [...men];
      after[square] = 0;
      after[to] = isChick && isFarRank(to, side) ? HEN + COLOUR * side : man;
      found.push([`${MEN[man]}${square}-${to}`, { men: after, side: (1 - side) as Side }]);
    }
  }
  return found;
}

export const dobutsuWithoutDrops: KeyedGame<AnimalBoard, number> = {
  name: 'dobutsu-without-drops',
  roots: () => [{ men: [...'gle.c..C.ELG'].map((man) => MEN.indexOf(man)), side: 0 }],
  key: ({ men, side }) => men.reduce((key, man) => key * MEN.length + man, 0) * 2 + side,
  position(key) {
    const men = squares.map(() => 0);
    let rest = Math.floor(key / 2);
    for (let square = squares.length - 1; square >= 0; square--, rest = Math.floor(rest / MEN.length))
      men[square] = rest % MEN.length;
    return { men, side: (key % 2) as Side };
  },
  mover: ({ side }) => side,
  ended,
  moves,
  symmetries({ men, side }) {
    const mirrored = men.map((_, square) => men[square - 2 * (square % WIDTH) + WIDTH - 1]);
    const other = (1 - side) as Side;
    // Half a turn exchanges the colours.
    return [
      { men: mirrored, side },
      { men: men.map(exchanged).reverse(), side: other },
      { men: mirrored.map(exchanged).reverse(), side: other },
    ];
  },
};
