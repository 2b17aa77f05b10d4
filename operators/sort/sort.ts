/**
 * External merge sort.
 *
 * Input: unordered rows with any number of payload columns. Output: all of them ascending by (major, minor), equal keys in
 * the order they came, in batches of at most `budget.batchRows`.
 *
 * Algorithm: rows are collected and ordered in memory (sort/formation.ts). If they all fit, that is the result. Otherwise
 * every memory full becomes a run in scratch. Runs are merged, at most `budget.fanIn` at a time. The first merges take as
 * few neighbours as bring their number down to a power of the fan-in. So every later pass is a full one.
 *
 * Memory: at most `budget.memory`, in formation and in each merge (batches of spilled runs are sized for it), plus a
 * counter for each major. I/O: none if the rows fit; else each row is written and read ceil(log_fanIn(runs))
 * times. Degenerate cases: no rows (no batches); fewer bytes of memory than a handful of rows (works, slowly).
 *
 * Spilled runs are deleted as soon as they are merged, and when the consumer stops early or an error passes.
 *
 * A `reduce` that drops rows (distinct.ts) is applied to rows that are ordered in memory, before they are spilled, and to
 * every merge. So repeats in one memory full are never written (Bitton & DeWitt 1983).
 */

import { newArrays } from '../core/arrays.js';
import { orAbort } from '../core/or-abort.js';
import { openRun } from '../runs/reader.js';
import type { RunSpec } from '../runs/schema.js';
import type { Batch, Cursor, RowSource, Rows, RunRef } from '../runs/types.js';
import { createRun } from '../runs/writer.js';
import type { SortEnv } from './env.js';
import { Formation, formationRowBytes } from './formation.js';
import { merge } from './merge.js';

/**
 * Drops some of the ordered rows that have equal keys. Reducing parts and then their merged rows must give the same result as reducing
 * all rows at once.
 */
export type Reduce = (ordered: Cursor) => Cursor;

/** See the top of this file. `payload`: number of payload columns of the rows. */
export async function* sort(rows: RowSource, payload: number, env: SortEnv): Cursor {
  const sorter = new Sorter(payload, env);
  try {
    for await (const batch of rows) await sorter.add(batch);
    yield* sorter.drain();
  } finally {
    await sorter.dispose();
  }
}

/**
 * The same sort for a caller that makes rows while doing something else: rows are added, then drained. A class, as core/keep-shape.ts explains.
 */
export class Sorter {
  private readonly plan: MergePlan;
  private readonly spilled: RunRef[] = [];
  private readonly formation: Formation;

  constructor(
    private readonly payload: number,
    private readonly env: SortEnv,
    private readonly reduce?: Reduce,
  ) {
    this.plan = planMerge(env, payload, reduce);
    const free = env.budget.memory - this.plan.writeBytes;
    const limit = Math.max(16, Math.floor(free / formationRowBytes(payload)));
    this.formation = new Formation(limit, payload, env.arrays ?? newArrays());
  }

  /** Copies rows in. */
  async add(rows: Rows): Promise<void> {
    const { formation, env } = this;
    env.counters.rowsSorted += rows.length;
    for (let from = 0; from < rows.length; ) {
      if (formation.full) await this.spill();
      from = formation.add(rows, from);
    }
  }

  /** The rows added, in order. Called once, after the last `add`. */
  async *drain(): Cursor {
    const { formation, env, spilled, payload, plan } = this;
    if (spilled.length === 0) {
      yield* this.ordered(env.budget.batchRows);
      return;
    }
    if (formation.rows > 0) await this.spill();
    formation.release();
    yield* mergeRuns(spilled, payload, plan, env);
  }

  /** Frees the memory and the space in scratch. Called at the end, after a failure too. */
  async dispose(): Promise<void> {
    this.formation.release();
    for (const { name } of this.spilled.splice(0)) await this.env.scratch.store.delete(name);
  }

