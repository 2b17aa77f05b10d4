/**
 * Solves slices as one of several ranks, which share nothing but the store. Every rank runs this program with the same slices.
 * A large slice is cut into partitions, and all ranks solve it together (pipeline/engine/rank-crew.ts). The others are whole: a rank
 * claims one whose dependencies are solved, and solves it alone. Slices of several waves may so be at work at once, as long as none
 * needs another (pipeline/engine/schedule.ts).
 */

import { deleteAll } from '../../operators/storage/delete-all.js';
import { readFinished } from '../tables/verified.js';
import { claim, claimsOf } from './claims.js';
import type { CutSlice } from './cut.js';
import { solveOne } from './do-slice.js';
import { inlineEngine } from './engine.js';
import type { RankOptions } from './rank-options.js';
import { doAll, Schedule } from './schedule.js';
import type { SliceSummary } from './slice-summary.js';
import { solveTogether } from './solve-together.js';

/**
 * Returns when all slices are done, by any rank.
 * @returns a summary for each slice, in the order of `plan`. Times are known of slices in which this rank had a part.
 */
export async function solveAsRank(options: RankOptions, plan: readonly CutSlice[]): Promise<SliceSummary[]> {
  const { game, store, scratch, attempt, budget, progress, waiting, rank, job } = options;
  const isWhole = ({ partitions }: CutSlice) => partitions === 1;
  const engine = inlineEngine(game, store, scratch, { attempt });
  const shared = new Set(plan.filter((cut) => !isWhole(cut)).map(({ slice }) => slice));
  const results = await doAll(new Schedule(plan, 1, () => isWhole), {
    together: (cut) => solveTogether(options, cut),
    alone: ({ slice, memory }) =>
      solveOne({ ...options, slice, engine, budget: { ...budget, memory: Math.max(memory, budget.memory) } }),
    // A slice that all ranks solve is finished when the leading rank says so.
    progress: (event) => {
      if (event.type !== 'finished' || rank === 0 || !shared.has(event.slice)) progress(event);
    },
    ranks: {
      claim: ({ slice }) => claim(options, slice),
      find: ({ slice }) => findSolved(options, slice),
      async wait({ slice }, times) {
        await waiting.sayMissing(slice, times, async () => []);
        await waiting.pause(times);
      },
    },
  });
  if (rank === 0) await deleteAll(store, await store.list(`${claimsOf(job)}/`));
  return plan.map(({ slice }) => results.get(slice)!.done);
}

/** The summary of a slice that is done; null if it is not. */
async function findSolved(options: RankOptions, slice: string): Promise<SliceSummary | null> {
  const found = await readFinished(options, slice);
  const nothing = { mode: null, wallMs: 0, cpuMs: 0, peakRss: null, phases: [] };
  return found && { slice, ...found, found: true, ...nothing };
}
