/**
 * Mutual (reciprocal) zugzwangs: placements of men in which the side to move, either one, would rather have the other move.
 * Both sides to move are legal, so neither king is in check: with a check, one side to move is broken. With a pawn that can
 * be taken in passing there is none either, since only one side can be to move.
 *
 * The sides have opposite interests, so moving is worse for both as soon as it is for one. That is so exactly where the
 * points of both sides, each as the mover, add up to less than one game's. They add up to nothing in a *full-point*
 * zugzwang: the mover loses. They add up to half a game's points in the others: one side loses if it must move and draws if
 * the other must. So the other side *gains*. Points follow the rules that the metric knows: a win that the 50-move rule
 * makes a draw is a draw. (Full-point and half-point as in Beasley 2015, "Chess: positions of reciprocal zugzwang with not
 * more than six men".)
 */
import { sort } from 'fast-sort';
import type { Address, Colour, Ending, Game } from '../game/game.js';
import { brokenIn, decodeValue, type Metric, type Value, type ValueColumn } from '../game/value.js';
import { sideOf, type View, viewsOf } from '../game/views.js';
import type { ValueTable } from '../tables/value-table.js';
import { codeTable, ZERO } from './codes.js';
import type { Tally } from './outcomes.js';
import { pairedValues, requireSharedIndex, type ValuePair } from './paired-values.js';

/** The cost of having to move: GLOSSARY.md, mutual zugzwang. */
export type ZugzwangKind = 'full point' | 'white gains' | 'black gains';

export const zugzwangKinds = ['full point', 'white gains', 'black gains'] as const;

/** A mutual zugzwang, seen by the side to move. */
export interface Zugzwang {
  readonly kind: ZugzwangKind;
  readonly board: unknown;
  readonly side: Colour;
  readonly value: Value;
  /** The value with the other side to move, for that side. */
  readonly passed: Value;
}

/** Which table is gone through. */
export interface ZugzwangOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: Ending;
  /** Finds the table of a slice of the ending. */
  readonly open: (slice: string) => Promise<ValueTable>;
  /** Called and awaited between batches with the number of values looked at since the last call. */
  readonly report: (done: number) => Promise<void>;
}

/** Two points are a game's. */
export function pointsOf(metric: Metric): Uint8Array {
  return codeTable(metric, ({ wdl }) => (wdl === 'win' ? 2 : wdl === 'loss' ? 0 : 1));
}

/** Puts the places in `pair` of its zugzwangs in `out` (of at least its length), and returns how many. */
function findZugzwangs({ codes, length }: ValuePair, points: Uint8Array, out: Uint32Array): number {
  const [first, second] = codes;
  const broken = brokenIn(first);
  let n = 0;
  for (let i = 0; i < length; i++) {
    const a = first[i];
    const b = second[i];
    if (points[a + ZERO] + points[b + ZERO] < 2 && a !== broken && b !== broken) out[n++] = i;
  }
  return n;
}

/** The kind of the zugzwang with these codes of the sides 0 and 1, in the colours of a view. */
export function kindOf(points: Uint8Array, first: number, second: number, colourOf0: Colour): ZugzwangKind {
  const [a, b] = [points[first + ZERO], points[second + ZERO]];
  if (a === b) return 'full point';
  return a > b === (colourOf0 === 'white') ? 'white gains' : 'black gains';
}

/** A stretch of a view and its zugzwangs: places[0..count). */
export interface ZugzwangBatch {
  readonly view: View;
  readonly table: ValueTable;
  readonly pair: ValuePair;
  readonly places: Uint32Array;
  readonly count: number;
}

/** All of an ending, in the order of its views and their index. Memory is independent of its size. */
export async function* scanZugzwangs(
  { game, ending, open, report }: Omit<ZugzwangOptions, 'metric'>,
  points: Uint8Array,
): AsyncGenerator<ZugzwangBatch> {
  requireSharedIndex(game);
  let places = new Uint32Array(0);
  for (const view of viewsOf(game, ending)) {
    const table = await open(view.slice);
    for await (const pair of pairedValues(table)) {
      if (places.length < pair.length) places = new Uint32Array(pair.length);
      const count = findZugzwangs(pair, points, places);
      if (count > 0) yield { view, table, pair, places, count };
      await report(2 * pair.length);
    }
  }
}

