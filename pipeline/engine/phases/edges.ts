/**
 * Edges: all moves in a slice whose moves cannot be taken back, written once. "The edges are emitted once as (successor,
 * predecessor), externally sorted, and joined each round with the frontier" (Lipton & Regan 2010). The rows of a successor are
 * its unmoves.
 *
 *   open positions ─ moves ─▶ (successor | predecessor) ─ distribute / gather, by successor ─▶ edge run ─┐ once
 *   frontier ─────────────────────────────────────────────────────────────────────────────── semi-join ──┴─▶ requests
 *
 * Every partition makes the moves of its own parts and writes the edges that lead to them. Between the two, an exchange
 * carries the moves as it carries requests in a round. Cost: sort(E) for E moves, once; 8 bytes a move.
 *
 * A row of the edge run is the successor's key and the predecessor's index in the slice. The predecessor's side is the other one, or as
 * the word's highest bits say (`SideOfEdges`): of a player who moves again, a move to a won position wins. Rows are ordered by side, part and key of the successor. Their major is a *block* of successors, finer than a part, so that the directory
 * of the run has the place of each block. A round reads only the record batches that its frontier touches.
 *
 * Memory of reading: a record batch, and the rows of it that are kept. I/O of a round: a scan of the touched blocks, for
 * each flow; the frontier is read twice.
 */

import { newArrays } from '../../../operators/core/arrays.js';
import { assert, UserError } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { orAbort } from '../../../operators/core/or-abort.js';
import { type ExpandKernel, expand } from '../../../operators/expand.js';
import { openRun, type RunReader } from '../../../operators/runs/reader.js';
import { newBatch } from '../../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource, Rows } from '../../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../../operators/runs/writer.js';
import { semiJoin } from '../../../operators/semi-join.js';
import { FLOWS, flow, kindOf, sideOf, unmoveFlow } from '../../game/events.js';
import type { Slice, SliceIndex } from '../../game/game.js';
import { DRAWN } from '../../game/labels.js';
import { firstMajor, majorOf, majorsIn, majorsOf, partOf } from '../../game/majors.js';
import type { LabelRuns, PartRun } from '../../game/manifest.js';
import type { EdgesPart, Parcel } from '../../game/step-manifests.js';
import { type Context, EXPAND_ROWS, runName } from '../memory/context.js';
import { type Frontier, shifted } from '../memory/event-runs.js';
import { readPlane } from '../memory/label-planes.js';
import { memoryOf } from '../memory/phase-memory.js';
import { moveKernel, movesBehind } from '../memory/rows.js';
import { type Carrier, Exchange } from './exchange.js';

const EDGES = 'edges';
/** Predecessors are numbered by 32 bits. */
const MOST_POSITIONS = 2 ** 32;

/** A block has few successors, so that little is read for nothing; but no directory has more blocks a side than this. */
const LEAST_SHIFT = 10;
const MOST_BLOCKS = 1 << 16;
/** Units of both sides, so that each has rows enough in the pool; units of slices with more positions are larger. */
const MOST_UNITS = 2 ** 14;
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

/** How parts are cut: position `key` is in block `key >>> shift` of its part. */
export interface PartBlocks {
  readonly shift: number;
  readonly perPart: number;
}

/** @param most blocks of a side, unless a block is a part. */
function blocksOf({ size, width }: Pick<SliceIndex, 'size' | 'width'>, most: number): PartBlocks {
  let shift = LEAST_SHIFT;
  while (2 ** shift * most < size && 2 ** shift < width) shift++;
  return { shift, perPart: Math.ceil(width / 2 ** shift) };
}

/**
 * All moves of a context's parts, unordered. Of the successor they have the unit and the key. The unit's major is
 * that of its side and part times units.perPart, and the unit. Of the predecessor they have the word that the edge
 * run holds for it.
 */
export type MovesByUnit = (context: Context, labels: LabelRuns, units: PartBlocks) => RowSource;

/** Makes the edge run of a partition. */
export class EdgeMaker {
  private readonly exchange: Exchange;
  /**
   * The majors of the distribution: blocks or several of them. They are the same in all partitions, for any memory, because
   * partitions look for the majors that the others send.
   */
  private readonly units: PartBlocks;

