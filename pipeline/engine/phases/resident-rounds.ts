/**
 * Mode `memory`: one partition has all of a slice in memory, so a round is a call, and nothing is ordered, sent or spilled. The rounds
 * are led and the table is written here, for every game. What a round does to the labels is a kernel's: that of checkers in
 * WebAssembly (resident.ts), the turned edges of a graph (graph/solve-held.ts), or ladders by clock (clocked.ts).
 */

import type { ResidentRound, Side } from '../../game/game.js';
import type { RoundDone } from '../../game/manifest.js';
import type { ResidentPart } from '../../game/step-manifests.js';
import { stipulations } from '../../game/stipulation.js';
import type { ValueColumn } from '../../game/value.js';
import { countCodes, countsOf, newTableCounts } from '../../tables/counted.js';
import { requirePlies, valueTypeFor, writeSides } from '../../tables/writer.js';
import type { Context } from '../memory/context.js';
import { FrontierRule } from './frontier-rule.js';

export interface DoneRound extends ResidentRound {
  /** Whether any value changed; if positions became won or lost, unless given. */
  readonly hasChanged?: boolean;
}

export interface ResidentRounds {
  /** The numbers of the events that join rounds from outside (frontier-rule.ts), ascending. */
  readonly events: readonly number[];
  /** Does the round of a ply, which an event joins, or none. Plies ascend from 1 on. One is left out only if the round before it changed nothing. */
  round(ply: number, event: number | null): DoneRound;
  /** Called once when all rounds are done. Gives the memory for the values of a part: of so many positions, at most. */
  openColumn(type: 'i8' | 'i16', positions: number): ValueColumn;
  /** Writes the values of a part into the column, from its start on; `size` of them. */
  fill(column: ValueColumn, side: Side, part: number, size: number): void;
}

/** Does all rounds and writes the table. All parts of the slice are the context's. */
export async function doResidentRounds(context: Context, memory: ResidentRounds): Promise<ResidentPart> {
  const { slice, metric } = context;
  const rounds: RoundDone[] = [];
  let longest = 0;
  const rule = new FrontierRule(metric, memory.events);
  let wasIdle = false;
  for (let last = 0; !wasIdle || rule.isAwaited(last); ) {
    const { ply, event } = rule.next(last, wasIdle);
    last = ply;
    const { won, lost, requests, hasChanged = won + lost > 0 } = memory.round(ply, event);
    rounds.push({ ply, won, lost, requests });
    wasIdle = !hasChanged;
    if (wasIdle) continue;
    requirePlies(slice.name, metric, ply);
    longest = ply;
  }
  const solved = { ...(await writeTable(context, memory, longest)), rounds, longest };
  return stipulations[metric].scores ? { ...solved, turned: rule.turned } : solved;
}

async function writeTable(context: Context, memory: ResidentRounds, longest: number) {
  const { slice, parts, metric, tableStore, budget, report } = context;
  const type = valueTypeFor(metric, longest);
  const column = memory.openColumn(type, slice.width);
  const counts = [newTableCounts(), newTableCounts()] as const;
  const env = { ...context, store: tableStore, batchRows: budget.batchRows };
  const written = await writeSides(env, type, async (writer, side) => {
    for (let part = parts.from; part < parts.to; part++) {
      const size = slice.partSize(part);
      const codes = column.subarray(0, size);
      memory.fill(codes, side, part, size);
      countCodes(counts[side], slice, part, 0, codes);
      await writer.append(part, codes);
      report(size);
    }
  });
  const counted = countsOf(counts, metric);
  // Plies of scores go on from end to end: they are nothing that a player waits for.
  return stipulations[metric].scores
    ? { ...written, ...counted, longestWin: [null, null] as [null, null] }
    : { ...written, ...counted };
}
