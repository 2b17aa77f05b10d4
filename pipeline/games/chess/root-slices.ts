/**
 * The slices of a root (root.ts), by their names. "KRPPKRP_a4e4e5.KRPKRP.45" has White's pawn on rank 4 and Black's on rank 5, on the files that
 * they can reach in play from the root. ".hi" or ".lo" at the end says that unknown positions can be reached from the slice. Such a slice is
 * solved twice: ".hi" takes each unknown position as won for White, ".lo" as won for Black, in the fewest plies that are possible. The true
 * value of a position lies between the two. Of problems, ".hi" has the goal reached there, and ".lo" never (labelling.ts).
 *
 * Unknown positions have no index. A move to one leads to the *assumed* slice beside the slice ("~hi"), which has the same index, and there to
 * the key that the move starts from. So the kernels find all such moves by one look at each row (assembly/row-moves.ts), and an unknown
 * position may have any number of men.
 *
 * "KRPPKRP_a4e4e5_y1.KRPKR.4.syzygy" has the positions at which solving stops and whose values come from Syzygy files. It has an index, of the
 * structures that can be reached alone, and its table is made by looking each position up (share/publish/leaves.ts).
 */
import { assert, UserError } from '../../../operators/core/errors.js';
import type { Ending, Slice } from '../../game/game.js';
import type { Assumption } from '../../game/labelling.js';
import { changesOf, type Leading, MOST_BEHIND, mostPawnRows } from './changes.js';
import { MOST_MEN } from './endings.js';
import { Kind } from './geometry.js';
import { newSpace, newSpaceOf, type Space, spaceOf } from './index-space.js';
import { type Man, Placements } from './placements.js';
import { ALL_PROMOTIONS, nameOfMirrored, type Root, readRoot } from './root.js';
import { wordsOfNever } from './root-never.js';
import { type Structures, structuresOf } from './root-structures.js';
import {
  type EndingShape,
  exchanged,
  type Naming,
  nameOf,
  pawnsOf,
  shapeOf,
  sliceOf,
  wordsOf,
} from './shape.js';
import { newSlice } from './slice.js';

/** What unknown positions are taken to be worth. */
export const BOUNDS = ['hi', 'lo'] as const satisfies readonly Assumption[];
export type Bound = (typeof BOUNDS)[number];

/** The parts of a slice's name. */
export interface RootSlice {
  readonly root: string;
  readonly structures: Structures;
  readonly shape: EndingShape;
  /** Null if no unknown position can be reached. */
  readonly bound: Bound | null;
  /** The assumption, if the name is that of an assumed slice; else null. `no` is behind promotions and moves that the root forbids. */
  readonly assumed: Assumption | null;
  /** Its positions are looked up in Syzygy files. */
  readonly lookedUp: boolean;
}

const NAME =
  /^(K[^.]*_[^.]*)\.(K[QRBNP]*K[QRBNP]*(?:ep)?(?:\.\d+[wb]?)?)(?:\.(hi|lo)|(\.syzygy))?(?:~(hi|lo|no))?$/;

/** The name of the root with which the name of a slice begins, or which it is; null if there is none. */
export function rootIn(name: string): string | null {
  const root = name.split('.')[0];
  return readRoot(root) === null ? null : root;
}

/** Null if `name` is not the name of a root's slice. */
export function readRootSlice(name: string): RootSlice | null {
  const [, root = '', shape = '', bound = null, lookedUp, assumed = null] = NAME.exec(name) ?? [];
  const read = readRoot(root);
  if (read === null) return null;
  return {
    root,
    structures: structuresOf(read),
    shape: shapeOf(shape),
    bound: bound as Bound | null,
    assumed: assumed as Assumption | null,
    lookedUp: lookedUp !== undefined,
  };
}

/** The name of the slice of a solved shape. @param bound which of its two slices, if unknown positions can be reached. */
export function nameOfShape(root: string, structures: Structures, shape: EndingShape, bound: Bound): string {
  return `${root}.${nameOf(shape)}${structures.isBounded(shape) ? `.${bound}` : ''}`;
}

/** The slice of the root with the positions of a shape that are looked up, and whether the colours are exchanged there: only without pawns. */
export function lookedUpSlice(root: string, shape: EndingShape): { slice: string; flipped: boolean } {
  const { slice, flipped } =
    shape.ranks.flat().length > 0 ? { slice: nameOf(shape), flipped: false } : sliceOf(shape);
  return { slice: `${root}.${slice}.syzygy`, flipped };
}

/** The number of pieces of a shape, without kings and pawns. */
export function piecesOf({ men }: EndingShape): number {
  return men.join('').length - pawnsOf(men.join(''));
}

