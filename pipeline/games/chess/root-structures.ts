/**
 * The pawn structures that can be reached from a root, found by breadth-first search over (men, squares of pawns). Kings and pieces may stand
 * anywhere, so the search lets any man be captured at any time, and a pawn capture any man that the other side has. Structures with the same
 * men, and with pawns on the same ranks, form a *shape* (shape.ts), which becomes one slice: no move leads from one structure of a shape to
 * another. The mirror image of each structure belongs to the shape as well.
 */
import { UserError } from '../../../operators/core/errors.js';
import { RecentCache } from '../../../operators/core/recent-cache.js';
import type { Side } from '../../game/game.js';
import { SYMMETRY } from './geometry.js';
import type { Forbidden } from './placements.js';
import { nameOfRoot, type Root } from './root.js';
import { forbiddenBy, forbids, mirrorNever } from './root-never.js';
import { classOf, type EndingShape, inOrder, type Naming, nameOf, pawnsOf, sliceOf } from './shape.js';

/** A shape that can be reached, and the squares on which its pawns may stand. */
export interface ReachedShape {
  readonly shape: EndingShape;
  /** Squares of the pawns of each structure: the one that may be captured en passant, then White's, then Black's, ascending. */
  readonly structures: readonly (readonly number[])[];
  /** By structure: what the root's restriction forbids there. A structure and its mirror image may both be reached; then what it forbids in either. */
  readonly forbidden: readonly Forbidden[] | null;
  /** The names of the shapes that moves lead to. */
  readonly next: ReadonlySet<string>;
}

/** How the value of a shape's positions is found. */
export type Source =
  /** Solved, in a slice of the root. */
  | 'solved'
  /** Looked up in the tables of their ending. */
  | 'ending'
  /** Looked up in Syzygy files, in a slice of the root whose table is made of them. */
  | 'files'
  /** Unknown: there is no table. */
  | 'unknown';

export interface Structures {
  readonly root: Root;
  /** By the name of the shape (`nameOf`), with the side that has the right to capture en passant. */
  readonly shapes: ReadonlyMap<string, ReachedShape>;
  /** The classes of endings at which solving stops, sorted by name: bit i of `Root.known` and `Root.files` stands for the i-th. */
  readonly stops: readonly string[];
  sourceOf(shape: EndingShape): Source;
  /** Whether unknown positions can be reached, so that positions have two values: the best and the worst case. */
  isBounded(shape: EndingShape): boolean;
}

interface State {
  readonly men: readonly [string, string];
  readonly pawns: readonly [readonly number[], readonly number[]];
  /** The square of the pawn that may be captured en passant, -1 if there is none. */
  readonly passant: number;
}

/** Limit of the search: every thread that reads the name of a root's slice repeats it. Structures of this number stay in memory. */
const MOST_STATES = 400_000;

/** The structures of the roots that were used last. */
const found = new RecentCache<string, Structures>(MOST_STATES);

export class ManyStructuresError extends UserError {
  override name = 'ManyStructuresError';
}

/** @param most states of the search at most. @throws ManyStructuresError if there are more. */
export function structuresOf(root: Root, most = MOST_STATES): Structures {
  const name = nameOfRoot(root);
  const known = found.get(name);
  if (known !== undefined) return known;
  const structures = reach(root, most);
  found.set(name, structures, sizeOf(structures));
  return structures;
}

function sizeOf({ shapes }: Structures): number {
  let sum = 0;
  for (const { structures } of shapes.values()) sum += structures.length;
  return sum;
}

/** Whether solving stops at a shape. */
function isStop({ men }: Pick<EndingShape, 'men'>, { stopAt, mostPieces }: Root): boolean {
  const all = men.join('');
  const pieces = all.length - pawnsOf(all);
  return all.length + 2 <= stopAt || (mostPieces !== null && pieces > mostPieces);
}

