/** Plans: which slices must be solved, in which order. Data only; nothing is run here. */
import { UserError } from '../../operators/core/errors.js';
import type { Ending, SliceCatalogue, SliceIndex } from './game.js';

/** A slice that is to be solved. */
export interface PlannedSlice {
  readonly slice: string;
  readonly dependencies: readonly string[];
  /**
   * The number of slices in the longest path of dependencies that ends with this one: 1 if it depends on none. Slices
   * of one wave do not depend on each other. So all of them can be solved at once when the waves before are done.
   * Classes are by pieces and kings, slices in them by the ranks of the leading men (Lake, Schaeffer & Lu 1994,
   * section 5).
   */
  readonly wave: number;
}

/** The part of a game that planning needs. */
export type Planning = Pick<
  SliceCatalogue<Pick<SliceIndex, 'dependencies' | 'assumed' | 'lookedUp'>>,
  'slice'
>;

/**
 * The slices `wanted` and all they convert to, each once, every one after its dependencies. Those that are `standing` are left out, and what
 * only they convert to; so are those that are assumed or looked up.
 */
export function planSlices(
  game: Planning,
  wanted: readonly string[],
  standing: ReadonlySet<string> = new Set(),
): PlannedSlice[] {
  const planned = new Map<string, PlannedSlice>();
  const visit = (name: string): number => {
    const known = planned.get(name);
    if (known !== undefined) return known.wave;
    const all = game.slice(name).dependencies.map((dependency) => dependency.slice);
    const dependencies = all.filter((slice) => !standing.has(slice) && isSolved(game.slice(slice)));
    const wave = 1 + Math.max(0, ...dependencies.map(visit));
    planned.set(name, { slice: name, dependencies, wave });
    return wave;
  };
  for (const name of wanted) if (!standing.has(name)) visit(name);
  return [...planned.values()];
}

/** Whether the table of a slice is made by solving it. */
const isSolved = ({ assumed, lookedUp }: Pick<SliceIndex, 'assumed' | 'lookedUp'>) =>
  assumed === undefined && lookedUp === undefined;

/** The slices that planned slices convert to and whose tables are made of other data, each once. */
export function lookedUpBehind(game: Planning, plan: readonly Pick<PlannedSlice, 'slice'>[]): string[] {
  const behind = plan.flatMap(({ slice }) => game.slice(slice).dependencies.map((to) => to.slice));
  return [...new Set(behind)].filter((slice) => game.slice(slice).lookedUp === true);
}

/** How many slices each wave has, the first wave first. */
export function waveSizes(slices: readonly Pick<PlannedSlice, 'wave'>[]): number[] {
  const sizes: number[] = [];
  for (const { wave } of slices) sizes[wave - 1] = (sizes[wave - 1] ?? 0) + 1;
  return sizes;
}

/** The first wave first, else in the order given. */
export function byWave<T extends Pick<PlannedSlice, 'wave'>>(slices: readonly T[]): T[] {
  return [...slices].sort((a, b) => a.wave - b.wave);
}

/** All endings of the least number of pieces that gives so many slices; of the most pieces that a smaller game has, or may be asked for. */
export function smallestEndings(
  game: Pick<SliceCatalogue, 'endingsUpTo'>,
  slices: number,
  mostPieces: number,
): readonly Ending[] {
  let endings: readonly Ending[] = [];
  try {
    for (let pieces = 1; pieces <= mostPieces; pieces++) {
      endings = game.endingsUpTo(pieces);
      if (new Set(endings.flatMap((ending) => ending.slices)).size >= slices) break;
    }
  } catch (error) {
    // The game has no endings of so many pieces.
    if (!(error instanceof UserError)) throw error;
  }
  return endings;
}
