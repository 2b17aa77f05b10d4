/**
 * Samples of a slice that is not solved yet. They say how many of its indices are legal positions, and how many rows
 * the kernels emit for them. Blocks of consecutive indices are taken from random parts, the same ones for the same
 * seed.
 */

import { rowsOf } from '../../engine/memory/rows.js';
import { newCensus, readStatus } from '../../game/fill-census.js';
import { type Emission, type MoveKernel, type Side, type Slice, Status } from '../../game/game.js';
import { countRepeats } from '../../game/repeats.js';
import { newEmission } from '../../game/run-kernel.js';
import { seededRandom } from '../../game/sample.js';

export interface SampleOptions {
  /** Blocks of each side, and indices of a block. A slice with no more indices than that is taken whole. */
  readonly blocks: number;
  readonly blockRows: number;
  readonly seed: number;
}

export const DEFAULT_SAMPLE: SampleOptions = { blocks: 256, blockRows: 2048, seed: 1 };

/** The samples of a plan: indices of each side to move that they may look at, which takes a few CPU seconds. */
const PLAN = { indices: 2e7, blocks: DEFAULT_SAMPLE.blocks };
/** Blocks are multiples of the row that kernels take at once, and not shorter: the call of a kernel would cost more. */
const LEAST_ROWS = 64;

/**
 * Shares the indices that a plan may look at among its slices: small ones are taken whole while they take less than an equal
 * share. Plans with few slices have the blocks of {@link DEFAULT_SAMPLE}, others as many blocks that are shorter.
 *
 * @param sizes positions of a side of each slice.
 * @param most indices of a side in all samples together, and blocks of each.
 */
export function sampleOfPlan(sizes: readonly number[], { indices, blocks } = PLAN): SampleOptions {
  const { blockRows } = DEFAULT_SAMPLE;
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = indices;
  for (const [i, size] of ascending.entries()) {
    const share = left / (ascending.length - i);
    if (size > share) {
      const rows = Math.floor(share / blocks / LEAST_ROWS) * LEAST_ROWS;
      return { ...DEFAULT_SAMPLE, blocks, blockRows: Math.max(LEAST_ROWS, Math.min(blockRows, rows)) };
    }
    left -= Math.min(size, blocks * blockRows);
  }
  return { ...DEFAULT_SAMPLE, blocks };
}

/** Counts positions with one side to move. All but `indices` and `sampled` are estimates of the whole side. */
export interface SideSample {
  readonly indices: number;
  /** Indices looked at. */
  readonly sampled: number;
  readonly legal: number;
  readonly mates: number;
  /** Legal moves that stay in the slice, and that leave it. */
  readonly moves: number;
  readonly conversions: number;
  /** Rows that `unmoves` emits for all legal positions, illegal predecessors among them; the moves, if it has none; */
  readonly unmoves: number;
  /** those of them that leave their part, or all where the game does not tell them apart. */
  readonly unmovesBeyond: number;
}

export interface SliceSample {
  readonly slice: string;
  /** Its moves cannot be taken back: they are written down. */
  readonly byEdges: boolean;
  /** Its requests and frontiers are sets of positions, not keys (pipeline/game/rows.ts). */
  readonly byRows: boolean;
  /** Its verification makes the moves of 64 positions at once (`RowMoves` there). */
  readonly movesByRows: boolean;
  readonly sides: readonly [SideSample, SideSample];
}

export function sampleSlice(slice: Slice, options: SampleOptions = DEFAULT_SAMPLE): SliceSample {
  return {
    slice: slice.name,
    byEdges: slice.unmoves === undefined,
    byRows: rowsOf(slice, 'count').width > 1,
    movesByRows: slice.rowMoves !== undefined,
    sides: [sampleSide(slice, 0, options), sampleSide(slice, 1, options)],
  };
}

function sampleSide(slice: Slice, side: Side, options: SampleOptions): SideSample {
  const { blockRows } = options;
  const census = newCensus(blockRows);
  const status = new Uint8Array(blockRows);
  const keys = new Uint32Array(blockRows);
  const kernel = slice.unmoves ?? slice.moves;
  const beyond = slice.local?.unmovesBeyond;
  const out = newEmission(Math.max(1 << 14, slice.maxMoves));
  const sum = { legal: 0, mates: 0, moves: 0, conversions: 0, unmoves: 0, unmovesBeyond: 0 };
  let sampled = 0;
  for (const { part, first, length } of blocksOf(slice, side, options)) {
    slice.census(side, part, first, length, census);
    readStatus(census, first, length, status);
    sum.mates += census.lost;
    let legal = 0;
    for (let i = 0; i < length; i++) {
      if (status[i] === Status.broken) continue;
      keys[legal++] = first + i;
      if (status[i] !== Status.open) continue;
      const conversions = census.conversions[i];
      sum.moves += census.counts[i] - conversions;
      sum.conversions += conversions;
    }
    sampled += length;
    const isPosition = (i: number) => status[i] !== Status.broken;
    sum.legal += legal - countRepeats(slice, part, first, length, isPosition);
    const found = keys.subarray(0, legal);
    const rows = countRows(kernel, side, part, found, out);
    sum.unmoves += rows;
    sum.unmovesBeyond += beyond === undefined ? rows : countRows(beyond, side, part, found, out);
  }
  const all = Object.entries(sum).map(([what, count]) => [what, Math.round((count * slice.size) / sampled)]);
  return { indices: slice.size, sampled, ...(Object.fromEntries(all) as typeof sum) };
}

/** The rows that a kernel emits for these keys. */
function countRows(kernel: MoveKernel, side: Side, part: number, keys: Uint32Array, out: Emission): number {
  let rows = 0;
  for (let from = 0; from < keys.length; rows += out.length) {
    out.length = 0;
    from = kernel(side, part, keys, from, keys.length, 0, out);
  }
  return rows;
}

function* blocksOf(slice: Slice, side: Side, { blocks, blockRows, seed }: SampleOptions) {
  const blockAt = (part: number, first: number) => ({
    part,
    first,
    length: Math.min(blockRows, slice.partSize(part) - first),
  });
  if (slice.size <= blocks * blockRows) {
    for (let part = 0; part < slice.parts; part++)
      for (let first = 0; first < slice.partSize(part); first += blockRows) yield blockAt(part, first);
    return;
  }
  // One block in each of as many equal strata: the legal share changes slowly along the index.
  const random = seededRandom(2 * seed + side);
  for (let i = 0; i < blocks; i++) {
    const stratum = slice.size / blocks;
    const index = Math.floor(i * stratum) + random(Math.ceil(stratum));
    const part = Math.floor(index / slice.width);
    const key = index - part * slice.width;
    yield blockAt(part, Math.max(0, Math.min(key, slice.partSize(part) - blockRows)));
  }
}
