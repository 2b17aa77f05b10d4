/** The facts that the kernels of a slice must know. */
import type { Side, Slice } from '../../game/game.js';
import type { Shape } from './classes.js';
import { targetsOf } from './conversions.js';
import { type CheckersSpace, spaceOf } from './space.js';

/** Positions of a part: its labels stay in a core's cache. */
const PART_POSITIONS = 1 << 18;
/** Larger slices have larger parts. */
const MOST_PARTS = 1 << 12;

/** A power of two, or the size if that is less. */
export function partWidth(size: number): number {
  let width = PART_POSITIONS;
  while (size > width * MOST_PARTS) width *= 2;
  return Math.min(width, size);
}

/** One side of a slice: its positions with a given player to move, as that player sees them. */
export interface Half {
  readonly space: CheckersSpace;
  /** By `targetNumber`: where the conversions lead. */
  readonly arrivals: ReadonlyMap<number, Arrival>;
}

/** A target with what is needed to number the positions there. */
export interface Arrival {
  /** Index of the bias: 2 * dependency + side. */
  readonly to: number;
  /** Null: the end of the game, which has one position. */
  readonly space: CheckersSpace | null;
  readonly width: number;
}

/** A slice as its kernels see it. */
export interface Frame {
  readonly name: string;
  readonly width: number;
  readonly maxMoves: number;
  half(side: Side): Half;
}

/**
 * There are no kernels of what stays in a part. Moves of any piece may leave it. Where there is but one part, doing
 * without the distribution was measured: it costs small slices more than it saves the largest.
 */
export type HalfKernels = Required<Pick<Slice, 'census' | 'moves' | 'unmoves' | 'conversions' | 'dontCares'>>;

/**
 * The halves of a slice, made when first asked for: most slices are only looked at. `names`: of its dependencies.
 */
export function newHalves(shapes: readonly [Shape, Shape], names: readonly string[]) {
  const halves: [Half | undefined, Half | undefined] = [undefined, undefined];
  return (side: Side): Half =>
    (halves[side] ??= { space: spaceOf(shapes[side]), arrivals: arrivalsOf(shapes[side], names) });
}

function arrivalsOf(shape: Shape, names: readonly string[]): ReadonlyMap<number, Arrival> {
  const arrivals = new Map<number, Arrival>();
  for (const [kind, { dependency, side, shape: there }] of targetsOf(shape, names)) {
    const space = there === null ? null : spaceOf(there);
    arrivals.set(kind, {
      to: 2 * dependency + side,
      space,
      width: space === null ? 1 : partWidth(space.size),
    });
  }
  return arrivals;
}
