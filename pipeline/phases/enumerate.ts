/**
 * Enumerate: walks every index of the interval once and writes
 *   the labels with which the rounds begin (out-counts),
 *   the positions that are lost at ply 0 (mates), the first frontier,
 *   the keys of the positions that have conversions, for the convert phase, if the game cannot take conversions back.
 * Sequential writes only: scan(N).
 */
import { assert } from '../../operators/core/errors.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { CENSUS_ROWS } from '../census.js';
import { flow, Kind } from '../events.js';
import type { Census, Side, Slice } from '../game.js';
import { bitBytes, DRAWN, hasBit, MAX_COUNT, setBit } from '../labels.js';
import { firstMajorOfEvent, majorOf } from '../majors.js';
import type { EventRun, LabelRuns, PartRun } from '../manifest.js';
import { type Context, runName } from './context.js';
import { noLabelRuns } from './label-planes.js';
import { createPlaneWriter } from './label-writer.js';

export interface Enumerated {
  labels: LabelRuns;
  mates: EventRun[];
  /** Nothing if the slice has `unconversions`. */
  converting: PartRun[];
  legal: [number, number];
  lost: [number, number];
  drawn: [number, number];
}

/** Runs of keys. */
interface KeyWriters {
  readonly mates: RunWriter;
  readonly converting: RunWriter | undefined;
}

export async function enumerate(context: Context<Slice>): Promise<Enumerated> {
  const { slice, parts, store, budget, counters } = context;
  assert(slice.maxMoves <= MAX_COUNT, `out-counts to ${slice.maxMoves} fit a label`);
  const result: Enumerated = {
    labels: noLabelRuns(),
    mates: [],
    converting: [],
    legal: [0, 0],
    lost: [0, 0],
    drawn: [0, 0],
  };
  const keyRun = (what: string, kind: string) =>
    createRun(
      store,
      runName(context, what),
      { kind, dense: false, columns: [], strict: true, meta: { slice: slice.name } },
      { batchRows: budget.batchRows, counters },
    );
  const mates = await keyRun('mates', 'events');
  const converting = slice.unconversions === undefined ? await keyRun('converting', 'keys') : undefined;
  try {
    for (const side of [0, 1] as const) await enumerateSide(context, side, { mates, converting }, result);
    const { name, crc, rows } = await mates.close();
    result.mates = [{ name, crc, ...parts, first: 0, last: 0, rows }];
    if (converting !== undefined) {
      const { name, crc } = await converting.close();
      result.converting = [{ name, crc, ...parts }];
    }
    return result;
  } catch (error) {
    await mates.abort();
    await converting?.abort();
    throw error;
  }
}

async function enumerateSide(
  context: Context<Slice>,
  side: Side,
  { mates, converting }: KeyWriters,
  result: Enumerated,
): Promise<void> {
  const { slice, parts, strategy } = context;
  const counting = strategy === 'count';
  const counts = new Uint8Array(slice.width);
  const unwon = new Uint8Array(bitBytes(slice.width));
  const conversions = counting && converting === undefined ? null : new Uint8Array(CENSUS_ROWS);
  const lostKeys = new Uint32Array(CENSUS_ROWS);
  const convertingKeys = new Uint32Array(CENSUS_ROWS);
  const event = firstMajorOfEvent(slice, 0, flow(Kind.loss, side));
  const countWriter = createPlaneWriter(context, 'counts', side, 1);
  const unwonWriter = createPlaneWriter(context, 'unwon', side, 1);

  try {
    for (let part = parts.from; part < parts.to; part++) {
      const size = slice.partSize(part);
      for (let first = 0; first < size; first += CENSUS_ROWS) {
        const length = Math.min(CENSUS_ROWS, size - first);
        const census: Census = {
          counts: counts.subarray(first),
          conversions,
          open: unwon.subarray(first >>> 3),
          lostKeys,
          lost: 0,
          legal: 0,
          drawn: 0,
        };
        slice.census(side, part, first, length, census);
        if (!counting) countSuccessorsOnce(census, length);
        markEnded(census, first, length);
        if (census.lost > 0) await mates.append(event + part, census.lost, lostKeys, []);
        if (converting !== undefined) {
          const n = selectConverting(conversions!, first, length, convertingKeys);
          if (n > 0) await converting.append(majorOf(slice, side, part), n, convertingKeys, []);
        }
        result.legal[side] += census.legal;
        result.lost[side] += census.lost;
        result.drawn[side] += census.drawn;
        context.report(length);
      }
      await countWriter.append(part, counts.subarray(0, size));
      await unwonWriter.append(part, unwon.subarray(0, bitBytes(size)));
    }
    result.labels.counts[side] = await countWriter.close();
    result.labels.unwon[side] = await unwonWriter.close();
  } catch (error) {
    await countWriter.abort();
    await unwonWriter.abort();
    throw error;
  }
}

/** Whoever moves to a position without moves has not lost by that: such positions are unwon like the open ones. */
function markEnded({ counts, open, lost, lostKeys, drawn }: Census, first: number, length: number): void {
  for (let i = 0; i < lost; i++) setBit(open, lostKeys[i]! - first);
  if (drawn > 0) for (let i = 0; i < length; i++) if (counts[i] === DRAWN) setBit(open, i);
}

/** The out-counts of the strategy `lookup`: one more than the conversions. */
function countSuccessorsOnce({ counts, conversions, open }: Census, length: number): void {
  for (let i = 0; i < length; i++) if (hasBit(open, i)) counts[i] = 1 + conversions![i]!;
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