  /** The rows in memory. */
  private ordered(batchRows: number): Iterable<Batch> | Cursor {
    const ordered = this.formation.drain(batchRows);
    return this.reduce === undefined ? ordered : this.reduce(asCursor(ordered));
  }

  private async spill(): Promise<void> {
    const { env, formation, plan, payload, spilled } = this;
    env.counters.spills++;
    env.counters.rowsSpilled += formation.rows;
    await writeRun(this.ordered(plan.batchRows), payload, plan.batchRows, spilled, spilled.length, env);
  }
}

async function* asCursor(batches: Iterable<Batch>): Cursor {
  yield* batches;
}

interface MergePlan {
  readonly fanIn: number;
  readonly batchRows: number;
  /** Bytes that writing a run needs in addition to the rows. */
  readonly writeBytes: number;
  readonly reduce: Reduce;
}

const MIN_BATCH = 256;
const MAX_BATCH = 1 << 16;
/** A batch of an input takes part in a merge as read, and twice as sorted; a reader may hold two. */
const COPIES = 4;

/** Fan-in and batch size of spilled runs such that a merge fits the memory. */
function planMerge({ budget }: SortEnv, payload: number, reduce: Reduce = (ordered) => ordered): MergePlan {
  const rowBytes = 4 * (1 + payload);
  const most = Math.floor(budget.memory / (COPIES * rowBytes));
  const fanIn = Math.max(2, Math.min(budget.fanIn, Math.floor(most / MIN_BATCH) - 1));
  // One more than the fan-in: the run that an early merge pass writes.
  const batchRows = Math.max(1, Math.min(MAX_BATCH, Math.floor(most / (fanIn + 1))));
  return { fanIn, batchRows, writeBytes: Math.min(batchRows * rowBytes, budget.memory / 2), reduce };
}

/** Merges runs until they are few enough, then into the result. `runs` always lists those that exist. */
async function* mergeRuns(runs: RunRef[], payload: number, plan: MergePlan, env: SortEnv): Cursor {
  const { fanIn, batchRows, reduce } = plan;
  const budget = { batchRows };
  let target = 1;
  while (target * fanIn < runs.length) target *= fanIn;
  for (; target > 1; target /= fanIn) {
    for (let at = 0; runs.length > target; at++) {
      const count = Math.min(fanIn, runs.length - target + 1, runs.length - at);
      const inputs = runs.slice(at, at + count);
      const merged = reduce(merge(await open(inputs), { budget }));
      env.counters.mergePasses++;
      await writeRun(merged, payload, batchRows, runs, at, env);
      runs.splice(at + 1, count);
      for (const { name } of inputs) await env.scratch.store.delete(name);
    }
  }
  env.counters.mergePasses++;
  yield* reduce(merge(await open(runs), env));

  async function open(inputs: readonly RunRef[]): Promise<Cursor[]> {
    const { store } = env.scratch;
    const readers = await Promise.all(inputs.map((run) => openRun(store, run, env)));
    return readers.map((reader) => reader.cursor());
  }
}

/** Writes ordered batches as a run and inserts it in `runs` at `at`. Nothing is left if it fails. */
async function writeRun(
  batches: Iterable<Batch> | Cursor,
  payload: number,
  batchRows: number,
  runs: RunRef[],
  at: number,
  { scratch, counters }: SortEnv,
): Promise<void> {
  const name = scratch.name();
  const run = await createRun(scratch.store, name, spillSpec(payload), { batchRows, counters });
  await orAbort(run, async () => {
    for await (const batch of batches) {
      await run.append(batch.major, batch.length, batch.minor, batch.payload);
    }
    runs.splice(at, 0, await run.close());
  });
}

function spillSpec(payload: number): RunSpec {
  return {
    kind: 'spill',
    dense: false,
    columns: Array.from({ length: payload }, (_, c) => ({ name: `payload${c}`, type: 'u32' as const })),
    strict: false,
    meta: {},
  };
}