  constructor(
    private readonly context: Context,
    private readonly moves: MovesByUnit,
    carrier: Carrier,
  ) {
    const { slice, budget, scratch, counters } = context;
    const { order } = memoryOf('edges', budget);
    this.exchange = new Exchange(carrier, { budget: order, scratch, counters, arrays: newArrays() });
    this.units = blocksOf(slice, MOST_UNITS / 2);
  }

  private receivedBy(parts: Interval): Interval[] {
    const { perPart } = this.units;
    return [0, 1].map((side) => {
      const { from, to } = majorsOf(this.context.slice, side, parts);
      return { from: from * perPart, to: to * perPart };
    });
  }

  /** Sends the moves of this partition's open positions, those that the enumeration has given a count. */
  emit(labels: LabelRuns, again: boolean): Promise<Parcel> {
    const { slice, budget } = this.context;
    const shipment = {
      what: 'moves' as const,
      majors: majorsIn(slice, 2) * this.units.perPart,
      receivedBy: (parts: Interval) => this.receivedBy(parts),
      columns: ['predecessor'],
      byMajor: false,
      memory: memoryOf('edges', budget).moves.memory,
      buffer: 'moves',
    };
    return this.exchange.send(this.moves(this.context, labels, this.units), shipment, again);
  }

  /** Writes the moves of all partitions that lead to this partition's parts. */
  async write(emitted: readonly Parcel[]): Promise<EdgesPart> {
    const { slice, parts, store, budget, counters } = this.context;
    const columns = [{ name: 'predecessor', type: 'u32' }] as const;
    const spec = { kind: EDGES, dense: false, columns, strict: false, meta: { slice: slice.name } };
    // A record batch is held once as it is read, and once more as its selected rows.
    const rows = Math.floor(memoryOf('rounds', budget).edges.memory / ROW_BYTES);
    const batchRows = Math.max(1, Math.min(budget.batchRows, MOST_ROWS, rows));
    const writer = await createRun(store, runName(this.context, 'edges'), spec, { batchRows, counters });
    const blocks = blocksOf(slice, MOST_BLOCKS);
    return orAbort(writer, async () => {
      for (const range of this.receivedBy(parts)) {
        const written = newProgress(this.context);
        for await (const batch of await this.exchange.receive(emitted, range, 1)) {
          const major = Math.floor(batch.major / this.units.perPart);
          const { length, minor, payload } = batch;
          await appendByBlock(writer, newBatch(major, length, minor, payload), blocks);
          written(partOf(slice, major));
        }
        written(parts.to);
      }
      const { crc, rows, name } = await writer.close();
      return { run: { name, crc, ...parts }, rows };
    });
  }

  /** Gives up what this partition sent; when all partitions have written. */
  release(): Promise<void> {
    return this.exchange.close();
  }
}

/** The moves that the slice's kernel makes; the word for the predecessor is its index. */
export const movesOfKernel = (context: Context<Slice>, labels: LabelRuns, units: PartBlocks): RowSource =>
  expand(openPositions(context, labels), edgeKernel(context.slice, units), { rows: EXPAND_ROWS, payload: 1 });

/** Majors of sides. */
async function* openPositions(context: Context, labels: LabelRuns): Cursor {
  const { slice, parts, report } = context;
  let keys = new Uint32Array(0);
  for (const side of [0, 1] as const) {
    for await (const { major, first, length, columns } of readPlane(context, labels, 'counts', side, parts)) {
      const counts = columns[0] as Uint8Array;
      if (keys.length < length) keys = new Uint32Array(length);
      let n = 0;
      for (let i = 0; i < length; i++) {
        keys[n] = first + i;
        n += counts[i] === 0 || counts[i] === DRAWN ? 0 : 1;
      }
      if (n > 0) yield newBatch(majorOf(slice, side, major), n, keys, []);
      report(length);
    }
  }
}

