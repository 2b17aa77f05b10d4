/**
 * Enumerate: walks every index of the interval once. It writes
 * - the labels with which the rounds begin (out-counts),
 * - the positions at the goal: those that are lost at ply 0 (mates), the first frontier,
 * - the keys of the positions that have conversions, for the convert phase, if the game cannot take conversions back.
 *
 * Sequential writes only: scan(N).
 */
import { assert } from '../../../operators/core/errors.js';
import { orAbort } from '../../../operators/core/or-abort.js';
import { createRun, type RunWriter } from '../../../operators/runs/writer.js';
import { flow, Kind } from '../../game/events.js';
import { CENSUS_ROWS, piecesOf, type Stretch } from '../../game/fill-census.js';
import type { Census, RowKernels, Slice } from '../../game/game.js';
import { isGoal } from '../../game/labelling.js';
import { bitBytes, DRAWN, hasBit, MAX_COUNT, setBit } from '../../game/labels.js';
import { firstMajorOfEvent, majorOf } from '../../game/majors.js';
import type { Enumerated } from '../../game/manifest.js';
import { eachRepeat, repeatsAmong } from '../../game/repeats.js';
import { SIDES } from '../../game/side.js';
import type { WorkRun } from '../../game/slice-objects.js';
import { type Context, runName } from '../memory/context.js';
import { isEmpty, noLabelRuns, PlaneWriter, planeBytes } from '../memory/label-planes.js';
import { memoryOf } from '../memory/phase-memory.js';
import { rowsOf } from '../memory/rows.js';
import { countSuccessorsOnce } from './lookup.js';

export type { Enumerated };

/** Where the positions found in a stretch are put. */
export interface FoundPositions {
  /**
   * The labels of the stretch (pipeline/game/labels.ts): a byte for each count, or several planes of bytes. They still hold those of the last
   * stretch.
   */
  readonly counts: Uint8Array;
  readonly unwon: Uint8Array;
  /** Adds keys[0..length), which are at the goal; ascending, in this call and from call to call. */
  lost(keys: Uint32Array, length: number): Promise<void>;
}

/**
 * Writes what `classify` finds in each of the context's parts, with each side to move. It adds to `legal` and `drawn` of the
 * result itself. `rows`: those that the rounds will label. `most`: positions of a stretch, a multiple of 64.
 */
export async function enumerateParts(
  context: Context,
  rows: RowKernels,
  most: number,
  classify: (stretch: Stretch, found: FoundPositions, result: Enumerated) => Promise<void>,
): Promise<Enumerated> {
  const { slice, parts } = context;
  const labels = noLabelRuns(rows.countPlanes);
  const result: Enumerated = {
    labels,
    mates: [],
    converting: [],
    legal: [0, 0],
    lost: [0, 0],
    drawn: [0, 0],
  };
  const bytesOf = (positions: number) =>
    SIDES.map((side) => planeBytes('counts', positions, side, rows.countPlanes));
  const room = Math.min(most, slice.width);
  const packed = new Uint8Array(Math.max(...bytesOf(room)));
  const counts = new Uint8Array(Math.max(room, packed.length));
  const unwon = new Uint8Array(bitBytes(room));
  const mates = await keyRun(context, 'mates', 'events');
  const open: { abort(): Promise<void> }[] = [mates];
  try {
    for (const side of SIDES) {
      const countWriter = new PlaneWriter(context, 'counts', side);
      const unwonWriter = new PlaneWriter(context, 'unwon', side);
      open.push(countWriter, unwonWriter);
      const event = firstMajorOfEvent(slice, 0, flow(Kind.loss, side));
      for (let part = parts.from; part < parts.to; part++) {
        const lost = async (keys: Uint32Array, length: number) => {
          if (length > 0) await mates.append(event + part, length, keys, []);
          result.lost[side] += length - repeatsAmong(slice, part, keys, length);
        };
        for (const { first, length } of piecesOf(slice, part, most)) {
          await classify({ side, part, first, length }, { counts, unwon, lost }, result);
          const planes = packed.subarray(0, bytesOf(length)[side]);
          if (!isEmpty('counts', side, rows)) {
            rows.packCounts(side, counts.subarray(0, Math.max(length, planes.length)), planes);
            await countWriter.append(part, planes);
          }
          await unwonWriter.append(part, unwon.subarray(0, bitBytes(length)));
        }
      }
      labels.counts[side] = await countWriter.close();
      labels.unwon[side] = await unwonWriter.close();
    }
    const run = await mates.close();
    result.mates = [{ name: run.name, crc: run.crc, ...parts, first: 0, last: 0, rows: run.rows }];
    return result;
  } catch (error) {
    for (const writer of open) await writer.abort();
    throw error;
  }
}

