/**
 * Counts the values of tables by code: one pass over a table in batches, scan(N), memory independent of N.
 */

import type { DenseBatch } from '../../operators/runs/types.js';
import { newCensus, readStatus } from '../game/fill-census.js';
import { type Address, type Census, type Side, type Slice, Status } from '../game/game.js';
import { withoutRepeats } from '../game/repeats.js';
import { stipulations } from '../game/stipulation.js';
import { brokenIn, type Metric, RULE_PLIES, type ValueColumn } from '../game/value.js';
import { requireCounted } from '../tables/counted.js';
import type { Table } from '../tables/table.js';

/** Counts positions with one side to move; indices are codes + `zero`. */
export interface CodeCounts {
  readonly zero: number;
  readonly placements: Float64Array;
  readonly orbits: Float64Array;
  /** Without moves, and lost or drawn: placements and orbits. */
  readonly lostNow: [number, number];
  readonly drawnNow: [number, number];
  /** Greatest and least code seen, at least and at most 0. */
  most: number;
  least: number;
  /** Positions that take longest. Under `dtz` wins and losses are those that the 50-move rule allows, the cursed ones are apart. */
  readonly longest: Record<LongKind, Extreme>;
}

export const longKinds = ['win', 'cursed win', 'loss', 'blessed loss'] as const;
export type LongKind = (typeof longKinds)[number];

/** The code of the most plies, 0 where there is none, and where it is first. */
export interface Extreme {
  readonly code: number;
  readonly at: Address | null;
}

/** Counts of codes of at most so many bits. */
export function newCounts(bits: 8 | 16): CodeCounts {
  const zero = 2 ** (bits - 1);
  return {
    zero,
    placements: new Float64Array(2 * zero),
    orbits: new Float64Array(2 * zero),
    lostNow: [0, 0],
    drawnNow: [0, 0],
    most: 0,
    least: 0,
    longest: {
      win: { code: 0, at: null },
      'cursed win': { code: 0, at: null },
      loss: { code: 0, at: null },
      'blessed loss': { code: 0, at: null },
    },
  };
}

/** Adds counts to others, which have room for the codes; the positions of `sum` are the first. */
export function addCounts(sum: CodeCounts, more: CodeCounts): void {
  for (let code = more.least; code <= more.most; code++) {
    sum.placements[code + sum.zero] += more.placements[code + more.zero];
    sum.orbits[code + sum.zero] += more.orbits[code + more.zero];
  }
  for (const i of [0, 1] as const) {
    sum.lostNow[i] += more.lostNow[i];
    sum.drawnNow[i] += more.drawnNow[i];
  }
  sum.most = Math.max(sum.most, more.most);
  sum.least = Math.min(sum.least, more.least);
  for (const kind of longKinds) {
    if (Math.abs(more.longest[kind].code) > Math.abs(sum.longest[kind].code))
      sum.longest[kind] = more.longest[kind];
  }
}

/** Drawn positions are few in some regions: only stretches of this many indices that hold one are classified. */
const CENSUS_ROWS = 1 << 10;

interface Workspace {
  keys: Uint32Array;
  kept: Int16Array;
  orbits: Uint8Array;
  readonly census: Census;
  readonly status: Uint8Array;
  readonly few: Uint32Array;
  readonly fewOrbits: Uint8Array;
}

export interface CountOptions {
  readonly metric: Metric;
  /** Whether positions without moves are counted as well, which needs the rules. */
  readonly terminals: boolean;
  /** Called and awaited between batches with the number of values looked at since the last call. */
  readonly report: (done: number) => Promise<void>;
}

/** Counts one side of a table. StorageError if it is damaged, or its manifest has counted otherwise. */
export async function countSide(
  table: Table,
  side: Side,
  { metric, terminals, report }: CountOptions,
): Promise<CodeCounts> {
  const counts = newCounts(table.manifest.valueType === 'i8' ? 8 : 16);
  const work: Workspace = {
    keys: new Uint32Array(0),
    kept: new Int16Array(0),
    orbits: new Uint8Array(0),
    census: newCensus(CENSUS_ROWS),
    status: new Uint8Array(CENSUS_ROWS),
    few: new Uint32Array(CENSUS_ROWS),
    fewOrbits: new Uint8Array(CENSUS_ROWS),
  };
  // Under wdl every loss has the code of a position that is lost now, so the census must find these, too.
  const leastUnsure = stipulations[metric].plies ? 0 : -1;
  for await (const batch of table.values(side, 0, table.slice.parts)) {
    if (work.keys.length < batch.length) {
      work.keys = new Uint32Array(batch.length);
      work.kept = new Int16Array(batch.length);
      work.orbits = new Uint8Array(batch.length);
    }
    countBatch({ slice: table.slice, metric }, side, batch, work, counts);
    if (terminals) countTerminals(table.slice, side, batch, leastUnsure, work, counts);
    await report(batch.length);
  }
  if (stipulations[metric].plies) {
    counts.lostNow[0] = counts.placements[counts.zero - 1];
    counts.lostNow[1] = counts.orbits[counts.zero - 1];
  }
  const sum = (from: number, to: number) =>
    counts.orbits
      .subarray(from + counts.zero, to + counts.zero + 1)
      .reduce((total, count) => total + count, 0);
  requireCounted(table.manifest, side, {
    positions: sum(counts.least, counts.most),
    wins: sum(1, counts.most),
    losses: sum(counts.least, -1),
  });
  return counts;
}

