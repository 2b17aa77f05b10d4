/** Checks of the kernels by rows against those by keys: the same moves and unmoves, equally often. */

import { setsOfKeys } from '../engine/memory/rows.js';
import type {
  Address,
  RowKernels,
  RowLabels,
  RowMoves,
  SetColumns,
  SetEmission,
  Side,
} from '../game/game.js';
import { bitBytes, planesBytes } from '../game/labels.js';
import { dependencyMajors, firstMajorBehind, majorsIn } from '../game/majors.js';
import { times } from '../games/yours/definition.js';
import { BIAS, conversionsFrom, movesFrom, unmovesTo } from './kernels.js';
import { differenceFault, firstDifference, lacking, type PositionCheck } from './position-checks.js';
import { addressText, type Subject } from './subject.js';
import type { Fault } from './violation.js';

/** Positions of a row. */
const ROW = 64;
/** Sets that the kernels have room for at once; few, so that they are asked again. */
const SETS = 64;

const opponent = (side: Side) => (1 - side) as Side;

/** A legal position and others of its row, every ninth: a few show as much as all, and take less. */
function legalRow(subject: Subject, { side, part, key }: Address): Uint32Array {
  const first = key - (key % ROW);
  const keys = Array.from({ length: ROW }, (_, i) => first + i);
  const some = keys.filter((each) => (each - key) % 9 === 0);
  return Uint32Array.from(some.filter((each) => subject.isLegal(side, part, each)));
}

const setsOf = (keys: Uint32Array) => setsOfKeys({ major: 0, minor: keys, length: keys.length, payload: [] });

/** The keys of sets. */
export function keysOf({ minor, low, high }: SetColumns, length: number): number[] {
  const keys: number[] = [];
  for (let i = 0; i < length * ROW; i++) {
    const set = i >> 6;
    const half = (i & 32) === 0 ? low[set] : high[set];
    if (((half >>> (i & 31)) & 1) !== 0) keys.push(minor[set] * ROW + (i & 63));
  }
  return keys;
}

const textsOf = (keys: Iterable<number>, at: Address): string[] =>
  Array.from(keys, (key) => addressText({ ...at, key }));

/** Unmoves of a whole row, as sets: those beyond the part, and those within it, which count down labels. */
function unmovesOfRow(subject: Subject, at: Address): Fault | null {
  const { slice } = subject;
  const kernels = slice.rowKernels as RowKernels;
  const mover = opponent(at.side);
  const keys = legalRow(subject, at);
  const expected = Array.from(keys).flatMap((key) =>
    unmovesTo(subject, { ...at, key }).filter(({ side, part, key }) => subject.isLegal(side, part, key)),
  );
  // Planes of counts and a plane of bits, and what aligns them.
  const labels = kernels.open(planesBytes(kernels.countPlanes[mover] + 1, slice.width) + ROW);
  try {
    const beyond = unmovesBeyond(subject, labels, at, keys);
    const legal = beyond.filter(({ side, part, key }) => subject.isLegal(side, part, key));
    const isOwn = ({ part }: Address) => part === at.part;
    const difference = differenceFault(
      legal.filter((to) => !isOwn(to)).map(addressText),
      expected.filter((to) => !isOwn(to)).map(addressText),
      'unmovesBeyond by rows emits',
      'unmoves of the positions of the row emit it',
    );
    if (difference !== null) return difference;
    const within = new Map<number, number>();
    for (const { key } of expected.filter(isOwn)) within.set(key, (within.get(key) ?? 0) + 1);
    for (const { key } of legal.filter(isOwn)) within.set(key, (within.get(key) ?? 0) - 1);
    return strikesWithin(subject, labels, at, keys, within) ?? strikes(subject, labels, at, keys);
  } finally {
    labels.close();
  }
}

function unmovesBeyond({ slice }: Subject, labels: RowLabels, at: Address, keys: Uint32Array): Address[] {
  const sets = setsOf(keys);
  const columns = () => new Uint32Array(SETS);
  const out: SetEmission = { length: 0, major: columns(), minor: columns(), low: columns(), high: columns() };
  const found: Address[] = [];
  for (let from = 0; from < sets.length; ) {
    out.length = 0;
    from = labels.unmovesBeyond(at.side, at.part, sets, { from, to: sets.length }, BIAS, out, 'all');
    for (let i = 0; i < out.length; i++) {
      const set = { minor: out.minor.subarray(i), low: out.low.subarray(i), high: out.high.subarray(i) };
      for (const key of keysOf(set, 1))
        found.push({ slice: slice.name, side: opponent(at.side), part: out.major[i] - BIAS, key });
    }
  }
  return found;
}

/** Labels of the part with `count` of each position, whose legal positions are then struck. Returns those that are lost by it. */
function lostBy(
  { slice, isLegal }: Subject,
  labels: RowLabels,
  { at, counts, countOf, strike }: Striking,
): number[] {
  const { countPlanes, packCounts } = slice.rowKernels as RowKernels;
  const mover = opponent(at.side);
  const most = 2 ** countPlanes[mover] - 1;
  const bytes = new Uint8Array(slice.partSize(at.part));
  for (let key = 0; key < bytes.length; key++) {
    const count = countOf(key);
    bytes[key] = count <= most ? count : 0;
  }
  packCounts(mover, bytes, counts);
  labels.label('all', mover, counts, at.part);
  strike();
  return drain(labels).filter((key) => isLegal(mover, at.part, key));
}

interface Striking {
  readonly at: Address;
  /** Planes, to be written. */
  readonly counts: Uint8Array;
  countOf(key: number): number;
  strike(): void;
}

/**
 * Counts are set to what `strikeWithin` should take off: then all positions that have a count are lost. With one more, none is.
 */