/** Keys are below 2^30 (index-space.ts). */
const MOST_PLACEMENTS = 2 ** 30;

/** The index space of a slice, the same for both bounds. @throws UserError if its positions are too many for an index. */
export function spaceOfShape(read: Pick<RootSlice, 'structures' | 'shape'>, name: string): Space {
  return spaceOf(name, () => newSpaceOfShape(read, name));
}

/** The index space of any slice of chess: that of a root, or of an ending. @throws UserError as {@link spaceOfShape}. */
export function newSpaceOfSlice(name: string): Space {
  const read = readRootSlice(name);
  return read === null ? newSpaceOf(name) : newSpaceOfShape(read, name);
}

function newSpaceOfShape(
  { structures: all, shape }: Pick<RootSlice, 'structures' | 'shape'>,
  name: string,
): Space {
  if (shape.ranks.flat().length === 0) return newSpace(name, nameOf(shape), []);
  const { structures, forbidden } = all.shapes.get(nameOf(shape))!;
  if (structures.length * 64 ** piecesOf(shape) > MOST_PLACEMENTS)
    throw new UserError(
      `${name}: ${piecesOf(shape)} pieces and ${structures.length} pawn structures are too many for one slice: stop earlier (--stop-at, --most-pieces)`,
    );
  const men: Man[] = ([0, 1] as const).flatMap((side) => {
    const own = shape.ranks[side].length - (shape.taker === 1 - side ? 1 : 0);
    return new Array<Man>(own).fill({ side, kind: Kind.pawn });
  });
  if (shape.taker !== null) men.unshift({ side: shape.taker === 0 ? 1 : 0, kind: Kind.passant });
  const { never } = all.root;
  const restriction = never === null ? null : { side: never.side, of: forbidden! };
  const places = new Placements(men, structures, null, restriction);
  const space = newSpace(name, nameOf(shape), [{ men, places }]);
  if (64 * mostPawnRows(space) > MOST_BEHIND)
    throw new UserError(
      `${name}: ${shape.ranks.flat().length} pawns are too many where a pawn can be captured en passant: stop earlier, or have a pawn stay (--stop-at, --never)`,
    );
  return space;
}

/** The slice of a name that {@link readRootSlice} has read. */
export function createRootSlice(name: string, read: RootSlice): Slice {
  const { root, structures, shape, bound, assumed, lookedUp } = read;
  if (lookedUp) {
    const slice = newSlice(spaceOfShape(read, name), { dependencies: [], all: [] });
    return { ...slice, lookedUp: true };
  }
  const base = `${root}.${nameOf(shape)}${bound === null ? '' : `.${bound}`}`;
  const space = spaceOfShape(read, base);
  if (assumed !== null) {
    const { rowKernels, rowMoves, rowConversions, unconversions, ...slice } = newSlice(
      { ...space, name },
      { dependencies: [], all: [] },
    );
    return { ...slice, assumed };
  }
  const no = { target: space, flipped: false, assumed: `${base}~no` };
  const { never } = structures.root;
  const isMover = never !== null && (shape.taker === null || shape.taker === never.side);
  const forbidden = isMover ? { side: never.side, leading: no } : null;
  const targetOf = (after: EndingShape, promotion: string): Leading | null => {
    if (!structures.root.promotions.includes(promotion)) return no;
    if (!structures.shapes.has(nameOf(after))) return null;
    const source = structures.sourceOf(after);
    if (source === 'unknown') {
      assert(bound !== null, 'a slice beside the unknown has two bounds');
      return { target: space, flipped: false, assumed: `${base}~${bound}` };
    }
    if (source === 'files') {
      requireMen(after);
      const { slice, flipped } = lookedUpSlice(root, after);
      const shape = flipped ? exchanged(after) : after;
      return { target: spaceOfShape({ structures, shape }, slice), flipped };
    }
    if (source === 'ending') {
      requireMen(after);
      const { slice, flipped } = sliceOf(after, structures.root.naming);
      return { target: spaceOf(slice), flipped };
    }
    const there = nameOfShape(root, structures, after, bound ?? 'hi');
    return { target: spaceOfShape({ structures, shape: after }, there), flipped: false };
  };
  return newSlice(space, changesOf([shape], targetOf, forbidden));
}

function requireMen({ men }: EndingShape): void {
  const count = men.join('').length + 2;
  if (count > MOST_MEN)
    throw new UserError(
      `K${men[0]}K${men[1]} has ${count} men, at most ${MOST_MEN} are supported where no pawns are left: stop earlier (--stop-at, --most-pieces)`,
    );
}

