/**
 * Samples of a slice that is not solved yet. They say how many of its indices are legal positions, and how many rows
 * the kernels emit for them. Blocks of consecutive indices are taken from random parts, the same ones for the same
 * seed.
 */

import { rowsOf } from '../../engine/rows.js';
import { newCensus, readStatus } from '../../game/fill-census.js';
import { type Emission, type MoveKernel, type Side, type Slice, Status } from '../../game/game.js';

export interface SampleOptions {
  /** Blocks of each side, and indices of a block. A slice with no more indices than that is taken whole. */
  readonly blocks: number;
  readonly blockRows: number;
  readonly seed: number;
}

export const DEFAULT_SAMPLE: SampleOptions = { blocks: 256, blockRows: 2048, seed: 1 };

/** Indices of each side to move that the samples of a plan may look at: a few CPU seconds. */
const PLAN_INDICES = 2e7;
/** Blocks are multiples of the row that kernels take at once, and not shorter: the call of a kernel would cost more. */
const LEAST_ROWS = 64;

/**
 * Shares the indices that a plan may look at among its slices: small ones are taken whole while they take less than an equal
 * share. Plans with few slices have the blocks of {@link DEFAULT_SAMPLE}, others as many blocks that are shorter.
 *
 * @param sizes positions of a side of each slice.
 */
export function sampleOfPlan(sizes: readonly number[]): SampleOptions {
  const { blocks, blockRows } = DEFAULT_SAMPLE;
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = PLAN_INDICES;
  for (const [i, size] of ascending.entries()) {
    const share = left / (ascending.length - i);
    if (size > share) {
      const rows = Math.floor(share / blocks / LEAST_ROWS) * LEAST_ROWS;
      return { ...DEFAULT_SAMPLE, blockRows: Math.max(LEAST_ROWS, Math.min(blockRows, rows)) };
    }
    left -= Math.min(size, blocks * blockRows);
  }
  return DEFAULT_SAMPLE;
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
  /** Its requests and frontiers are sets of positions, not keys (pipeline/game/row-kernels.ts). */
  readonly byRows: boolean;
  /** Its verification makes the moves of 64 positions at once (pipeline/game/row-moves.ts). */
  readonly movesByRows: boolean;
  readonly sides: readonly [SideSample, SideSample];
}

export function sampleSlice(slice: Slice, options: SampleOptions = DEFAULT_SAMPLE): SliceSample {
  const byEdges = slice.unmoves === undefined;
  return {
    slice: slice.name,
    byEdges,
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
  const unmoves = newRowCounter(slice, slice.unmoves ?? slice.moves);
  const { local } = slice;
  const unmovesBeyond = local === undefined ? undefined : newRowCounter(slice, local.unmovesBeyond);
  const sum = { sampled: 0, legal: 0, mates: 0, moves: 0, conversions: 0, unmoves: 0, unmovesBeyond: 0 };
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
    sum.sampled += length;
    sum.legal += legal;
    const rows = unmoves(side, part, keys, legal);
    sum.unmoves += rows;
    sum.unmovesBeyond += unmovesBeyond?.(side, part, keys, legal) ?? rows;
  }
  const all = (count: number) => Math.round((count * slice.size) / sum.sampled);
  return {
    indices: slice.size,
    sampled: sum.sampled,
    legal: all(sum.legal),
    mates: all(sum.mates),
    moves: all(sum.moves),
    conversions: all(sum.conversions),
    unmoves: all(sum.unmoves),
    unmovesBeyond: all(sum.unmovesBeyond),
  };
}

/** Counts the rows that a kernel emits, and drops them. */
function newRowCounter(slice: Slice, kernel: MoveKernel) {
  const capacity = Math.max(1 << 14, slice.maxMoves);
  const out: Emission = {
    length: 0,
    major: new Uint32Array(capacity),
    minor: new Uint32Array(capacity),
    source: new Uint32Array(capacity),
  };
  return (side: Side, part: number, keys: Uint32Array, length: number): number => {
    let rows = 0;
    for (let from = 0; from < length; ) {
      out.length = 0;
      from = kernel(side, part, keys, from, length, 0, out);
      rows += out.length;
    }
    return rows;
  };
}

interface SampleBlock {
  readonly part: number;
  readonly first: number;
  readonly length: number;
}

function* blocksOf(
  slice: Slice,
  side: Side,
  { blocks, blockRows, seed }: SampleOptions,
): Generator<SampleBlock> {
  if (slice.size <= blocks * blockRows) {
    for (let part = 0; part < slice.parts; part++) {
      const size = slice.partSize(part);
      for (let first = 0; first < size; first += blockRows)
        yield { part, first, length: Math.min(blockRows, size - first) };
    }
    return;
  }
  // One block in each of as many equal strata: the legal share changes slowly along the index.
  const random = newRandom(seed * 2 + side);
  for (let i = 0; i < blocks; i++) {
    const index = Math.floor(((i + random()) / blocks) * slice.size);
    const part = Math.floor(index / slice.width);
    const key = index - part * slice.width;
    const size = slice.partSize(part);
    const first = Math.max(0, Math.min(key, size - blockRows));
    yield { part, first, length: Math.min(blockRows, size - first) };
  }
}

/** Numbers in [0, 1) that depend on the seed alone (xorshift, Marsaglia 2003). */
function newRandom(seed: number): () => number {
  let state = (seed * 0x9e3779b9 + 0x85ebca6b) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 8; i++) next();
  return next;
}
