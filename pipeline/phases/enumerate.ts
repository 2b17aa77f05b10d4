/**
 * Enumerate: walks every index of the interval once and writes
 *   the labels with which the rounds begin (out-counts),
 *   the positions that are lost at ply 0 (mates), the first frontier,
 *   the keys of the positions that have conversions, for the convert phase.
 * Sequential writes only: scan(N).
 */
import { assert } from '../../operators/core/errors.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { eventNumber, flow, Kind } from '../events.js';
import { type Census, type Side, Status } from '../game.js';
import { Label } from '../labels.js';
import type { EventRun, PartRun } from '../manifest.js';
import { type Context, runName } from './context.js';
import { openSideLabels } from './side-labels.js';

/** Indices classified in one call of the kernel. */
const CENSUS_ROWS = 1 << 14;

export interface Enumerated {
  labels: [PartRun[], PartRun[]];
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
  const converting = await createRun(
    store,
    runName(context, 'converting'),
    { ...event, kind: 'keys' },
    options,
  );
  const result: Enumerated = {
    labels: [[], []],
    mates: [],
    converting: [],
    legal: [0, 0],
    lost: [0, 0],
    drawn: [0, 0],
  };
  try {
    for (const side of [0, 1] as const) {
      result.labels[side] = await enumerateSide(context, side, mates, converting, result);
    }
    const info = await mates.close();
    await converting.close();
    result.mates = [{ name: runName(context, 'mates'), ...parts, first: 0, last: 0, rows: info.rows }];
    result.converting = [{ name: runName(context, 'converting'), ...parts }];
    return result;
  } catch (error) {
    await mates.abort();
    await converting.abort();
    throw error;
  }
}

async function enumerateSide(
  context: Context,
  side: Side,
  mates: RunWriter,
  converting: RunWriter,
  result: Enumerated,
): Promise<PartRun[]> {
  const { slice, parts, strategy } = context;
  const labels = openSideLabels(context, [], context.budget.memory / 2);
  const census: Census = {
    status: new Uint8Array(CENSUS_ROWS),
    moves: new Uint8Array(CENSUS_ROWS),
    conversions: new Uint8Array(CENSUS_ROWS),
  };
  const lostKeys = new Uint32Array(CENSUS_ROWS);
  const convertingKeys = new Uint32Array(CENSUS_ROWS);
  const event = eventNumber(0, flow(Kind.loss, side)) * slice.parts;

  for (let part = parts.from; part < parts.to; part++) {
    const bytes = await labels.load(part);
    labels.dirty();
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
        if (status === Status.open) {
          const conversions = census.conversions[i]!;
          if (conversions > 0) convertingKeys[withConversions++] = first + i;
          const count = conversions + (strategy === 'count' ? census.moves[i]! : 1);
          assert(count <= Label.maxOpen, `out-count ${count} fits a label`);
          bytes[first + i] = count;
        } else if (status === Status.lost) lostKeys[lost++] = first + i;
        else {
          drawn++;
          bytes[first + i] = Label.drawn;
        }
      }
      if (lost > 0) await mates.append(event + part, lost, lostKeys, []);
      if (withConversions > 0) {
        await converting.append(side * slice.parts + part, withConversions, convertingKeys, []);
      }
      result.legal[side] += legal;
      result.lost[side] += lost;
      result.drawn[side] += drawn;
      context.report(length);
    }
  }
  const runs = await labels.commit(context.store, (i) => runName(context, `labels-0-${side}-${i}`));
  await labels.dispose();
  return runs;
}
