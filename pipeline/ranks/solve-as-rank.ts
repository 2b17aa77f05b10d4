/**
 * Solves slices as one of several ranks, which share nothing but the store. Every rank runs this program with the same slices.
 * A large slice is cut into partitions, and all ranks solve it together (pipeline/partition/rank-crew.ts). Small slices are
 * dealt: a rank claims a whole one whose dependencies are solved, and solves it alone. Slices of several waves may so be at work
 * at once, as long as none needs another.
 *
 * Large slices are solved strictly in the order of the plan, so that all ranks meet in the same one.
 */

import { deleteAll } from '../../operators/storage/delete-all.js';
import { readManifest, TableManifest } from '../formats/manifest.js';
import type { CutSlice } from '../solve/cut.js';
import type { SliceSummary } from '../solve/slice-summary.js';
import { solveOne } from '../solve/solve-one.js';
import { inlineEngine } from '../solvers/external/engine.js';
import { tableManifestName } from '../table/table-names.js';
import { readVerified } from '../table/verified.js';
import { claim, claimsOf } from './claims.js';
import type { RankOptions } from './rank-options.js';
import { solveTogether } from './solve-together.js';

/**
 * Returns when all slices are done, by any rank.
 * @returns a summary for each slice, in the order of `plan`. Times are known of slices in which this rank had a part.
 */
export async function solveAsRank(options: RankOptions, plan: readonly CutSlice[]): Promise<SliceSummary[]> {
  const { progress, waiting, rank } = options;
  const summaries = new Map<string, SliceSummary>();
  const done = new Map<string, TableManifest>();
  for (let times = 0; summaries.size < plan.length; ) {
    const next = await choose(options, plan, done);
    for (const { slice } of plan) {
      const table = done.get(slice);
      if (table !== undefined && !summaries.has(slice))
        summaries.set(slice, await foundBefore(options, table));
    }
    if (next === null) {
      if (summaries.size === plan.length) break;
      const first = plan.find(({ slice }) => !done.has(slice))!;
      await waiting.sayMissing(first.slice, times, async () => []);
      await waiting.pause(times++);
      continue;
    }
    times = 0;
    const { slice } = next;
    const number = plan.indexOf(next) + 1;
    progress({ type: 'slice', slice, number, of: plan.length, together: !isWhole(next) });
    const summary = await (isWhole(next) ? solveWhole(options, next) : solveTogether(options, next));
    summaries.set(slice, summary);
    done.set(slice, summary.table);
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

/** The slice that this rank is to solve now; null if there is none. Adds to `done` the slices that are. */
async function choose(
  options: RankOptions,
  plan: readonly CutSlice[],
  done: Map<string, TableManifest>,
): Promise<CutSlice | null> {
  let together = true;
  for (const cut of plan) {
    if (done.has(cut.slice)) continue;
    const table = await tableOf(options, cut.slice);
    if (table !== null) {
      done.set(cut.slice, table);
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

/** The table of a slice that is done: verified, too, if that is wanted. */
async function tableOf(
  { game, metric, store, verify }: RankOptions,
  slice: string,
): Promise<TableManifest | null> {
  const table = await readManifest(store, tableManifestName(game.name, metric, slice), TableManifest);
  if (table === null || !verify) return table;
  return (await readVerified(store, table)) === null ? null : table;
}

async function foundBefore({ store, verify }: RankOptions, table: TableManifest): Promise<SliceSummary> {
  const verified = verify ? ((await readVerified(store, table))?.positions ?? null) : null;
  const nothing = { wallMs: 0, cpuMs: 0, peakRss: null, phases: [] };
  return { slice: table.slice, table, found: true, verified, ...nothing };
}

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
