/**
 * The edge run: all moves in a slice, for games that cannot take moves back. "The edges are emitted once as (successor,
 * predecessor), externally sorted, and joined each round with the frontier" (Lipton & Regan 2010). The rows of a
 * successor are its unmoves.
 *
 * A row is the successor's key and the predecessor's index in the slice, whose side is the other one. Rows are ordered by
 * side, part and key of the successor. Their major is a *block* of successors, finer than a part, so that the directory of
 * the run says where each block is. A round reads only the record batches that its frontier touches.
 *
 * Memory of reading: a record batch, and the rows of it that are kept. I/O of a round: a scan of the touched blocks, for
 * each flow; the frontier is read twice.
 */

import { assert, UserError } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { type ExpandKernel, expand } from '../../operators/expand.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import { newBatch } from '../../operators/runs/rows.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { Batch, Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import { semiJoin } from '../../operators/semi-join.js';
import { FLOWS, sideOf, unmoveFlow } from '../game/events.js';
import type { SliceIndex } from '../game/game.js';
import { firstMajor, majorsOf } from '../game/majors.js';
import type { PartRun } from '../game/manifest.js';
import type { Context } from './context.js';
import { EXPAND_ROWS } from './convert.js';
import { type Frontier, shifted } from './event-runs.js';
import { memoryOf } from './memory.js';

const EDGES = 'edges';
/** Predecessors are numbered by 32 bits. */
const MOST_POSITIONS = 2 ** 32;

/** A block has few successors, so that little is read for nothing; but no directory has more blocks a side than this. */
const LEAST_SHIFT = 10;
const MOST_BLOCKS = 1 << 16;
const MOST_ROWS = 1 << 13;
const ROW_BYTES = 8;

/** Throws UserError if the slice has no unmoves and is too large for an edge run. */
export function requireEdges({
  name,
  size,
  unmoves,
}: Pick<SliceIndex, 'name' | 'size'> & { readonly unmoves?: unknown }): void {
  if (unmoves !== undefined || size <= MOST_POSITIONS) return;
  throw new UserError(
    `${name} has ${size} positions with each side to move: more than ${MOST_POSITIONS} need unmoves`,
  );
}

export function edgeSpec(slice: SliceIndex): RunSpec {
  const columns = [{ name: 'predecessor', type: 'u32' }] as const;
  return { kind: EDGES, dense: false, columns, strict: false, meta: { slice: slice.name } };
}

export function edgeBatchRows({ budget }: Context): number {
  // A record batch is held once as it is read, and once more as its selected rows.
  const rows = Math.floor(memoryOf('rounds', budget).edges.memory / ROW_BYTES);
  return Math.max(1, Math.min(budget.batchRows, MOST_ROWS, rows));
}

/** How parts are cut: position `key` is in block `key >>> shift` of its part. */
export interface PartBlocks {
  readonly shift: number;
  readonly perPart: number;
}

/** The blocks of parts with these majors. */
export function blocksIn({ from, to }: Interval, { perPart }: PartBlocks): Interval {
  return { from: from * perPart, to: to * perPart };
}

export function blocksOf({ size, width: partWidth }: Pick<SliceIndex, 'size' | 'width'>): PartBlocks {
  let shift = LEAST_SHIFT;
  while (2 ** shift * MOST_BLOCKS < size) shift++;
  return { shift, perPart: Math.ceil(partWidth / 2 ** shift) };
}

/** Makes requests (majors of flows) of the edges to positions that were labelled in this flow. */
export type RequestKernel = (slice: SliceIndex, flowNumber: number) => ExpandKernel;

/** Opens the runs that hold the edges to the context's parts. Returns what makes the requests of a frontier. */
export async function openEdges(
  context: Context,
  runs: readonly PartRun[],
  kernel: RequestKernel = predecessors,
): Promise<(frontier: Frontier) => RowSource> {
  const { slice, parts, store, counters } = context;
  const blocks = blocksOf(slice);
  const opened: { own: Interval; reader: RunReader }[] = [];
  for (const run of runs) {
    const own = { from: Math.max(run.from, parts.from), to: Math.min(run.to, parts.to) };
    if (own.from >= own.to) continue;
    opened.push({ own, reader: await openRun(store, run, { counters, expect: { kind: EDGES } }) });
  }
  const held = opened.reduce((sum, { own }) => sum + own.to - own.from, 0);
  assert(held === parts.to - parts.from, 'edge runs hold the parts of the context, each once');

  return async function* requests(frontier) {
    for (const flowNumber of FLOWS) {
      const side = sideOf(flowNumber);
      for (const { own, reader } of opened) {
        const shift = firstMajor(slice, flowNumber - side);
        const range = majorsOf(slice, flowNumber, own);
        const labelled = () => shifted(frontier.cursor(range), -shift);
        const unmoves = semiJoin(edgesTo(labelled(), reader, blocks), labelled(), {
          keep: 'matched',
          counters,
        });
        yield* expand(unmoves, kernel(slice, flowNumber), { rows: EXPAND_ROWS, payload: 0 });
      }
    }
  };
}

/** At least the edges to the positions of `labelled` (majors of sides), whole blocks of them; majors likewise. */
async function* edgesTo(labelled: Cursor, reader: RunReader, blocks: PartBlocks): Cursor {
  for await (const batch of reader.cursorOver(touched(labelled, reader, blocks))) {
    const { major, length, minor, payload } = batch;
    yield newBatch(Math.floor(major / blocks.perPart), length, minor, payload);
  }
}

/** Ranges of blocks that the positions lie in, ascending. The gap between two of them is worth skipping. */
async function* touched(labelled: Cursor, reader: RunReader, blocks: PartBlocks) {
  let from = -1;
  let to = -1;
  for await (const { major, length, minor } of labelled) {
    const first = major * blocks.perPart;
    for (let i = 0; i < length; i++) {
      const block = first + (minor[i] >>> blocks.shift);
      if (block < to) continue;
      if (from < 0 || isFar(reader, to, block)) {
        if (from >= 0) yield { from, to };
        from = block;
      }
      to = block + 1;
    }
  }
  if (from >= 0) yield { from, to };
}

/** Whether the blocks [from, to) have so many rows that to restart behind them reads less. */
function isFar(reader: RunReader, from: number, to: number): boolean {
  let rows = 0;
  for (let block = from; block < to; block++) {
    rows += reader.segmentRows(block);
    if (rows >= MOST_ROWS) return true;
  }
  return false;
}

/** The word for a predecessor is its index, and its side is the other one. */
function predecessors(slice: SliceIndex, flowNumber: number): ExpandKernel {
  const { width } = slice;
  const bias = firstMajor(slice, unmoveFlow(flowNumber));
  return (edges: Batch, from: number, out: Rows): number => {
    const predecessors = edges.payload[0] as Uint32Array;
    const to = Math.min(edges.length, from + out.minor.length - out.length);
    let n = out.length;
    for (let i = from; i < to; i++) {
      const index = predecessors[i];
      const part = Math.floor(index / width);
      out.major[n] = bias + part;
      out.minor[n++] = index - part * width;
    }
    out.length = n;
    return to;
  };
}