/** The zugzwang at one of the places of a batch, with `side` to move. */
export function zugzwangAt(
  game: Game,
  metric: Metric,
  points: Uint8Array,
  { view, pair }: ZugzwangBatch,
  place: number,
  side: Colour,
): Zugzwang {
  const { slice, flipped } = view;
  const [first, second] = [pair.codes[0][place], pair.codes[1][place]];
  const mover = sideOf(game, side, flipped);
  const at: Address = { slice, side: mover, part: pair.part, key: pair.first + place };
  return {
    kind: kindOf(points, first, second, game.colours[flipped ? 1 : 0]),
    board: game.board(at, flipped),
    side,
    value: decodeValue(mover === 0 ? first : second, metric),
    passed: decodeValue(mover === 0 ? second : first, metric),
  };
}

/** Mutual zugzwangs of a slice, by kind. */
export interface ZugzwangCounts {
  /** Counts placements of men, not of placements with a side to move. */
  readonly tallies: Readonly<Record<ZugzwangKind, Tally>>;
  /** For each kind, those in which the loser holds out longest, with the loser to move (full-point ones: the first side). */
  readonly examples: readonly Zugzwang[];
}

/** One pass over the tables of an ending. Throws UserError for games that share no index between the sides. */
export async function countZugzwangs(
  options: ZugzwangOptions & { readonly examples: number },
): Promise<ZugzwangCounts> {
  const { game, metric } = options;
  const points = pointsOf(metric);
  const counts = new Map(zugzwangKinds.map((kind) => [kind, { placements: 0, orbits: 0 }]));
  const kept = new Map(zugzwangKinds.map((kind) => [kind, newDeepest<Zugzwang>(options.examples)]));
  let keys = new Uint32Array(0);
  let sizes = new Uint8Array(0);
  for await (const batch of scanZugzwangs(options, points)) {
    const { view, table, pair, places, count } = batch;
    if (keys.length < count) {
      keys = new Uint32Array(count);
      sizes = new Uint8Array(count);
    }
    for (let i = 0; i < count; i++) keys[i] = pair.first + places[i];
    table.slice.orbitSizes(pair.part, keys, count, sizes);
    const colourOf0 = game.colours[view.flipped ? 1 : 0];
    for (let i = 0; i < count; i++) {
      const [first, second] = pair.codes.map((codes: ValueColumn) => codes[places[i]]) as [number, number];
      const kind = kindOf(points, first, second, colourOf0);
      const tally = counts.get(kind)!;
      tally.placements += sizes[i];
      tally.orbits++;
      const loser = losing(kind, game.colours[0]);
      // The loser has the lesser code; the longer it can hold out, the lesser the code.
      kept
        .get(kind)!
        .offer(Math.min(first, second), () => zugzwangAt(game, metric, points, batch, places[i], loser));
    }
  }
  return {
    tallies: Object.fromEntries(counts) as Record<ZugzwangKind, Tally>,
    examples: [...kept.values()].flatMap(({ all }) => all()),
  };
}

function losing(kind: ZugzwangKind, beginner: Colour): Colour {
  if (kind === 'full point') return beginner;
  return kind === 'white gains' ? 'black' : 'white';
}

/** Keeps the few of least code; of equal ones the first. */
function newDeepest<T>(most: number) {
  let kept: { code: number; item: T }[] = [];
  return {
    offer(code: number, make: () => T): void {
      if (kept.length >= most && (most === 0 || code >= kept[kept.length - 1].code)) return;
      kept = sort([...kept, { code, item: make() }])
        .asc(({ code }) => code)
        .slice(0, most);
    },
    all: (): T[] => kept.map(({ item }) => item),
  };
}
