/** The frontiers of a partition from round to round: that of the last round, and that which a round makes. */
import { newArrays } from '../../operators/core/arrays.js';
import type { Budget } from '../../operators/core/budget.js';
import type { Spool } from '../../operators/runs/spool.js';
import { eventNumber } from '../game/events.js';
import { majorOf } from '../game/majors.js';
import type { EventRun } from '../game/manifest.js';
import type { Context } from './context.js';
import { openEventRuns } from './event-runs.js';
import { type FrontierColumns, loadFrontier, newFrontier, openFrontierRun } from './frontier.js';
import type { LabelListener } from './label-flow.js';

export interface Frontiers {
  /** The positions that the last round labelled. */
  current(): Spool;
  /** An empty frontier of the same columns, for the caller to dispose. */
  empty(): Spool;
  /** Adds what a round labels to the next frontier, and to the events since the last commit. */
  recorder(flowNumber: number, ply: number): LabelListener;
  /** The recorded positions become the current frontier. */
  advance(): Promise<void>;
  /** Writes the events since the last commit durably. */
  commit(nextPly: number): Promise<EventRun[]>;
  close(): Promise<void>;
}

/** Opens the frontiers before round `nextPly`. `events` hold all that was labelled before it. */
export async function openFrontiers(
  context: Context,
  { events, nextPly }: { readonly events: readonly EventRun[]; readonly nextPly: number },
  budget: Budget,
  columns: FrontierColumns,
): Promise<Frontiers> {
  const { slice, parts } = context;
  const pieces = newArrays();
  const empty = () => newFrontier(context, budget, columns, pieces);
  let current = empty();
  let next = empty();
  const last = events.filter(({ last }) => last === nextPly - 1);
  await loadFrontier(await openEventRuns(context, last), nextPly - 1, context, current, columns);
  let output = await openFrontierRun(context, nextPly, columns);
  let outputFrom = nextPly;

  return {
    current: () => current,
    empty,

    recorder: (flowNumber, ply) => async (part, length, minor, payload) => {
      await next.append(majorOf(slice, flowNumber, part), length, minor, payload);
      await output.append(majorOf(slice, eventNumber(ply, flowNumber), part), length, minor, payload);
    },

    async advance() {
      await next.seal();
      await current.dispose();
      current = next;
      next = empty();
    },

    async commit(ply) {
      const { name, crc, rows } = await output.close();
      const run = { name, crc, ...parts, first: outputFrom, last: ply - 1, rows };
      output = await openFrontierRun(context, ply, columns);
      outputFrom = ply;
      return [run];
    },

    async close() {
      await output.abort();
      await current.dispose();
      await next.dispose();
    },
  };
}
