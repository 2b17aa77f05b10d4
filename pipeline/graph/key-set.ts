/** A set of keys as ordered rows: in memory while they are few, else in scratch. */
import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import { Spool } from '../../operators/runs/spool.js';
import type { Cursor, RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { keyColumns } from './spread.js';

/** A class, as core/keep-shape.ts explains. */
export class KeySet {
  readonly rows: number;
  /** Bytes of rows that are in memory. */
  readonly held: number;
  private readonly source: Spool | RunReader;
  private kept: RunRef | null;

  /** @param kept the run of a set that was kept, whose rows are read by `source`: it stays where it is. */
  constructor(
    source: Spool | RunReader,
    private readonly upper: number,
    private readonly env: SortEnv,
    kept: RunRef | null = null,
  ) {
    this.rows = source.rows;
    this.held = source instanceof Spool ? source.held : 0;
    this.source = source;
    this.kept = kept;
  }

  cursor(range?: Interval): Cursor {
    return this.source.cursor(range);
  }

  /** Sees to it that the set outlasts the process, and returns its run. */
  async keep(): Promise<RunRef> {
    const { source, upper, env } = this;
    if (this.kept !== null) return this.kept;
    assert(source instanceof Spool, 'a set that is not kept is in a spool');
    this.kept = source.run ?? (await write(source, upper, env));
    return this.kept;
  }

  async dispose(): Promise<void> {
    const { source, kept } = this;
    if (source instanceof Spool && (kept === null || kept !== source.run)) await source.dispose();
  }
}

/** @param upper upper words of keys. */
function specOf(upper: number): RunSpec {
  const columns = keyColumns(upper).map((name) => ({ name, type: 'u32' as const }));
  return { kind: 'visited', dense: false, columns, strict: false, meta: {} };
}

/** What a set is collected by. */
export interface KeySetOptions {
  /** Upper words of keys. */
  readonly upper: number;
  /** The bytes that may stay in memory. */
  readonly memory: number;
}

/** A set of rows that ascend strictly. The size of its batches is that of `env.budget`. */
export async function collectKeys(
  rows: Cursor,
  { upper, memory }: KeySetOptions,
  env: SortEnv,
): Promise<KeySet> {
  const { scratch, counters, budget } = env;
  const { batchRows } = budget;
  const { columns } = specOf(upper);
  const spool = new Spool({ payload: columns, memory, scratch, batchRows, counters });
  try {
    for await (const { major, length, minor, payload } of rows)
      await spool.append(major, length, minor, payload);
    await spool.seal();
    return new KeySet(spool, upper, env);
  } catch (error) {
    await spool.dispose();
    throw error;
  }
}

async function write(spool: Spool, upper: number, { scratch, counters, budget }: SortEnv): Promise<RunRef> {
  const { batchRows } = budget;
  const run = await createRun(scratch.store, scratch.name(), specOf(upper), { batchRows, counters });
  return orAbort(run, async () => {
    for await (const { major, length, minor, payload } of spool.cursor())
      await run.append(major, length, minor, payload);
    return run.close();
  });
}

/** A set that was kept. */
export async function openKeys(kept: RunRef, upper: number, env: SortEnv): Promise<KeySet> {
  const { scratch, counters } = env;
  return new KeySet(await openRun(scratch.store, kept, { counters }), upper, env, kept);
}
