/**
 * Convert: turns the moves that leave the slice into events, by the finished tables. An event is "the position is won at ply
 * n", or "one move of the position is known lost, at ply n". Draws are no events: they only keep a position from being lost,
 * which an out-count that never reaches zero does too.
 * Slices that can take conversions back do so from the decided positions of the tables (unconvert.ts). For the others
 * the best conversion of each position is found, in a column of a stretch of positions (best-moves.ts), and events are read off it:
 *   requests (successor | asker) → looked up in the tables, part by part → best conversions → events (event, asker), sorted.
 * All conversions of a position count as one move (enumerate.ts): a win is as long as the shortest, a loss as the longest of them, and
 * if the best of them draws, the move never is lost.
 *
 * Memory: two bytes a position of the stretch and of at least one part of a dependency; the rest is for requests. I/O: reads the
 * parts that conversions lead to once for each stretch that they come from.
 */

import { newArrays } from '../../operators/core/arrays.js';
import { createPool } from '../../operators/distribute/pool.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import { sort } from '../../operators/sort/sort.js';
import { eventNumber, flow, Kind } from '../game/events.js';
import type { Side, Slice } from '../game/game.js';
import { majorOf } from '../game/majors.js';
import type { Converted } from '../game/manifest.js';
import { fromPreference, preference } from '../game/value.js';
import { KeyBest } from './best-moves.js';
import { type Context, EXPAND_ROWS } from './context.js';
import { writeEvents } from './event-runs.js';
import { memoryOf, STRETCH_UNIT } from './memory.js';
import { rowsOf } from './rows.js';
import { conversionRanks, ranksOfCodes, tableRanks, writeRanks } from './successor-ranks.js';
import { unconvert } from './unconvert.js';

export type { Converted };

export async function convert(context: Context<Slice>): Promise<Converted> {
  const { slice, strategy, parts } = context;
  const rows = rowsOf(slice, strategy);
  const made = { requests: 0 };
  const { runs, events } =
    slice.unconversions === undefined
      ? await writeEvents(context, rows, parts, bestConversions(context, made))
      : await writeEvents(context, rows, { from: 0, to: slice.parts }, unconvert(context, rows));
  return { events: runs, requests: made.requests, answers: events };
}

/** The events of this context's parts: one of each position whose best conversion wins or loses. */
async function* bestConversions(context: Context<Slice>, made: { requests: number }): Cursor {
  const { slice, budget, counters, scratch } = context;
  if (slice.dependencies.length === 0) return;
  const memory = memoryOf('convert', budget);
  const best = new KeyBest(context, ranksThere(context), memory.successors.memory, 'conversions');
  const pool = createPool(memory.requests.memory, { shared: false });
  const room = memory['best conversions'].memory / Uint16Array.BYTES_PER_ELEMENT;
  async function* events(): RowSource {
    const column = new Uint16Array(columnLength(context, room));
    const out = newRows(EXPAND_ROWS, 0);
    for (const { side, from, length } of stretchesOf(context, column.length)) {
      const ranks = column.subarray(0, length);
      ranks.fill(0);
      const before = best.made;
      await best.raise(side, from, ranks, pool);
      context.report(best.made - before);
      for (let at = 0; at < length; ) {
        at = readEvents(slice, side, ranks, from, at, out);
        if (out.length > 0) yield out;
      }
    }
    made.requests = best.made;
  }
  const env = { budget: memory.order, scratch, counters, arrays: newArrays() };
  yield* sort(events(), 0, env);
}

function ranksThere({ slice, metric, tables }: Context<Slice>) {
  const ranks = tables.map(({ manifest: { valueType } }, dependency) => {
    const restarts = slice.dependencies[dependency].restarts.includes(metric);
    return ranksOfCodes(valueType, metric, restarts, preference);
  });
  const source = tableRanks<Uint16Array>(tables, (codes, dependency, _scale, to) =>
    writeRanks(codes, ranks[dependency], to),
  );
  return conversionRanks(slice, source);
}

/** Positions of a column: of whole parts, or of a piece of a part that is wider than there is room for. */
function columnLength({ slice: { width }, parts }: Context, room: number): number {
  if (width > room) return Math.max(1, Math.floor(room / STRETCH_UNIT)) * STRETCH_UNIT;
  return width * Math.min(parts.to - parts.from, Math.floor(room / width));
}

/** Stretches of the indices of each side, in this context's parts. */
function* stretchesOf({ slice: { width, size }, parts }: Context, most: number) {
  const together = Math.max(1, Math.floor(most / width));
  for (const side of [0, 1] as const) {
    for (let part = parts.from; part < parts.to; part += together) {
      const end = Math.min(size, width * Math.min(part + together, parts.to));
      for (let from = part * width; from < end; from += most)
        yield { side, from, length: Math.min(most, end - from) };
    }
  }
}

/** Reads events off a column from number `at` on, as many as `out` has room for. Returns the number to go on from. */
function readEvents(
  slice: Slice,
  side: Side,
  ranks: Uint16Array,
  start: number,
  at: number,
  out: Rows,
): number {
  const { width } = slice;
  const { major, minor } = out;
  let number = at;
  let length = 0;
  for (; number < ranks.length && length < minor.length; number++) {
    const code = fromPreference(ranks[number]);
    if (code === 0) continue;
    const event =
      code > 0 ? eventNumber(code, flow(Kind.win, side)) : eventNumber(-code - 1, flow(Kind.loss, side));
    const part = Math.floor((start + number) / width);
    major[length] = majorOf(slice, event, part);
    minor[length++] = start + number - part * width;
  }
  out.length = length;
  return number;
}