function reach(root: Root, most: number): Structures {
  const shapes = new Map<string, { shape: EndingShape; states: State[]; next: Set<string> }>();
  /** By structure: whether it is reached, and whether its mirror image is. */
  const seen = new Map<string, { reached: boolean; mirrored: boolean }>();
  const queue: State[] = [];
  /** Adds a state, and its mirror image. Returns the name of its shape. */
  const add = (state: State): string => {
    const shape = shapeOfState(state);
    const name = nameOf(shape);
    const seenBefore = seen.get(keyOf(state));
    if (seenBefore !== undefined) {
      seenBefore.reached = true;
      seen.get(keyOf(mirror(state)))!.mirrored = true;
      return name;
    }
    let known = shapes.get(name);
    if (known === undefined) shapes.set(name, (known = { shape, states: [], next: new Set() }));
    for (const each of [state, mirror(state)]) {
      const both = seen.get(keyOf(each));
      if (both !== undefined) {
        both.mirrored = true;
        continue;
      }
      seen.set(keyOf(each), { reached: each === state, mirrored: each !== state });
      known.states.push(each);
    }
    if (seen.size > most)
      throw new ManyStructuresError(
        `${nameOfRoot(root)}: more than ${most} pawn structures can be reached: stop earlier (--stop-at, --most-pieces)`,
      );
    // Moves of the mirror image lead to the mirror images, which `add` adds with each state.
    if (shape.ranks.flat().length > 0 && !isStop(shape, root)) queue.push(state);
    return name;
  };
  const restricted =
    root.never === null ? null : { side: root.never.side, forbidden: forbiddenBy([root.never]) };
  add({ men: root.men, pawns: root.pawns, passant: root.passant ?? -1 });
  for (const state of queue) {
    const { next } = shapes.get(nameOf(shapeOfState(state)))!;
    for (const after of statesAfter(state, root.promotions, restricted)) next.add(add(after));
  }
  const stops = [
    ...new Set(
      [...shapes.values()].flatMap(({ shape }) =>
        isStop(shape, root) ? [endingOf(shape, root.naming)] : [],
      ),
    ),
  ].sort();
  const sourceOf = (shape: EndingShape): Source => {
    if (!isStop(shape, root)) return shape.ranks.flat().length > 0 ? 'solved' : 'ending';
    const number = stops.indexOf(endingOf(shape, root.naming));
    if (number < 0) return 'unknown';
    const has = (bits: bigint) => ((bits >> BigInt(number)) & 1n) === 1n;
    return has(root.known) ? 'ending' : has(root.files) ? 'files' : 'unknown';
  };
  const bounded = new Map<string, boolean>();
  const isBounded = (shape: EndingShape): boolean => {
    const name = nameOf(shape);
    let known = bounded.get(name);
    if (known === undefined) {
      const source = sourceOf(shape);
      known =
        source === 'unknown' ||
        (source === 'solved' &&
          [...(shapes.get(name)?.next ?? [])].some((each) => isBounded(shapes.get(each)!.shape)));
      bounded.set(name, known);
    }
    return known;
  };
  const { never } = root;
  const forbiddenIn = (state: State): Forbidden => {
    const { reached, mirrored } = seen.get(keyOf(state))!;
    return forbiddenBy([...(reached ? [never!] : []), ...(mirrored ? [mirrorNever(never!)] : [])]);
  };
  const all = new Map(
    [...shapes].map(([name, { shape, states, next }]) => {
      const forbidden = never === null ? null : states.map(forbiddenIn);
      return [name, { shape, structures: states.map(squaresOf), next, forbidden }] as const;
    }),
  );
  return { root, shapes: all, stops, sourceOf, isBounded };
}

/** The class of the ending that has the positions of a shape. */
export function endingOf(shape: EndingShape, naming: Naming): string {
  const { flipped } = sliceOf(shape, naming);
  const [white, black] = shape.men;
  return classOf({ ...shape, men: flipped ? [black, white] : [white, black] }, naming);
}

function mirror({ men, pawns, passant }: State): State {
  const image = (square: number) => SYMMETRY[64 + square];
  const all = (squares: readonly number[]) => squares.map(image).sort((a, b) => a - b);
  return { men, pawns: [all(pawns[0]), all(pawns[1])], passant: passant < 0 ? -1 : image(passant) };
}

const keyOf = ({ men, pawns, passant }: State) =>
  `${men.join('k')} ${String.fromCharCode(...pawns[0], 64, ...pawns[1], 65 + passant)}`;

