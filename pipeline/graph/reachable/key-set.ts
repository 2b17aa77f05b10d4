/** A set of keys as ordered rows: in memory while they are few, else in scratch. */
import { orAbort } from '../../../operators/core/or-abort.js';
import { openRun } from '../../../operators/runs/reader.js';
import type { RunSpec } from '../../../operators/runs/schema.js';
import { newSpool, type Spool } from '../../../operators/runs/spool.js';
import type { Cursor, RunRef } from '../../../operators/runs/types.js';
import { createRun } from '../../../operators/runs/writer.js';
import type { SortEnv } from '../../../operators/sort/env.js';

export interface KeySet extends Pick<Spool, 'rows' | 'cursor' | 'held' | 'dispose'> {
  /** Sees to it that the set outlasts the process, and returns its run. */
  keep(): Promise<RunRef>;
}

const spec: RunSpec = {
  kind: 'visited',
  dense: false,
  columns: [{ name: 'rest', type: 'u32' }],
  strict: false,
  meta: {},
};

/** A set of rows that ascend strictly; `memory`: the bytes that may stay in memory. Its batches are as `env.budget` says. */
export async function collectKeys(rows: Cursor, memory: number, env: SortEnv): Promise<KeySet> {
  const { scratch, counters, budget } = env;
  const { batchRows } = budget;
  const spool = newSpool({ payload: spec.columns, memory, scratch, batchRows, counters });
  try {
    for await (const { major, length, minor, payload } of rows)
      await spool.append(major, length, minor, payload);
    await spool.seal();
    return newSet(spool, env);
  } catch (error) {
    await spool.dispose();
    throw error;
  }
}

function newSet(spool: Spool, env: SortEnv): KeySet {
  let kept: RunRef | null = null;
  return {
    rows: spool.rows,
    cursor: (range) => spool.cursor(range),
    get held() {
      return spool.held;
    },
    async keep() {
      kept ??= spool.run ?? (await write(spool, env));
      return kept;
    },
    async dispose() {
      if (kept === null || kept !== spool.run) await spool.dispose();
    },
  };
}

async function write(spool: Spool, { scratch, counters, budget }: SortEnv): Promise<RunRef> {
  const { batchRows } = budget;
  const run = await createRun(scratch.store, scratch.name(), spec, { batchRows, counters });
  return orAbort(run, async () => {
    for await (const { major, length, minor, payload } of spool.cursor())
      await run.append(major, length, minor, payload);
    return run.close();
  });
}

/** A set that was kept: it stays where it is. */
export async function openKeys(kept: RunRef, { scratch, counters }: SortEnv): Promise<KeySet> {
  const run = await openRun(scratch.store, kept, { counters });
  return {
    rows: run.rows,
    held: 0,
    cursor: (range) => run.cursor(range),
    keep: async () => kept,
    dispose: async () => {},
  };
}