function strikesWithin(
  subject: Subject,
  labels: RowLabels,
  at: Address,
  keys: Uint32Array,
  within: ReadonlyMap<number, number>,
): Fault | null {
  const { slice } = subject;
  const { countPlanes } = slice.rowKernels as RowKernels;
  const counts = labels.allocate(planesBytes(countPlanes[opponent(at.side)], slice.partSize(at.part)));
  const sets = setsOf(keys);
  const strike = () => void labels.strikeWithin(at.side, at.part, sets, sets.length);
  for (const more of [0, 1]) {
    const countOf = (key: number) => (within.get(key) ?? 0) + more;
    const lost = lostBy(subject, labels, { at, counts, countOf, strike });
    const wanted = more === 0 ? [...within].filter(([, count]) => count > 0).map(([key]) => key) : [];
    const difference = firstDifference(textsOf(lost, at), textsOf(wanted, at));
    if (difference !== null)
      return {
        kernel: `strikeWithin strikes ${difference.text} too ${more === 0 ? 'seldom' : 'often'}`,
        rules: 'it strikes as often as unmoves of the positions of the row emit',
      };
  }
  return null;
}

/** Sets and keys clear the bits of their positions, and each that was set is handed out once. */
function strikes({ slice }: Subject, labels: RowLabels, at: Address, keys: Uint32Array): Fault | null {
  const bits = labels.allocate(bitBytes(slice.width)).fill(0xff);
  const wanted = textsOf(keys, at);
  const sets = setsOf(keys);
  const ways: [name: string, strike: () => void, wanted: readonly string[]][] = [
    ['strikeKeys', () => labels.strikeKeys(keys.subarray(0, 1), 1), wanted.slice(0, 1)],
    ['strikeRows', () => labels.strikeRows(sets, sets.length), wanted.slice(1)],
  ];
  labels.label('any', at.side, bits, at.part);
  for (const [name, strike, expected] of ways) {
    strike();
    const difference = firstDifference(textsOf(drain(labels), at), expected);
    if (difference !== null)
      return {
        kernel: `after ${name} ${difference.text} is handed out ${times(difference.seen)}`,
        rules: `it was struck, and is labelled ${times(difference.wanted)}`,
      };
  }
  return null;
}

/** The keys of all that was labelled. */
function drain(labels: RowLabels): number[] {
  const keys: number[] = [];
  while (labels.hasLabelled()) {
    const sets = labels.drain();
    if (sets.length === 0) break;
    keys.push(...keysOf(sets, sets.length));
  }
  return keys;
}

/** A rank, 1 to 255, that has no order in it. */
const rankOf = (major: number, key: number) =>
  1 + ((Math.imul(Math.imul(key, 0x9e3779b1) + major, 0x85ebca6b) >>> 8) % 255);

/** The best of the moves of the positions of a row, whatever ranks the positions have that moves lead to. */
function movesOfRow(subject: Subject, at: Address): Fault | null {
  const { slice, game } = subject;
  const { side, part } = at;
  const rowMoves = slice.rowMoves as RowMoves;
  const bias = firstMajorBehind(slice, side);
  const theirs = dependencyMajors(slice, majorsIn(slice, 2));
  const sizeOf = (major: number) => {
    if (major < theirs[0]) return slice.partSize(major % slice.parts);
    const first = theirs.findLastIndex((from) => from <= major);
    return game.slice(slice.dependencies[first >> 1].slice).partSize(major - theirs[first]);
  };
  const majors = majorsBehind(rowMoves, at, bias, theirs);
  const size = slice.partSize(part);
  const rows = rowMoves.open(majors.reduce((sum, major) => sum + sizeOf(major), size));
  try {
    const ranks = new Map<number, Uint8Array>();
    for (const major of majors) {
      const bytes = rows.allocate(sizeOf(major));
      for (let key = 0; key < bytes.length; key++) bytes[key] = rankOf(major, key);
      if (major < theirs[0]) rows.complete(opponent(side), major - bias, bytes);
      ranks.set(major, bytes);
    }
    const best = rows.allocate(size).fill(0);
    rows.raise(side, part, 0, bias, theirs, ranks, best);
    for (const key of legalRow(subject, at)) {
      const wanted = bestByKeys(subject, { ...at, key }, bias, theirs);
      if (best[key] !== wanted)
        return {
          kernel: `raise gives ${addressText({ ...at, key })} the rank ${best[key]}`,
          rules: `the best of its moves and conversions has ${wanted}`,
        };
    }
    return null;
  } finally {
    rows.close();
  }
}

/** The majors that moves of a part lead to. */
function majorsBehind(rowMoves: RowMoves, { side, part }: Address, bias: number, theirs: number[]): number[] {
  const rows = rowMoves.open(0);
  try {
    const { own, dependencies } = rows.behind(side, part, bias, theirs);
    return [...own, ...dependencies];
  } finally {
    rows.close();
  }
}

function bestByKeys(subject: Subject, at: Address, bias: number, theirs: readonly number[]): number {
  const ranks = [
    ...movesFrom(subject, at).map(({ part, key }) => rankOf(bias + part, key)),
    ...conversionsFrom(subject, at).map(({ dependency, address: { side, part, key } }) =>
      rankOf(theirs[2 * dependency + side] + part, key),
    ),
  ];
  return Math.max(0, ...ranks);
}

export const rowChecks: readonly PositionCheck[] = [
  {
    rule: 'rowKernels',
    every: 32,
    absent: (subject) => lacking(subject, 'rowKernels', 'unmoves'),
    check: unmovesOfRow,
  },
  {
    rule: 'rowMoves',
    every: 64,
    absent: (subject) => lacking(subject, 'rowMoves'),
    check: movesOfRow,
  },
];