/** Rows (unit and key of the successor | index of the predecessor). */
function edgeKernel(slice: Slice, { perPart, shift }: PartBlocks): ExpandKernel {
  return moveKernel(slice, movesBehind(slice), ({ major, minor }, source, out, end) => {
    const first = partOf(slice, major) * slice.width;
    const predecessor = out.payload[0];
    for (let i = out.length; i < end; i++) {
      predecessor[i] = first + minor[source[i]];
      out.major[i] = out.major[i] * perPart + (out.minor[i] >>> shift);
    }
  });
}

/** Reports the positions of the parts of a side before the one that is called with, as far as they have not been. */
function newProgress({ slice, parts, report }: Context): (part: number) => void {
  let next = parts.from;
  return (part) => {
    for (; next < part; next++) report(slice.partSize(next));
  };
}

/** Appends rows of one part (majors of sides) under the majors of their blocks. */
async function appendByBlock(writer: RunWriter, batch: Batch, blocks: PartBlocks): Promise<void> {
  const { minor, length, payload } = batch;
  for (let from = 0; from < length; ) {
    const block = minor[from] >>> blocks.shift;
    let to = from + 1;
    while (to < length && minor[to] >>> blocks.shift === block) to++;
    await writer.append(batch.major * blocks.perPart + block, to - from, minor, payload, from);
    from = to;
  }
}

/** Whether the players move in turn, or the words for predecessors have {@link SAME_SIDE} and {@link EXCHANGED}. */
export type SideOfEdges = 'other' | 'marked';

/** In the word for a predecessor: it has the side of its successor. */
export const SAME_SIDE = 31;
/**
 * In such a word: the move leads to the successor with its colours exchanged. So if both have the same side, the players took turns, and if
 * not, the same player moves again.
 */
export const EXCHANGED = 30;

/** Opens the runs that hold the edges to the context's parts. Returns what makes the requests of a frontier. */
export async function openEdges(
  context: Context,
  runs: readonly PartRun[],
  sideOfEdges: SideOfEdges,
): Promise<(frontier: Frontier) => RowSource> {
  const { slice, parts, store, counters } = context;
  const blocks = blocksOf(slice, MOST_BLOCKS);
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
        const kernel = requestKernel(slice, flowNumber, sideOfEdges);
        yield* expand(unmoves, kernel, { rows: EXPAND_ROWS, payload: 0 });
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

/** Whether the blocks [from, to) have so many rows that skipping them and starting again after them reads less. */
function isFar(reader: RunReader, from: number, to: number): boolean {
  let rows = 0;
  for (let block = from; block < to; block++) {
    rows += reader.segmentRows(block);
    if (rows >= MOST_ROWS) return true;
  }
  return false;
}

/** Makes requests (majors of flows) of the edges to positions that were labelled in this flow. */
function requestKernel(slice: SliceIndex, flowNumber: number, sideOfEdges: SideOfEdges): ExpandKernel {
  const { width } = slice;
  const unmoved = unmoveFlow(flowNumber);
  const [kind, side] = [kindOf(flowNumber), sideOf(flowNumber)];
  const [turnedKind, otherSide] = [kindOf(unmoved), sideOf(unmoved)];
  // By the two highest bits: neither, exchanged, same side, both. Where a player moves again, a win stays a win.
  const marked = [
    flow(turnedKind, otherSide),
    flow(kind, otherSide),
    flow(kind, side),
    flow(turnedKind, side),
  ];
  const firsts = marked.map((each) => firstMajor(slice, each));
  const [bits, mark] = sideOfEdges === 'marked' ? [~(3 << EXCHANGED), 3] : [-1, 0];
  return (edges: Batch, from: number, out: Rows): number => {
    const predecessors = edges.payload[0] as Uint32Array;
    const to = Math.min(edges.length, from + out.minor.length - out.length);
    let n = out.length;
    for (let i = from; i < to; i++) {
      const word = predecessors[i];
      const index = (word & bits) >>> 0;
      const part = Math.floor(index / width);
      out.major[n] = firsts[(word >>> EXCHANGED) & mark] + part;
      out.minor[n++] = index - part * width;
    }
    out.length = n;
    return to;
  };
}
