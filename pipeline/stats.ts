/**
 * Statistics of a finished table: how many positions are won, drawn and lost, at which ply. One pass over the table in
 * batches: scan(N), memory independent of N.
 */
import type { DenseBatch } from '../operators/runs/types.js';
import { newCensus, readStatus } from './census.js';
import { type Census, type Game, type Side, type Slice, Status } from './game.js';
import type { Table } from './table/table.js';
import { brokenIn, type Metric, type ValueColumn } from './value.js';

/** *Orbits* count canonical positions; *placements* count boards, like men being interchangeable. */
export interface Tally {
  readonly placements: number;
  readonly orbits: number;
}

export interface Longest {
  readonly plies: number;
  /** The first position in index order that takes so long. */
  readonly fen: string;
}

/** Of the positions with one side to move. Keys of the ByPly objects ascend; under `wdl` they are empty. */
export interface SideStats {
  readonly legal: Tally;
  readonly whiteWins: Tally;
  readonly draws: Tally;
  readonly blackWins: Tally;
  readonly mates: Tally;
  readonly stalemates: Tally;
  readonly whiteWinsByPly: Readonly<Record<string, Tally>>;
  readonly blackWinsByPly: Readonly<Record<string, Tally>>;
  readonly longestWhiteWin: Longest | null;
  readonly longestBlackWin: Longest | null;
}

export interface TableStats {
  readonly white: SideStats;
  readonly black: SideStats;
}

export interface StatsOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly table: Table;
  /** The ending was asked for with its sides exchanged: white is the second group of the slice's name. */
  readonly flipped: boolean;
  /** Called and awaited between batches with the number of values looked at since the last call. */
  readonly report: (done: number) => Promise<void>;
}

export async function tableStats(options: StatsOptions): Promise<TableStats> {
  const counts = [await countSide(options, 0), await countSide(options, 1)];
  const side = (white: boolean) => {
    const mover: Side = white === options.flipped ? 1 : 0;
    return describeSide(options, mover, counts[mover], white);
  };
  return { white: side(true), black: side(false) };
}

/** Codes are at least -32768. */
const ZERO = 1 << 15;
/** Drawn positions are few in some regions: only stretches of this many indices that hold one are classified. */
const CENSUS_ROWS = 1 << 10;

/** Counts by code + ZERO. */
interface Counts {
  readonly placements: Float64Array;
  readonly orbits: Float64Array;
  readonly mates: [placements: number, orbits: number];
  readonly stalemates: [placements: number, orbits: number];
  /** Greatest and least code seen, and where first. */
  most: number;
  least: number;
  mostAt: Place;
  leastAt: Place;
}

interface Place {
  readonly part: number;
  readonly key: number;
}

interface Workspace {
  keys: Uint32Array;
  kept: Int16Array;
  orbits: Uint8Array;
  readonly census: Census;
  readonly status: Uint8Array;
  readonly few: Uint32Array;
  readonly fewOrbits: Uint8Array;
}

async function countSide(options: StatsOptions, side: Side): Promise<Counts> {
  const { table, metric } = options;
  const nowhere = { part: 0, key: 0 };
  const counts: Counts = {
    placements: new Float64Array(2 * ZERO),
    orbits: new Float64Array(2 * ZERO),
    mates: [0, 0],
    stalemates: [0, 0],
    most: 0,
    least: 0,
    mostAt: nowhere,
    leastAt: nowhere,
  };
  const work: Workspace = {
    keys: new Uint32Array(0),
    kept: new Int16Array(0),
    orbits: new Uint8Array(0),
    census: newCensus(CENSUS_ROWS),
    status: new Uint8Array(CENSUS_ROWS),
    few: new Uint32Array(CENSUS_ROWS),
    fewOrbits: new Uint8Array(CENSUS_ROWS),
  };
  // Under wdl every loss has the code of a mate, so the census must tell mates too.
  const leastUnsure = metric === 'wdl' ? -1 : 0;
  for await (const batch of table.values(side, 0, table.slice.parts)) {
    if (work.keys.length < batch.length) {
      work.keys = new Uint32Array(batch.length);
      work.kept = new Int16Array(batch.length);
      work.orbits = new Uint8Array(batch.length);
    }
    countBatch(table.slice, batch, work, counts);
    countTerminals(table.slice, side, batch, leastUnsure, work, counts);
    await options.report(batch.length);
  }
  if (metric !== 'wdl') {
    counts.mates[0] = counts.placements[ZERO - 1];
    counts.mates[1] = counts.orbits[ZERO - 1];
  }
  return counts;
}

