/**
 * Enumerate: walks every index of the interval once and writes
 *   the labels with which the rounds begin (out-counts),
 *   the positions that are lost at ply 0 (mates), the first frontier,
 *   if conversions cannot be taken back, the keys of the positions that have any, for the convert phase.
 * Sequential writes only: scan(N).
 */
import { assert } from '../../operators/core/errors.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { CENSUS_ROWS, newCensus } from '../census.js';
import { eventNumber, flow, Kind } from '../events.js';
import { type Side, Status } from '../game.js';
import { DRAWN, MAX_COUNT, setBit } from '../labels.js';
import type { EventRun, LabelRuns, PartRun } from '../manifest.js';
import { type Context, runName } from './context.js';
import { commitPlanes, disposePlanes, type LabelPlanes, noLabelRuns, openPlanes } from './label-planes.js';

export interface Enumerated {
  labels: LabelRuns;
  mates: EventRun[];
  converting: PartRun[];
  legal: [number, number];
  lost: [number, number];
  drawn: [number, number];
}

export async function enumerate(context: Context): Promise<Enumerated> {
  const { slice, parts, store, budget, counters } = context;
  const options = { batchRows: budget.batchRows, counters };
  const event = { dense: false, columns: [], strict: true, meta: { slice: slice.name } };
  const mates = await createRun(store, runName(context, 'mates'), { ...event, kind: 'events' }, options);
  const keys = { ...event, kind: 'keys' };
  const converting =
    slice.unconversions === undefined
      ? await createRun(store, runName(context, 'converting'), keys, options)
      : null;
  const result: Enumerated = {
    labels: noLabelRuns(),
    mates: [],
    converting: [],
    legal: [0, 0],
    lost: [0, 0],
    drawn: [0, 0],
  };
  try {
    const planes = openPlanes(context, noLabelRuns(), budget.memory / 2);
    for (const side of [0, 1] as const) {
      await enumerateSide(context, side, planes, mates, converting, result);
    }
    result.labels = await commitPlanes(context, planes, 1);
    await disposePlanes(planes);
    const info = await mates.close();
    result.mates = [{ name: runName(context, 'mates'), ...parts, first: 0, last: 0, rows: info.rows }];
    if (converting !== null) {
      await converting.close();
      result.converting = [{ name: runName(context, 'converting'), ...parts }];
    }
    return result;
  } catch (error) {
    await mates.abort();
    await converting?.abort();
    throw error;
  }
}

async function enumerateSide(
  context: Context,
  side: Side,
  planes: LabelPlanes,
  mates: RunWriter,
  converting: RunWriter | null,
  result: Enumerated,
): Promise<void> {
  const { slice, parts, strategy } = context;
  const census = newCensus(CENSUS_ROWS);
  const lostKeys = new Uint32Array(CENSUS_ROWS);
  const convertingKeys = new Uint32Array(CENSUS_ROWS);
  const event = eventNumber(0, flow(Kind.loss, side)) * slice.parts;

  for (let part = parts.from; part < parts.to; part++) {
    const counts = await planes.counts[side].load(part);
    planes.counts[side].dirty();
    const unwon = await planes.unwon[side].load(part);
    planes.unwon[side].dirty();
    const size = slice.partSize(part);
    for (let first = 0; first < size; first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, size - first);
      slice.census(side, part, first, length, census);
      let lost = 0;
      let withConversions = 0;
      let legal = 0;
      let drawn = 0;
      for (let i = 0; i < length; i++) {
        const status = census.status[i]!;
        if (status === Status.broken) continue;
        legal++;
        setBit(unwon, first + i);
        if (status === Status.open) {
          const conversions = census.conversions[i]!;
          if (conversions > 0 && converting !== null) convertingKeys[withConversions++] = first + i;
          const count = conversions + (strategy === 'count' ? census.moves[i]! : 1);
          assert(count <= MAX_COUNT, `out-count ${count} fits a label`);
          counts[first + i] = count;
        } else if (status === Status.lost) lostKeys[lost++] = first + i;
        else {
          drawn++;
          counts[first + i] = DRAWN;
        }
      }
      if (lost > 0) await mates.append(event + part, lost, lostKeys, []);
      if (converting !== null && withConversions > 0) {
        await converting.append(side * slice.parts + part, withConversions, convertingKeys, []);
      }
      result.legal[side] += legal;
      result.lost[side] += lost;
      result.drawn[side] += drawn;
      context.report(length);
    }
  }
}
