/** Solves a slice under dtm50, in memory: best conversions, rounds (rounds.ts), then the table with its runs by clock. */
import { UserError } from '../../operators/core/errors.js';
import { zeroesAlways } from '../game/clocked.js';
import type { Slice } from '../game/game.js';
import type { ClockRuns, RoundDone } from '../game/manifest.js';
import type { ResidentPart } from '../game/step-manifests.js';
import { brokenCode, newValueColumn } from '../game/value.js';
import { countCodes, countsOf, newTableCounts } from '../tables/counted.js';
import { BROKEN_LADDER, codeAt, type Ladders, newLadders } from '../tables/ladders.js';
import { requirePlies, valueTypeFor, writeSides } from '../tables/writer.js';
import { raiseByConversions } from './clocked-conversions.js';
import { mostLadders, requestBytes } from './clocked-memory.js';
import { type ClockedRounds, openRounds } from './clocked-rounds.js';
import { writeClocks } from './clocked-write.js';
import type { Context } from './context.js';

/** A slice that is solved. */
export interface ClockedSolved extends ResidentPart {
  readonly clocks: ClockRuns;
}

/** All parts of the slice are the context's. @throws UserError if the slice does not fit the memory. */
export async function solveClocked(context: Context<Slice>): Promise<ClockedSolved> {
  const { slice, metric, tables, tableStore: store, budget, counters, report } = context;
  if (slice.unmoves === undefined)
    throw new UserError(`${slice.name} is not solved under ${metric}: its game takes no moves back`);
  const memory = requestBytes(slice, budget.memory);
  const conversions = [new Uint16Array(slice.size), new Uint16Array(slice.size)] as const;
  for (const side of [0, 1] as const) {
    await raiseByConversions({ slice, tables, store, memory, counters }, side, conversions[side]);
    report(slice.size);
  }
  const rounds = openRounds(slice, newLadders(mostLadders(budget.memory)), conversions, zeroesAlways(slice));
  const done = doRounds(context, rounds);
  report(slice.size);
  const sides = [rounds.sides[0].ladders, rounds.sides[1].ladders] as const;
  const values = await writeTable(context, rounds.ladders, sides, done.longest);
  const { prefix, attempt } = context;
  const env = { store, prefix, attempt, slice, batchRows: budget.batchRows, counters };
  const clocks = await writeClocks(env, rounds.ladders, sides);
  return { ...values, ...done, clocks };
}

function doRounds({ slice, metric }: Context<Slice>, rounds: ClockedRounds) {
  const done: RoundDone[] = [];
  let longest = 0;
  for (let ply = 1; ; ply++) {
    const { decided, rose, requests } = rounds.round(ply);
    const labelled = decided[0] + decided[1];
    const won = (ply & 1) === 1 ? labelled : 0;
    done.push({ ply, won, lost: labelled - won, requests });
    if (rose > 0) {
      requirePlies(slice.name, metric, ply);
      longest = ply;
    } else if (ply >= rounds.lastConversion) return { rounds: done, longest };
  }
}

/** The values at clock 0. */
async function writeTable(
  { tableStore: store, budget, ...context }: Context<Slice>,
  ladders: Ladders,
  sides: readonly [Uint32Array, Uint32Array],
  longest: number,
) {
  const { slice, metric } = context;
  const type = valueTypeFor(metric, longest);
  const counts = [newTableCounts(), newTableCounts()] as const;
  const parts = { from: 0, to: slice.parts };
  const env = { ...context, store, parts, batchRows: budget.batchRows };
  const written = await writeSides(env, type, async (writer, side) => {
    for (let part = 0; part < slice.parts; part++) {
      const size = slice.partSize(part);
      const codes = newValueColumn(type, size);
      for (let key = 0; key < size; key++) {
        const ladder = sides[side][part * slice.width + key];
        codes[key] = ladder === BROKEN_LADDER ? brokenCode(type) : codeAt(ladders, ladder, 0);
      }
      countCodes(counts[side], codes);
      await writer.append(part, codes);
    }
  });
  return { ...written, ...countsOf(counts, metric) };
}
