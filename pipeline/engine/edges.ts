/**
 * Edges: writes the edge run (edge-run.ts) of a slice whose moves cannot be taken back.
 *
 *   open positions ─ moves ─▶ (successor | predecessor) ─ distribute / gather, by successor ─▶ edge run
 *
 * Every partition makes the moves of its own parts and writes the edges that lead to them. Between the two, an exchange
 * carries the moves as it carries requests in a round. Cost: sort(E) for E moves, once; 8 bytes a move.
 */

import { newArrays } from '../../operators/core/arrays.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { expand } from '../../operators/expand.js';
import { newBatch } from '../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import type { Emission, Slice, SliceIndex } from '../game/game.js';
import { DRAWN } from '../game/labels.js';
import { firstMajorBehind, majorOf, majorsIn, majorsOf, partOf, sideOfMajor } from '../game/majors.js';
import type { LabelRuns } from '../game/manifest.js';
import type { EdgesPart, Parcel } from '../game/step-manifests.js';
import { type Context, runName } from './context.js';
import { EXPAND_ROWS } from './convert.js';
import { blocksIn, blocksOf, edgeBatchRows, edgeSpec, type PartBlocks } from './edge-run.js';
import { type Carrier, Exchange } from './exchange.js';
import { readPlane } from './label-planes.js';
import { memoryOf } from './memory.js';

/** Units of both sides, so that each has rows enough in the pool; units of slices with more positions are larger. */
const MOST_UNITS = 2 ** 14;

/**
 * All moves of a context's parts, unordered. Of the successor they have the unit and the key. The unit's major is
 * that of its side and part times units.perPart, and the unit. Of the predecessor they have the word that the edge
 * run holds for it.
 */
export type MovesByUnit = (context: Context, labels: LabelRuns, units: PartBlocks) => RowSource;

export interface EdgeMaker {
  /** Sends the moves of this partition's open positions, those that the enumeration has given a count. */
  emit(labels: LabelRuns, again: boolean): Promise<Parcel>;
  /** Writes the moves of all partitions that lead to this partition's parts. */
  write(emitted: readonly Parcel[]): Promise<EdgesPart>;
  /** Gives up what this partition sent; when all partitions have written. */
  release(): Promise<void>;
}

export function newEdgeMaker(context: Context, moves: MovesByUnit, carrier: Carrier): EdgeMaker {
  const { slice, parts, store, budget, scratch, counters } = context;
  const memory = memoryOf('edges', budget);
  const env = { budget: memory.order, scratch, counters, arrays: newArrays() };
  const exchange = new Exchange(carrier, env);
  const units = unitsOf(slice);
  const receivedBy = (of: Interval) => [0, 1].map((side) => blocksIn(majorsOf(slice, side, of), units));

  return {
    emit(labels, again) {
      const shipment = {
        what: 'moves' as const,
        majors: majorsIn(slice, 2) * units.perPart,
        receivedBy,
        columns: ['predecessor'],
        byMajor: false,
        memory: memory.moves.memory,
        buffer: 'moves',
      };
      return exchange.send(moves(context, labels, units), shipment, again);
    },

    async write(emitted) {
      const name = runName(context, 'edges');
      const batchRows = edgeBatchRows(context);
      const writer = await createRun(store, name, edgeSpec(slice), { batchRows, counters });
      const blocks = blocksOf(slice);
      return orAbort(writer, async () => {
        for (const side of [0, 1]) {
          const written = newProgress(context);
          for await (const batch of await exchange.receive(emitted, receivedBy(parts)[side], 1)) {
            const major = Math.floor(batch.major / units.perPart);
            const { length, minor, payload } = batch;
            await appendByBlock(writer, newBatch(major, length, minor, payload), blocks);
            written(partOf(slice, major));
          }
          written(parts.to);
        }
        const { crc, rows } = await writer.close();
        return { run: { name, crc, ...parts }, rows };
      });
    },

    release: () => exchange.close(),
  };
}

/**
 * The majors of the distribution: blocks or several of them. They are the same in all partitions, for any memory, because
 * partitions look for the majors that the others send.
 */
function unitsOf(slice: Pick<SliceIndex, 'size' | 'width'>): PartBlocks {
  let { shift } = blocksOf(slice);
  const isTooFine = () => 2 * slice.size > MOST_UNITS * 2 ** shift;
  while (2 ** shift < slice.width && isTooFine()) shift++;
  return { shift, perPart: Math.ceil(slice.width / 2 ** shift) };
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

/** Emits (unit and key of the successor | index of the predecessor). */
function edgeKernel(slice: Slice, units: PartBlocks) {
  const source = new Uint32Array(EXPAND_ROWS);
  return (batch: Batch, from: number, out: Rows): number => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const side = sideOfMajor(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajorBehind(slice, side);
    const done = slice.moves(side, part, batch.minor, from, batch.length, bias, emission);
    const predecessor = out.payload[0];
    const first = part * slice.width;
    for (let i = out.length; i < emission.length; i++) {
      predecessor[i] = first + batch.minor[source[i]];
      out.major[i] = out.major[i] * units.perPart + (out.minor[i] >>> units.shift);
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