function countBatch(slice: Slice, batch: DenseBatch, work: Workspace, counts: Counts): void {
  const codes = batch.columns[0] as ValueColumn;
  const { keys, kept, orbits } = work;
  const n =
    codes.BYTES_PER_ELEMENT === 1
      ? keepLegal8(codes as Int8Array, batch.first, batch.length, keys, kept)
      : keepLegal16(codes as Int16Array, batch.first, batch.length, keys, kept);
  slice.orbitSizes(batch.major, keys, n, orbits);
  tally(kept, orbits, n, counts.placements, counts.orbits);
  for (let i = 0; i < n; i++) {
    const code = kept[i];
    if (code > counts.most) {
      counts.most = code;
      counts.mostAt = { part: batch.major, key: keys[i] };
    } else if (code < counts.least) {
      counts.least = code;
      counts.leastAt = { part: batch.major, key: keys[i] };
    }
  }
}

/** Two copies of one loop, so that each sees one type of column. */
function keepLegal8(
  codes: Int8Array,
  first: number,
  length: number,
  keys: Uint32Array,
  kept: Int16Array,
): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[i];
    if (code === -128) continue;
    keys[n] = first + i;
    kept[n++] = code;
  }
  return n;
}

function keepLegal16(
  codes: Int16Array,
  first: number,
  length: number,
  keys: Uint32Array,
  kept: Int16Array,
): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[i];
    if (code === -32768) continue;
    keys[n] = first + i;
    kept[n++] = code;
  }
  return n;
}

function tally(
  kept: Int16Array,
  sizes: Uint8Array,
  length: number,
  placements: Float64Array,
  orbits: Float64Array,
): void {
  for (let i = 0; i < length; i++) {
    const at = kept[i] + ZERO;
    placements[at] += sizes[i];
    orbits[at]++;
  }
}

/** Counts stalemates and, if losses of any length have the code -1, mates. */
function countTerminals(
  slice: Slice,
  side: Side,
  batch: DenseBatch,
  leastUnsure: number,
  work: Workspace,
  counts: Counts,
): void {
  const codes = batch.columns[0] as ValueColumn;
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
      [Status.drawn, counts.stalemates],
      [Status.lost, counts.mates],
    ] as const) {
      let n = 0;
      for (let i = 0; i < end - first; i++) {
        if (work.status[i] === status) work.few[n++] = batch.first + first + i;
      }
      if (n === 0) continue;
      slice.orbitSizes(batch.major, work.few, n, work.fewOrbits);
      for (let i = 0; i < n; i++) count[0] += work.fewOrbits[i];
      count[1] += n;
    }
  }
}

function describeSide(options: StatsOptions, mover: Side, counts: Counts, white: boolean): SideStats {
  const { game, metric, table, flipped } = options;
  const sum = (from: number, to: number): Tally => {
    let placements = 0;
    let orbits = 0;
    for (let code = from; code <= to; code++) {
      placements += counts.placements[code + ZERO];
      orbits += counts.orbits[code + ZERO];
    }
    return { placements, orbits };
  };
  const byPly = (codeOf: (ply: number) => number, first: number, last: number): Record<string, Tally> => {
    const plies: Record<string, Tally> = {};
    if (metric === 'wdl') return plies;
    for (let ply = first; ply <= last; ply++) {
      const tallied = sum(codeOf(ply), codeOf(ply));
      if (tallied.orbits > 0) plies[ply] = tallied;
    }
    return plies;
  };
  const longest = (plies: number, { part, key }: Place): Longest | null =>
    metric === 'wdl'
      ? null
      : { plies, fen: game.format(game.board({ slice: table.slice.name, side: mover, part, key }, flipped)) };

  const moverWins = {
    all: sum(1, counts.most),
    byPly: byPly((ply) => ply, 1, counts.most),
    longest: counts.most > 0 ? longest(counts.most, counts.mostAt) : null,
  };
  const moverLoses = {
    all: sum(counts.least, -1),
    byPly: byPly((ply) => -ply - 1, 0, -counts.least - 1),
    longest: counts.least < 0 ? longest(-counts.least - 1, counts.leastAt) : null,
  };
  const [whites, blacks] = white ? [moverWins, moverLoses] : [moverLoses, moverWins];
  const pair = ([placements, orbits]: [number, number]): Tally => ({ placements, orbits });
  return {
    legal: sum(-ZERO, ZERO - 1),
    whiteWins: whites.all,
    draws: sum(0, 0),
    blackWins: blacks.all,
    mates: pair(counts.mates),
    stalemates: pair(counts.stalemates),
    whiteWinsByPly: whites.byPly,
    blackWinsByPly: blacks.byPly,
    longestWhiteWin: whites.longest,
    longestBlackWin: blacks.longest,
  };
}
