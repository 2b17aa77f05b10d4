/**
 * Edges: writes the edge run (edge-run.ts) of a slice whose moves cannot be taken back.
 *
 *   open positions ─ moves ─▶ (successor | predecessor) ─ distribute / gather, by successor ─▶ edge run
 *
 * Every member makes the moves of its own parts and writes the edges that lead to them; between the two, members exchange
 * segments as in a round. sort(E) for E moves, once; 8 bytes a move.
 */
import { type Budget, share } from '../../operators/core/budget.js';
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import type { Segments } from '../../operators/distribute/segments.js';
import { distribute, releaseSegments } from '../../operators/distribute.js';
import { expand } from '../../operators/expand.js';
import { gather } from '../../operators/gather.js';
import type { Batch, Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { newArrays } from '../../operators/sort/arrays.js';
import { opponent } from '../events.js';
import type { Emission, Side, Slice } from '../game.js';
import { DRAWN } from '../labels.js';
import type { LabelRuns, PartRun } from '../manifest.js';
import { type Context, runName } from './context.js';
import { EXPAND_ROWS } from './convert.js';
import { countsOf } from './counts.js';
import { type Blocks, blocksOf, edgeBatchRows, edgeSpec } from './edge-run.js';

/** Of a member's memory; the rest is for batches. */
export const SHARES = { pool: 0.4, order: 0.4 };
/** Bytes of a row in the pool, and in the arrays that gather puts it in order with. */
const POOL_BYTES = 8;
const ORDER_BYTES = 24;
/** Moves of a position, about: a wrong guess costs time only. */
const MOVES = 32;
/** Rows of the pool that each major should find. */
const ROWS_PER_MAJOR = 64;

export interface EmittedEdges {
  readonly segments: Segments;
  readonly pool: Pool;
}

export interface WrittenEdges {
  readonly run: PartRun;
  readonly rows: number;
}

/**
 * All moves of a context's parts, unordered: of the successor the unit (major: (side * parts + part) * units.perPart + unit)
 * and the key, and the word that the edge run holds for the predecessor.
 */
export type MovesByUnit = (context: Context, labels: LabelRuns, units: Blocks) => RowSource;

export interface EdgeMaker {
  /** The moves of this member's open positions, those that the enumeration has given a count. */
  emit(labels: LabelRuns): Promise<EmittedEdges>;
  /** Writes those of all members that lead to this member's parts. */
  write(emitted: readonly EmittedEdges[]): Promise<WrittenEdges>;
  /** Gives up what this member handed out; when all members have written. */
  release(): Promise<void>;
}

export function newEdgeMaker(context: Context, moves: MovesByUnit, sharedPools: boolean): EdgeMaker {
  const { slice, parts, store, budget, scratch, counters } = context;
  const env = { budget: share(budget, SHARES.order), scratch, counters, arrays: newArrays() };
  const units = unitsOf(slice, budget);
  let handedOut: Segments | undefined;

  return {
    async emit(labels) {
      const pool = createPool(budget.memory * SHARES.pool, { shared: sharedPools });
      const majors = 2 * slice.parts * units.perPart;
      handedOut = await distribute(moves(context, labels, units), { majors, payload: 1, pool }, env);
      return { segments: handedOut, pool };
    },

    async write(emitted) {
      const name = runName(context, 'edges');
      const batchRows = edgeBatchRows(context);
      const writer = await createRun(store, name, edgeSpec(slice), { batchRows, counters });
      const blocks = blocksOf(slice);
      try {
        for (const side of [0, 1]) {
          const written = newProgress(context);
          const range = {
            from: (side * slice.parts + parts.from) * units.perPart,
            to: (side * slice.parts + parts.to) * units.perPart,
          };
          for await (const batch of gather(emitted, range, 1, env)) {
            const part = Math.floor(batch.major / units.perPart);
            await appendByBlock(writer, { ...batch, major: part }, blocks);
            written(part - side * slice.parts);
          }
          written(parts.to);
        }
        const { crc, rows } = await writer.close();
        return { run: { name, crc, ...parts }, rows };
      } catch (error) {
        await writer.abort();
        throw error;
      }
    },

    async release() {
      if (handedOut !== undefined) await releaseSegments(handedOut, env);
      handedOut = undefined;
    },
  };
}

/**
 * The majors of the distribution: blocks or several of them, so that what leads to one fits the memory it is ordered in,
 * but not so many that the pool would be spilled for want of pages.
 */
function unitsOf(slice: Slice, { memory }: Budget): Blocks {
  let { shift } = blocksOf(slice);
  const positions = (memory * SHARES.order) / ORDER_BYTES / MOVES;
  const most = (memory * SHARES.pool) / POOL_BYTES / ROWS_PER_MAJOR;
  const isTooFine = () => 2 ** (shift + 1) <= positions || 2 * slice.size > most * 2 ** shift;
  while (2 ** shift < slice.width && isTooFine()) shift++;
  return { shift, perPart: Math.ceil(slice.width / 2 ** shift) };
}

/** The moves that the slice's kernel makes; the word for the predecessor is its index. */
export const movesOfKernel: MovesByUnit = (context, labels, units) =>
  expand(openPositions(context, labels), edgeKernel(context.slice, units), { rows: EXPAND_ROWS, payload: 1 });

/** Major = side * parts + part. */
async function* openPositions(context: Context, labels: LabelRuns): Cursor {
  const { slice, parts, report } = context;
  let keys = new Uint32Array(0);
  for (const side of [0, 1] as const) {
    for await (const { major, first, length, columns } of countsOf(context, labels.counts[side], parts)) {
      const counts = columns[0] as Uint8Array;
      if (keys.length < length) keys = new Uint32Array(length);
      let n = 0;
      for (let i = 0; i < length; i++) {
        keys[n] = first + i;
        n += counts[i] === 0 || counts[i] === DRAWN ? 0 : 1;
      }
      if (n > 0) yield { major: side * slice.parts + major, length: n, minor: keys, payload: [] };
      report(length);
    }
  }
}

/** Emits (unit and key of the successor | index of the predecessor). */
function edgeKernel(slice: Slice, units: Blocks) {
  const source = new Uint32Array(EXPAND_ROWS);
  return (batch: Batch, from: number, out: Rows): number => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const side: Side = batch.major >= slice.parts ? 1 : 0;
    const part = batch.major - side * slice.parts;
    const bias = opponent(side) * slice.parts;
    const done = slice.moves(side, part, batch.minor, from, batch.length, bias, emission);
    const predecessor = out.payload[0]!;
    const first = part * slice.width;
    for (let i = out.length; i < emission.length; i++) {
      predecessor[i] = first + batch.minor[source[i]!]!;
      out.major[i] = out.major[i]! * units.perPart + (out.minor[i]! >>> units.shift);
    }
    out.length = emission.length;
    return done;
  };
}

/** Reports the positions of the parts of a side before the one that is called with, as far as they have not been. */
function newProgress({ slice, parts, report }: Context): (part: number) => void {
  let next = parts.from;
  return (part) => {
    for (; next < part; next++) report(slice.partSize(next));
  };
}

/** Appends rows of one part (major = side * parts + part) under the majors of their blocks. */
async function appendByBlock(writer: RunWriter, batch: Batch, blocks: Blocks): Promise<void> {
  const { minor, length, payload } = batch;
  for (let from = 0; from < length; ) {
    const block = minor[from]! >>> blocks.shift;
    let to = from + 1;
    while (to < length && minor[to]! >>> blocks.shift === block) to++;
    await writer.append(batch.major * blocks.perPart + block, to - from, minor, payload, from);
    from = to;
  }
}
