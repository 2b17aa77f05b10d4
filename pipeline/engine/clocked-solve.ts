/** Solves a slice under dtm50, in memory: best conversions, rounds (rounds.ts), then the table with its runs by clock. */
import { UserError } from '../../operators/core/errors.js';
import { zeroesAlways } from '../game/clocked.js';
import type { Slice } from '../game/game.js';
import type { ClockRuns } from '../game/manifest.js';
import type { ResidentPart } from '../game/step-manifests.js';
import { brokenIn, newValueColumn } from '../game/value.js';
import { BROKEN_LADDER, codeAt, newLadders } from '../tables/ladders.js';
import { raiseByConversions } from './clocked-conversions.js';
import { mostLadders, requestBytes } from './clocked-memory.js';
import { type ClockedRounds, openRounds } from './clocked-rounds.js';
import { writeClocks } from './clocked-write.js';
import type { Context } from './context.js';
import { type MemoryRounds, solveByMemory } from './memory-rounds.js';

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
  const sides = [rounds.sides[0].ladders, rounds.sides[1].ladders] as const;
  const solved = await solveByMemory(context, memoryRoundsOf(slice, rounds));
  const { prefix, attempt } = context;
  const env = { store, prefix, attempt, slice, batchRows: budget.batchRows, counters };
  return { ...solved, clocks: await writeClocks(env, rounds.ladders, sides) };
}

/** The values of the table are those at clock 0. */
function memoryRoundsOf(
  { width }: Slice,
  { ladders, sides, lastConversion, round }: ClockedRounds,
): MemoryRounds {
  return {
    round(ply) {
      const { decided, rose, requests } = round(ply);
      const labelled = decided[0] + decided[1];
      const won = (ply & 1) === 1 ? labelled : 0;
      return { won, lost: labelled - won, requests, hasChanged: rose > 0 };
    },
    isAwaited: (ply) => ply < lastConversion,
    openColumn: newValueColumn,
    fill(column, side, part, size) {
      const broken = brokenIn(column);
      const own = sides[side].ladders;
      for (let key = 0; key < size; key++) {
        const ladder = own[part * width + key];
        column[key] = ladder === BROKEN_LADDER ? broken : codeAt(ladders, ladder, 0);
      }
    },
  };
}
