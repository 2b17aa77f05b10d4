/**
 * Solves slices as one of several ranks, which share nothing but the store. Every rank runs this program with the same slices.
 * A large slice is cut into partitions, and all ranks solve it together (pipeline/engine/rank-crew.ts). Small slices are
 * dealt: a rank claims a whole one whose dependencies are solved, and solves it alone. Slices of several waves may so be at work
 * at once, as long as none needs another.
 *
 * Large slices are solved strictly in the order of the plan, so that all ranks meet in the same one.
 */

import { deleteAll } from '../../operators/storage/delete-all.js';
import { type FinishedTable, readFinished } from '../tables/verified.js';
import { claim, claimsOf } from './claims.js';
import type { CutSlice } from './cut.js';
import { solveOne } from './do-slice.js';
import { inlineEngine } from './engine.js';
import type { RankOptions } from './rank-options.js';
import type { SliceSummary } from './slice-summary.js';
import { solveTogether } from './solve-together.js';

/**
 * Returns when all slices are done, by any rank.
 * @returns a summary for each slice, in the order of `plan`. Times are known of slices in which this rank had a part.
 */
export async function solveAsRank(options: RankOptions, plan: readonly CutSlice[]): Promise<SliceSummary[]> {
  const { progress, waiting, rank } = options;
  /** Of the slices that are done. */
  const summaries = new Map<string, SliceSummary>();
  for (let times = 0; ; ) {
    const next = await choose(options, plan, summaries);
    if (next === null) {
      const first = plan.find(({ slice }) => !summaries.has(slice));
      if (first === undefined) break;
      await waiting.sayMissing(first.slice, times, async () => []);
      await waiting.pause(times++);
      continue;
    }
    times = 0;
    const { slice } = next;
    const number = plan.indexOf(next) + 1;
    progress({ type: 'slice', slice, number, of: plan.length, together: !isWhole(next) });
    summaries.set(slice, await (isWhole(next) ? solveWhole : solveTogether)(options, next));
    if (isWhole(next) || rank === 0) progress({ type: 'finished', slice });
  }
  if (rank === 0) {
    const { store, job } = options;
    await deleteAll(store, await store.list(`${claimsOf(job)}/`));
  }
  return plan.map(({ slice }) => summaries.get(slice)!);
}

function isWhole({ partitions }: CutSlice): boolean {
  return partitions === 1;
}

/** The slice that this rank is to solve now; null if there is none. Adds the slices that others have done. */
async function choose(
  options: RankOptions,
  plan: readonly CutSlice[],
  done: Map<string, SliceSummary>,
): Promise<CutSlice | null> {
  let together = true;
  for (const cut of plan) {
    if (done.has(cut.slice)) continue;
    const found = await readFinished(options, cut.slice);
    if (found !== null) {
      done.set(cut.slice, summaryOf(found));
      continue;
    }
    const isReady = cut.dependencies.every((slice) => done.has(slice));
    if (isWhole(cut)) {
      if (isReady && (await claim(options, cut.slice))) return cut;
    } else {
      if (together && isReady) return cut;
      together = false;
    }
  }
  return null;
}

function summaryOf({ table, verified }: FinishedTable): SliceSummary {
  return {
    slice: table.slice,
    table,
    found: true,
    mode: null,
    verified,
    wallMs: 0,
    cpuMs: 0,
    peakRss: null,
    phases: [],
  };
}

/** By this rank alone, which has claimed it. */
function solveWhole(options: RankOptions, { slice, memory }: CutSlice): Promise<SliceSummary> {
  const { game, store, scratch, attempt, budget } = options;
  const engine = inlineEngine(game, store, scratch, { attempt });
  return solveOne({
    ...options,
    slice,
    engine,
    budget: { ...budget, memory: Math.max(memory, budget.memory) },
  });
}