/** The codes of a batch's positions, each of them once. */
function positionCodes(slice: Slice, { major, first, length, columns }: DenseBatch): ValueColumn {
  return withoutRepeats(slice, major, first, (columns[0] as ValueColumn).subarray(0, length));
}

function countBatch(
  { slice, metric }: { readonly slice: Slice; readonly metric: Metric },
  side: Side,
  batch: DenseBatch,
  work: Workspace,
  counts: CodeCounts,
): void {
  const codes = positionCodes(slice, batch);
  const { keys, kept, orbits } = work;
  const at = { slice: slice.name, side, part: batch.major };
  const n = keepLegal(codes.BYTES_PER_ELEMENT, codes, batch.first, batch.length, keys, kept);
  slice.orbitSizes(batch.major, keys, n, orbits);
  tally(kept, orbits, n, counts);
  const { longest } = counts;
  // Bounds in variables: most codes are within them.
  let [won, cursed] = [longest.win.code, longest['cursed win'].code];
  let [lost, blessed] = [longest.loss.code, longest['blessed loss'].code];
  const limit = stipulations[metric].rule50 === 'cursed' ? RULE_PLIES : Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const code = kept[i];
    if (code > won) {
      if (code <= limit) won = keep('win', code, keys[i]);
      else if (code > cursed) cursed = keep('cursed win', code, keys[i]);
    } else if (code < lost) {
      if (-code - 1 <= limit) lost = keep('loss', code, keys[i]);
      else if (code < blessed) blessed = keep('blessed loss', code, keys[i]);
    }
  }
  counts.most = Math.max(counts.most, won, cursed);
  counts.least = Math.min(counts.least, lost, blessed);

  function keep(kind: LongKind, code: number, key: number): number {
    longest[kind] = { code, at: { ...at, key } };
    return code;
  }
}

/** Leaves illegal positions out. vite.hot-loops.ts makes a copy for each type of column. */
// @copies bytes 1 2
function keepLegal(
  bytes: number,
  codes: Int8Array | Int16Array,
  first: number,
  length: number,
  keys: Uint32Array,
  kept: Int16Array,
): number {
  const illegal = bytes === 1 ? -128 : -32768;
  let n = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[i];
    if (code === illegal) continue;
    keys[n] = first + i;
    kept[n++] = code;
  }
  return n;
}

function tally(kept: Int16Array, sizes: Uint8Array, length: number, counts: CodeCounts): void {
  const { zero, placements, orbits } = counts;
  for (let i = 0; i < length; i++) {
    const at = kept[i] + zero;
    placements[at] += sizes[i];
    orbits[at]++;
  }
}

/** Counts the positions that are drawn without moves and, if losses of any length have the code -1, those that are lost. */
function countTerminals(
  slice: Slice,
  side: Side,
  batch: DenseBatch,
  leastUnsure: number,
  work: Workspace,
  counts: CodeCounts,
): void {
  const codes = positionCodes(slice, batch);
  const broken = brokenIn(codes);
  const unsure = (i: number): boolean => codes[i] <= 0 && codes[i] >= leastUnsure && codes[i] !== broken;
  for (let from = 0; from < batch.length; from += CENSUS_ROWS) {
    let first = from;
    let end = Math.min(from + CENSUS_ROWS, batch.length);
    while (first < end && !unsure(first)) first++;
    while (first < end && !unsure(end - 1)) end--;
    if (first === end) continue;
    slice.census(side, batch.major, batch.first + first, end - first, work.census);
    readStatus(work.census, batch.first + first, end - first, work.status);
    for (const [status, count] of [
      [Status.drawn, counts.drawnNow],
      [Status.lost, counts.lostNow],
    ] as const) {
      let n = 0;
      for (let i = 0; i < end - first; i++) {
        if (work.status[i] === status && codes[first + i] !== broken) work.few[n++] = batch.first + first + i;
      }
      if (n === 0) continue;
      slice.orbitSizes(batch.major, work.few, n, work.fewOrbits);
      for (let i = 0; i < n; i++) count[0] += work.fewOrbits[i];
      count[1] += n;
    }
  }
}