function keyRun(context: Context, what: WorkRun, kind: string): Promise<RunWriter> {
  const { slice, store, budget, counters } = context;
  return createRun(
    store,
    runName(context, what),
    { kind, dense: false, columns: [], strict: true, meta: { slice: slice.name } },
    { batchRows: budget.batchRows, counters },
  );
}

/** By the census of the slice. */
export async function enumerate(context: Context<Slice>): Promise<Enumerated> {
  const { slice, parts, strategy } = context;
  const { maxMoves, mostLegalMoves = maxMoves } = slice;
  assert(mostLegalMoves <= MAX_COUNT, `out-counts to ${mostLegalMoves} fit a label`);
  const rows = rowsOf(slice, strategy, context.metric);
  const most = stretchOf(context, rows);
  if (slice.unconversions !== undefined)
    return enumerateParts(context, rows, most, takeCensus(context, null));
  const converting = await keyRun(context, 'converting', 'keys');
  return orAbort(converting, async () => {
    const result = await enumerateParts(context, rows, most, takeCensus(context, converting));
    const { name, crc } = await converting.close();
    return { ...result, converting: [{ name, crc, ...parts }] };
  });
}

/** More positions at a time gain nothing. */
const MOST_STRETCH = 1 << 18;

/** How many positions are classified before their labels are written: whole pieces of the census. */
function stretchOf({ budget }: Context, { countPlanes }: RowKernels): number {
  // For each position a byte of its count, a bit in each plane, and the bit `unwon`.
  const bytes = 1 + Math.max(...countPlanes) / 8 + 1 / 8;
  const pieces = Math.floor(memoryOf('enumerate', budget).census.memory / bytes / CENSUS_ROWS);
  return Math.min(MOST_STRETCH, Math.max(1, pieces) * CENSUS_ROWS);
}

/** @param converting gets the keys of positions that have conversions. */
function takeCensus({ slice, strategy, metric, report }: Context<Slice>, converting: RunWriter | null) {
  const counting = strategy === 'count';
  const conversions = counting && converting === null ? null : new Uint8Array(CENSUS_ROWS);
  const lostKeys = new Uint32Array(CENSUS_ROWS);
  const convertingKeys = new Uint32Array(CENSUS_ROWS);
  return async (stretch: Stretch, found: FoundPositions, result: Enumerated): Promise<void> => {
    const { side, part } = stretch;
    const end = stretch.first + stretch.length;
    for (let first = stretch.first; first < end; first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, end - first);
      const at = first - stretch.first;
      const census: Census = {
        counts: found.counts.subarray(at),
        conversions,
        open: found.unwon.subarray(at >>> 3),
        lostKeys,
        lost: 0,
        legal: 0,
        drawn: 0,
      };
      slice.census(side, part, first, length, census);
      if (!counting) countSuccessorsOnce(census, length);
      markEnded(census, first, length);
      if (isGoal(metric, side, true)) await found.lost(lostKeys, census.lost);
      else if (isGoal(metric, side, false))
        await found.lost(lostKeys, listDrawn(census, first, length, lostKeys));
      if (converting !== null) {
        const n = selectConverting(conversions!, first, length, convertingKeys);
        if (n > 0) await converting.append(majorOf(slice, side, part), n, convertingKeys, []);
      }
      result.legal[side] += census.legal;
      result.drawn[side] += census.drawn;
      eachRepeat(slice, part, first, length, (i) => {
        if (!hasBit(census.open, i)) return;
        result.legal[side]--;
        if (census.counts[i] === DRAWN) result.drawn[side]--;
      });
      report(length);
    }
  };
}

/** A move to a position without moves does not lose by itself: such positions are unwon like the open ones. */
function markEnded({ counts, open, lost, lostKeys, drawn }: Census, first: number, length: number): void {
  for (let i = 0; i < lost; i++) setBit(open, lostKeys[i] - first);
  const here = counts.subarray(0, length);
  for (let at = -1, n = 0; n < drawn; n++) {
    at = here.indexOf(DRAWN, at + 1);
    setBit(open, at);
  }
}

/** Puts the keys of positions that are stalemate in `out`, and returns how many. */
function listDrawn({ counts, drawn }: Census, first: number, length: number, out: Uint32Array): number {
  const here = counts.subarray(0, length);
  for (let at = -1, n = 0; n < drawn; n++) {
    at = here.indexOf(DRAWN, at + 1);
    out[n] = first + at;
  }
  return drawn;
}

/** Puts the keys of positions that have conversions in `out`, and returns how many. */
function selectConverting(conversions: Uint8Array, first: number, length: number, out: Uint32Array): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    out[n] = first + i;
    n += conversions[i] === 0 ? 0 : 1;
  }
  return n;
}
