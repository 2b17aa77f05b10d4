/**
 * The shape of a slice, and its name. Without pawns a slice is a set of men: "KQKR". With pawns it is a set of men
 * and the ranks of the pawns. "KRPKP.25" has a white pawn on rank 2 and a black one on rank 5. So every move of a
 * pawn leaves the slice, and plans have no cycles. Checkers cuts by the ranks of leading men (Lake, Schaeffer & Lu
 * 1994, section 3.1). Positions with an en-passant right are slices of their own: in "KPKPep.44b" Black may capture
 * the pawn that has just come to rank 4.
 */
import type { Side } from '../../game/game.js';
import { type Metric, stipulations } from '../../game/stipulation.js';

/** Men besides the kings, in the order names list them. */
export const LETTERS = 'QRBNP';

export interface EndingShape {
  /** Letters of the men of White and Black besides the kings, in the order of {@link LETTERS}. */
  readonly men: readonly [string, string];
  /** Ranks, 2 to 7, of the pawns of White and Black, ascending. */
  readonly ranks: readonly [readonly number[], readonly number[]];
  /** The side that may capture en passant; null if there is no such right. */
  readonly taker: Side | null;
}

export function inOrder(men: string): string {
  return [...men].sort((a, b) => LETTERS.indexOf(a) - LETTERS.indexOf(b)).join('');
}

/** How many of a set of men in order are pawns. */
export function pawnsOf(men: string): number {
  return men.length - men.replaceAll('P', '').length;
}

/** Positive if the first of two sets of men is the stronger: it has more, or those whose letters come first. */
export function compareMen(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return LETTERS.indexOf(b[i]) - LETTERS.indexOf(a[i]);
  }
  return 0;
}

/** The shape with the colours exchanged. */
export function exchanged({ men: [white, black], ranks, taker }: EndingShape): EndingShape {
  const seen = (side: Side) => ranks[side].map((rank) => 9 - rank).reverse();
  return {
    men: [black, white],
    ranks: [seen(1), seen(0)],
    taker: taker === null ? null : taker === 0 ? 1 : 0,
  };
}

/** The strength of White over Black: by men, then by pawns further ahead, then if Black may capture en passant. */
function strength(shape: EndingShape): number {
  const [white, black] = shape.men;
  const other = exchanged(shape);
  const byMen = compareMen(white, black);
  if (byMen !== 0) return byMen;
  for (let i = shape.ranks[0].length - 1; i >= 0; i--) {
    const ahead = shape.ranks[0][i] - other.ranks[0][i];
    if (ahead !== 0) return ahead;
  }
  return shape.taker === null ? 0 : shape.taker - other.taker!;
}

/**
 * Whether the colours of a slice may be exchanged. `sided`: they may not, because the two sides want different things: White in a slice is White on the
 * board, and the name has a "v", as in "KQvKR". So KRvKQ is another slice.
 */
export const NAMINGS = ['exchangeable', 'sided'] as const;
export type Naming = (typeof NAMINGS)[number];

/** The naming of the slices of a metric. */
export function namingFor(metric: Metric): Naming {
  return stipulations[metric].goalOf === 'either' ? 'exchangeable' : 'sided';
}

/** The naming of a slice, by its name. */
export function namingOf(slice: string): Naming {
  return slice.includes('v') ? 'sided' : 'exchangeable';
}

/** The name of a class of slices: men, and whether there is a right to capture en passant. */
export function classOf(
  { men: [white, black], taker }: EndingShape,
  naming: Naming = 'exchangeable',
): string {
  return `K${white}${naming === 'sided' ? 'v' : ''}K${black}${taker === null ? '' : 'ep'}`;
}

/** The name of a shape, which need not be canonical. */
export function nameOf(shape: EndingShape, naming: Naming = 'exchangeable'): string {
  const ranks = shape.ranks.flat().join('');
  const taker = shape.taker === null ? '' : 'wb'[shape.taker];
  return ranks === '' ? classOf(shape, naming) : `${classOf(shape, naming)}.${ranks}${taker}`;
}

/** The slice of a shape, and whether the colours are exchanged there. */
export function sliceOf(
  shape: EndingShape,
  naming: Naming = 'exchangeable',
): { slice: string; flipped: boolean } {
  const flipped = naming === 'exchangeable' && strength(shape) < 0;
  return { slice: nameOf(flipped ? exchanged(shape) : shape, naming), flipped };
}

/** The shape of the slice with this canonical name. */
export function shapeOf(slice: string): EndingShape {
  const match = /^K([QRBNP]*)v?K([QRBNP]*)(?:ep)?(?:\.(\d+)([wb]?))?$/.exec(slice)!;
  const [, white, black, digits = '', taker = ''] = match;
  const ranks = [...digits].map(Number);
  const whitePawns = pawnsOf(white);
  return {
    men: [white, black],
    ranks: [ranks.slice(0, whitePawns), ranks.slice(whitePawns)],
    taker: taker === '' ? null : taker === 'w' ? 0 : 1,
  };
}

/** Whether a double step of a pawn may just have been made that a pawn of `taker` can capture: both stand on its rank. */
export function allowsPassant(ranks: EndingShape['ranks'], taker: Side): boolean {
  const rank = taker === 1 ? 4 : 5;
  return ranks[0].includes(rank) && ranks[1].includes(rank);
}

/** "white pawns on ranks 2 and 6, black pawn on rank 4, Black may capture en passant"; null for a slice without pawns. */
export function wordsOf(slice: string): string | null {
  const { ranks, taker } = shapeOf(slice);
  const pawns = (['white', 'black'] as const).flatMap((colour, side) => {
    const own = ranks[side as Side];
    if (own.length === 0) return [];
    const many = own.length > 1 ? 's' : '';
    return [`${colour} pawn${many} on rank${many} ${own.join(', ').replace(/, (\d)$/, ' and $1')}`];
  });
  if (pawns.length === 0) return null;
  const right = taker === null ? [] : [`${taker === 0 ? 'White' : 'Black'} may capture en passant`];
  return [...pawns, ...right].join(', ');
}
