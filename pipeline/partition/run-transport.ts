/**
 * Carries rows as runs in the store: a parcel is one run, ordered by (major, minor), and a receiver reads the segments of its
 * majors out of the run of every sender. Rows that stay with their sender never leave its memory and scratch, so two
 * partitions write half of all rows, and one alone writes none.
 *
 * sort(S) for S rows that leave. A run lies in the store until the labels that its rows led to are committed: whoever
 * takes a lost partition over receives it again.
 */
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import type { Segments } from '../../operators/distribute/segments.js';
import { distribute, releaseSegments } from '../../operators/distribute.js';
import { gather, gatherByMajor } from '../../operators/gather.js';
import { interleave } from '../../operators/interleave.js';
import { merge } from '../../operators/merge.js';
import { type MajorRange, openRun, type RunReader } from '../../operators/runs/reader.js';
import type { Cursor, RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { SortEnv } from '../../operators/sort/env.js';
import type { Store } from '../../operators/storage/store.js';
import type { Parcel, RunParcel, Shipment, Transport } from './transport.js';

export interface RunTransportOptions {
  readonly store: Store;
  /** The name of the run of a shipment; different in every attempt. */
  readonly runName: (what: string) => string;
  /** What runs say of themselves. */
  readonly meta: Readonly<Record<string, string>>;
  /** Rows of a record batch: a receiver holds one of every sender. */
  readonly batchRows: number;
  /** Whether rows that stay with their sender are kept out of the runs. */
  readonly keepsOwn: boolean;
}

/** Kind of the runs. */
export const PARCEL = 'requests';

export function runTransport(options: RunTransportOptions): Transport {
  const { store, runName, meta, batchRows, keepsOwn } = options;
  const pools = new Map<string, Pool>();
  /** What stays with this partition, by shipment. */
  const kept = new Map<
    string,
    { readonly buffer: string; readonly segments: Segments; readonly pool: Pool }
  >();
  const readers = new Map<string, RunReader>();

  async function write(
    shipment: Shipment,
    segments: Segments,
    pool: Pool,
    env: SortEnv,
  ): Promise<RunRef | null> {
    const { what, columns, majors, own } = shipment;
    const name = runName(what);
    const spec = {
      kind: PARCEL,
      dense: false,
      columns: columns.map((column) => ({ name: column, type: 'u32' as const })),
      strict: false,
      meta: { ...meta, what },
    };
    const writer = await createRun(store, name, spec, { batchRows, counters: env.counters });
    try {
      for (const range of outside(keepsOwn ? own : [], majors)) {
        for await (const batch of gather([{ segments, pool }], range, segments.payload as 0 | 1 | 2, env)) {
          await writer.append(batch.major, batch.length, batch.minor, batch.payload);
        }
      }
      if (writer.rows === 0) {
        await writer.abort();
        return null;
      }
      const { crc } = await writer.close();
      return { name, crc };
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  async function* rowsOf(run: RunRef, range: MajorRange, { counters }: SortEnv): Cursor {
    let reader = readers.get(run.name);
    if (reader === undefined) {
      reader = await openRun(store, run, { counters, expect: { kind: PARCEL } });
      readers.set(run.name, reader);
    }
    yield* reader.cursor(range);
  }

  /** The runs of all senders, and what this partition has kept of its own. */
  function sourcesOf(parcels: readonly Parcel[], range: MajorRange, env: SortEnv) {
    const all = parcels as readonly RunParcel[];
    const own = all.length === 0 ? undefined : kept.get(all[0]!.what);
    return {
      cursors: all.flatMap(({ run }) => (run === null ? [] : [rowsOf(run, range, env)])),
      own: own === undefined ? [] : [own],
    };
  }

  const transport: Transport = {
    turns: 1,
    async send(rows, shipment, env, again) {
      const { what, majors, columns, memory, buffer } = shipment;
      let pool = pools.get(buffer);
      if (pool === undefined) {
        pool = createPool(memory, { shared: false });
        pools.set(buffer, pool);
      }
      const payload = columns.length as 0 | 1 | 2;
      const segments = await distribute(rows, { majors, payload, pool }, env);
      const run = again ? null : await write(shipment, segments, pool, env);
      if (keepsOwn) kept.set(what, { buffer, segments, pool });
      else await releaseSegments(segments, env);
      return { rows: segments.rows, run, what };
    },
    receive(parcels, range, columns, env) {
      const { cursors, own } = sourcesOf(parcels, range, env);
      return merge([gather(own, range, columns, env), ...cursors], { budget: env.budget });
    },
    receiveByMajor(parcels, range, env) {
      const { cursors, own } = sourcesOf(parcels, range, env);
      return interleave([gatherByMajor(own, range, 0, env), ...cursors]);
    },
    async release(buffer, env) {
      readers.clear();
      for (const [what, each] of kept) {
        if (each.buffer !== buffer) continue;
        kept.delete(what);
        await releaseSegments(each.segments, env);
      }
    },
    async close(env) {
      for (const { segments } of kept.values()) await releaseSegments(segments, env);
      kept.clear();
      readers.clear();
      pools.clear();
    },
  };
  return transport;
}

/** The majors below `majors` that are in none of the ranges, which ascend. */
export function outside(ranges: readonly MajorRange[], majors: number): MajorRange[] {
  const between: MajorRange[] = [];
  let from = 0;
  for (const range of [...ranges, { from: majors, to: majors }]) {
    if (from < range.from) between.push({ from, to: range.from });
    from = range.to;
  }
  return between;
}