/** At the end of a name: the same slices with the colours exchanged. */
export const EXCHANGED = '+';

/**
 * A root, the root with one table for each position (`ROOT.hi`, `ROOT.lo`), or one of its slices, as an ending; null if `text` does not begin with
 * the name of a root. @throws UserError if the root has no such slice, or tables of other metrics than `naming` goes with, and for the mirror image of a root.
 */
export function readRootEnding(text: string, naming: Naming): Ending | null {
  const asked = text.trim();
  const flipped = asked.endsWith(EXCHANGED);
  const name = flipped ? asked.slice(0, -EXCHANGED.length) : asked;
  const root = rootIn(name);
  const read = root === null ? null : readRoot(root);
  if (root === null || read === null) {
    const mirrored = nameOfMirrored(name.split('.')[0]);
    if (mirrored === null) return null;
    throw new UserError(`${JSON.stringify(asked)} is the mirror image of the root ${mirrored}: name that`);
  }
  if (read.naming !== naming)
    throw new UserError(
      `${JSON.stringify(asked)}: its tables are of metrics ${read.naming === 'sided' ? 'of problems, such as help' : 'in which both sides play to win'}: give another --metric`,
    );
  const named = (
    slices: readonly string[],
    { men }: Pick<EndingShape, 'men'>,
    of: string,
    bound: Bound | null,
  ): Ending => ({
    name: asked,
    ...assumedBy(read, bound),
    exchanged: flipped ? name : name + EXCHANGED,
    flipped,
    class: flipped ? of + EXCHANGED : of,
    pieces: men.join('').length + 2,
    slices,
  });
  const bound = BOUNDS.findIndex((each) => name === `${root}.${each}`);
  if (name === root || bound >= 0) {
    const all = slicesOfRoot(root, structuresOf(read));
    const isOf = (slice: string, each: Bound) => slice.endsWith(`.${each}`);
    const isTwofold = all.some((slice) => isOf(slice, 'hi'));
    if (name === root) {
      const whole = named(all, read, root, null);
      const suffix = flipped ? EXCHANGED : '';
      return isTwofold ? { ...whole, bounds: [`${root}.hi${suffix}`, `${root}.lo${suffix}`] } : whole;
    }
    const own = all.filter((slice) => !isOf(slice, BOUNDS[1 - bound]));
    if (isTwofold) return named(own, read, name, BOUNDS[bound]);
  }
  const slice = readRootSlice(name);
  if (slice === null || !isCanonical(name, slice))
    throw new UserError(`${JSON.stringify(asked)}: the root ${root} has no such slice that is solved`);
  return named([name], slice.shape, root, slice.bound);
}

/** Whether the name is that of a solved slice, and has a bound if and only if there are two slices. */
function isCanonical(name: string, { root, structures, shape, bound }: RootSlice): boolean {
  return (
    structures.shapes.has(nameOf(shape)) &&
    structures.sourceOf(shape) === 'solved' &&
    nameOfShape(root, structures, shape, bound ?? 'hi') === name
  );
}

/** The slices of a root, for both bounds where there are two, in the order in which the search reaches them. */
export function slicesOfRoot(root: string, structures: Structures): string[] {
  return [...structures.shapes.values()].flatMap(({ shape }) => {
    if (structures.sourceOf(shape) !== 'solved') return [];
    const names = BOUNDS.map((bound) => nameOfShape(root, structures, shape, bound));
    return [...new Set(names)];
  });
}

/** "from KRPPKRP_a4e4e5: white pawn on rank 4, black pawn on rank 5; the unknown is won for White" */
export function rootWords(name: string): string | null {
  const read = readRootSlice(name);
  if (read === null) return null;
  const { root, shape, bound, structures } = read;
  const { assumes } = assumedBy(structures.root, bound);
  return `from ${root}: ${wordsOf(nameOf(shape))}${assumes === undefined ? '' : `; ${assumes}`}`;
}

/** What values of a root take for granted. */
function assumedBy({ naming, promotions, never }: Root, bound: Bound | null): Pick<Ending, 'assumes'> {
  const words = [
    ...(bound === null ? [] : [`the unknown is ${UNKNOWN[naming][bound]}`]),
    ...(promotions === ALL_PROMOTIONS ? [] : [`pawns become ${[...promotions].join(' or ')} only`]),
    ...(never === null ? [] : [wordsOfNever(never)]),
  ];
  return words.length === 0 ? {} : { assumes: words.join(', ') };
}

const UNKNOWN = {
  exchangeable: { hi: 'won for White', lo: 'won for Black' },
  sided: { hi: 'the goal', lo: 'without a solution' },
} as const;
