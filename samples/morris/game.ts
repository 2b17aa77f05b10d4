/**
 * The end of nine men's morris: three men against three. A man goes to any free point. Three men in a row along a
 * line are a mill. Who closes one takes a man of the opponent. A player with too few men has lost. Men that stood in
 * a mill before have won nothing by it.
 */
import { type NamedMove, numberedGame, type Side } from 'mergemate';

/** Points of a square clockwise from a corner, the outermost square first. */
const points = Array.from({ length: 24 }, (_, point) => point);
/** All sets of three points. */
const pairs = points.flatMap((a) => points.slice(a + 1).map((b) => [a, b]));
const sets = pairs.flatMap(([a, b]) => points.slice(b + 1).map((c) => [a, b, c]));
const SETS = sets.length;
const numbers = new Map(sets.map((set, number) => [String(set), number]));
const numberOf = (men: readonly number[]) => numbers.get(String(men.toSorted((a, b) => a - b)))!;
const bits = sets.map((set) => set.reduce((all, point) => all | (1 << point), 0));

const along = [0, 8, 16].flatMap((square) =>
  [0, 2, 4, 6].map((corner) => [corner, corner + 1, (corner + 2) % 8].map((point) => square + point)),
);
const across = [1, 3, 5, 7].map((middle) => [middle, middle + 8, middle + 16]);
const mills = new Set([...along, ...across].map(numberOf));

/** Where sets go: turns and mirror images, with the squares in any order, as neighbours mean nothing to a man that may go anywhere. */
const images = ['012', '021', '102', '120', '201', '210'].flatMap((order) =>
  [0, 2, 4, 6].flatMap((turn) =>
    [1, 7].map((way) => {
      const move = (point: number) => Number(order[point >> 3]) * 8 + (((point & 7) * way + turn) & 7);
      return Uint16Array.from(sets, (set) => numberOf(set.map(move)));
    }),
  ),
);

/** For each set the least that it can be, and the images by which it becomes that. */
const least = sets.map((_, set) => Math.min(...images.map((image) => image[set])));
const ways = sets.map((_, set) => images.filter((image) => image[set] === least[set]));
const leasts = [...new Set(least)];

interface Board {
  /** Numbers of sets: the men of who moves, and of the opponent. Null: who moves has lost a man. */
  readonly men: readonly [own: number, other: number] | null;
  readonly side: Side;
}

/** Positions that look alike have one number. */
const indexOf = ([own, other]: readonly [number, number]) =>
  leasts.indexOf(least[own]) * SETS + Math.min(...ways[own].map((image) => image[other]));
const LAST = leasts.length * SETS;

/** The sets after each move of three men, as [name, number], by their own number. */
const steps = sets.map((set) =>
  set.flatMap((man, which) =>
    points
      .filter((to) => !set.includes(to))
      .map((to) => [`${man}-${to}`, numberOf(set.with(which, to)), 1 << to] as const),
  ),
);

export default numberedGame<Board>({
  name: 'morris',
  size: LAST + 1,
  index: ({ men }) => (men === null ? LAST : indexOf(men)),
  position(index, side) {
    if (index === LAST) return { men: null, side };
    const men = [leasts[Math.floor(index / SETS)], index % SETS] as const;
    return (bits[men[0]] & bits[men[1]]) === 0 && indexOf(men) === index ? { men, side } : null;
  },
  mover: ({ side }) => side,
  ended: ({ men }) => (men === null ? 'lost' : null),
  moves({ men, side }) {
    const [next, [own, other]] = [(1 - side) as Side, men!];
    return steps[own]
      .filter(([, , to]) => (bits[other] & to) === 0)
      .map(([name, after]): NamedMove<Board> => {
        const isMill = mills.has(after);
        return [isMill ? `${name}x` : name, { men: isMill ? null : [other, after], side: next }];
      });
  },
});