function squaresOf({ pawns, passant }: State): number[] {
  const others = pawns.flat().filter((square) => square !== passant);
  return passant < 0 ? others : [passant, ...others];
}

function shapeOfState({ men, pawns, passant }: State): EndingShape {
  const ranks = (squares: readonly number[]) => squares.map((square) => (square >> 3) + 1);
  return {
    men,
    ranks: [ranks(pawns[0]), ranks(pawns[1])],
    taker: passant < 0 ? null : pawns[0].includes(passant) ? 1 : 0,
  };
}

/** The states that moves may lead to, with kings and pieces anywhere. Yields some of them several times. @param restricted the side that does not make some moves. */
function* statesAfter(
  state: State,
  promotions: string,
  restricted: { readonly side: Side; readonly forbidden: Forbidden } | null,
): Generator<State> {
  const { men, pawns, passant } = state;
  const taker = shapeOfState(state).taker;
  if (taker !== null) yield { ...state, passant: -1 };
  for (const side of taker === null ? ([0, 1] as const) : [taker]) {
    const other = side === 0 ? 1 : 0;
    const theirPieces = [...new Set(men[other].replaceAll('P', ''))];
    /** The state after a move: the mover's and the other side's men. */
    const after = (
      own: readonly [men: string, pawns: readonly number[]],
      theirs: readonly [men: string, pawns: readonly number[]],
      passing = -1,
    ): State => {
      const [white, black] = side === 0 ? [own, theirs] : [theirs, own];
      return { men: [white[0], black[0]], pawns: [white[1], black[1]], passant: passing };
    };
    const [mine, theirs] = [pawns[side], pawns[other]];
    const unmoved = [men[side], mine] as const;
    const untaken = [men[other], theirs] as const;
    const withoutPiece = (letter: string) => [men[other].replace(letter, ''), theirs] as const;
    const withoutPawn = (square: number) =>
      [men[other].replace('P', ''), theirs.filter((each) => each !== square)] as const;
    const isNever = (man: string, from: number, to: number, captures: boolean) =>
      restricted?.side === side && forbids(restricted.forbidden, { man, from, to, captures });
    const takers = ['K', ...new Set(men[side].replaceAll('P', ''))];
    for (const letter of theirPieces) yield after(unmoved, withoutPiece(letter));
    for (const square of theirs)
      if (takers.some((man) => !isNever(man, -1, square, true))) yield after(unmoved, withoutPawn(square));
    const isPawn = (square: number) => mine.includes(square) || theirs.includes(square);
    for (const from of mine) {
      const left = mine.filter((each) => each !== from);
      /** The mover's men and pawns once the pawn has gone to a square, one for each promotion. */
      const arrived = (to: number): (readonly [string, readonly number[]])[] =>
        to < 8 || to >= 56
          ? [...promotions].map((letter) => [inOrder(men[side].replace('P', '') + letter), left] as const)
          : [[men[side], [...left, to].sort((a, b) => a - b)]];
      const step = side === 0 ? 8 : -8;
      const one = from + step;
      if (!isPawn(one)) {
        if (!isNever('P', from, one, false)) for (const own of arrived(one)) yield after(own, untaken);
        const two = one + step;
        if (from >> 3 === (side === 0 ? 1 : 6) && !isPawn(two) && !isNever('P', from, two, false)) {
          for (const own of arrived(two)) {
            yield after(own, untaken);
            if (besides(two).some((square) => theirs.includes(square))) yield after(own, untaken, two);
          }
        }
      }
      for (const to of besides(one)) {
        if (isNever('P', from, to, true)) continue;
        for (const own of arrived(to)) {
          if (theirs.includes(to)) yield after(own, withoutPawn(to));
          else if (!mine.includes(to))
            for (const letter of theirPieces) yield after(own, withoutPiece(letter));
          if (passant >= 0 && to === passant + step && to >> 3 === one >> 3)
            yield after(own, withoutPawn(passant));
        }
      }
    }
  }
}

/** The squares to the left and right of a square. */
function besides(square: number): number[] {
  return [square - 1, square + 1].filter((each) => each >> 3 === square >> 3);
}
