/**
 * Carries rows as runs in the store: a parcel is one object, a bundle (operators/runs/bundle.ts) with a run for each partition,
 * ordered by (major, minor). A receiver reads its own run out of the bundle of every sender: by one operation if it is not longer
 * than its window, and several at a time. The parcels, which all partitions know from the manifest of the step, say
 * where it is; who sent nothing is not asked. Rows that stay with their sender never leave its memory and scratch, so two
 * partitions write half of all rows, and one alone writes none.
 *
 * sort(S) for S rows that leave. P partitions make P objects, and each of them reads P - 1 times. A bundle lies in the store
 * until the labels that its rows led to are committed: whoever takes a lost partition over receives it again.
 */
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import type { Segments } from '../../operators/distribute/segments.js';
import { distribute, releaseSegments } from '../../operators/distribute.js';
import { gather, gatherByMajor } from '../../operators/gather.js';
import { interleave } from '../../operators/interleave.js';
import { merge } from '../../operators/merge.js';
import { type BundleRef, newBundle, openBundled } from '../../operators/runs/bundle.js';
import type { MajorRange, RunReader } from '../../operators/runs/reader.js';
import type { Cursor } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import type { Store } from '../../operators/storage/store.js';
import type { Interval } from '../phases/context.js';
import type { Parcel, RunParcel, Shipment, Transport } from './transport.js';

export interface RunTransportOptions {
  readonly store: Store;
  /** The name of the object of a shipment; different in every attempt. */
  readonly runName: (what: string) => string;
  /** What runs say of themselves. */
  readonly meta: Readonly<Record<string, string>>;
  /** All partitions, and the number of the one that this transport is of. */
  readonly partitions: readonly Interval[];
  readonly own: number;
  /** Rows of a record batch: a receiver holds one of every sender. */
  readonly batchRows: number;
  /** Bytes of a window: a receiver holds one of every sender for each buffer that is not released. */
  readonly window: number;
  /** Whether rows that stay with their sender are kept out of the runs. */
  readonly keepsOwn: boolean;
}

/** Kind of the runs. */
const PARCEL = 'requests';
/** Runs that are opened at once. */
export const OPENED_TOGETHER = 16;

/** What this partition has sent, and what it has opened of what was sent with it. */
interface Sent {
  readonly buffer: string;
  /** What stays with this partition. */
  readonly kept: { readonly segments: Segments; readonly pool: Pool } | null;
  opened: readonly Promise<RunReader | null>[] | null;
}

export function runTransport(options: RunTransportOptions): Transport {
  const { store, runName, meta, partitions, own, batchRows, window, keepsOwn } = options;
  const pools = new Map<string, Pool>();
  const sent = new Map<string, Sent>();

  async function write(
    { what, columns, receivedBy }: Shipment,
    segments: Segments,
    pool: Pool,
    env: SortEnv,
  ): Promise<BundleRef | null> {
    const spec = {
      kind: PARCEL,
      dense: false,
      columns: columns.map((column) => ({ name: column, type: 'u32' as const })),
      strict: false,
      meta: { ...meta, what },
    };
    const bundle = newBundle(store, runName(what), { batchRows, counters: env.counters });
    try {
      for (const [number, parts] of partitions.entries()) {
        const ranges = keepsOwn && number === own ? [] : receivedBy(parts);
        await bundle.add(spec, async (run) => {
          for (const range of ranges) {
            const rows = gather([{ segments, pool }], range, segments.payload as 0 | 1 | 2, env);
            for await (const { major, length, minor, payload } of rows)
              await run.append(major, length, minor, payload);
          }
        });
      }
      return await bundle.close();
    } catch (error) {
      await bundle.abort();
      throw error;
    }
  }

  /** Begins to open the runs of all senders, some at a time; once for all ranges of majors. */
  function open(parcels: readonly RunParcel[], { counters }: SortEnv): readonly Promise<RunReader | null>[] {
    const opened: Promise<RunReader | null>[] = [];
    for (const { runs } of parcels) {
      if (runs === null) continue;
      const start = () => openBundled(store, runs, own, { counters, window, expect: { kind: PARCEL } });
      const before = opened[opened.length - OPENED_TOGETHER];
      const opening = before === undefined ? start() : before.then(start);
      // A failure is reported where it is awaited; until then it must not count as unhandled.
      opening.catch(() => {});
      opened.push(opening);
    }
    return opened;
  }

  async function* rowsOf(run: () => Promise<RunReader | null>, range: MajorRange): Cursor {
    const reader = await run();
    if (reader !== null) yield* reader.cursor(range);
  }

  /** The runs of all senders, and what this partition has kept of its own. */
  function sourcesOf(parcels: readonly Parcel[], range: MajorRange, env: SortEnv) {
    const all = parcels as readonly RunParcel[];
    const mine = all.length === 0 ? undefined : sent.get(all[0]!.what);
    const senders = all.filter(({ runs }) => runs !== null && hasRun(runs, own));
    const opened = () => (mine!.opened ??= open(senders, env));
    return {
      cursors: senders.map((_, i) => rowsOf(() => opened()[i]!, range)),
      own: mine?.kept == null ? [] : [mine.kept],
    };
  }

  async function giveUp({ kept, opened }: Sent, env: SortEnv): Promise<void> {
    // Nothing goes on behind this.
    await Promise.allSettled(opened ?? []);
    if (kept !== null) await releaseSegments(kept.segments, env);
  }

  return {
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
      const runs = again ? null : await write(shipment, segments, pool, env);
      sent.set(what, { buffer, kept: keepsOwn ? { segments, pool } : null, opened: null });
      if (!keepsOwn) await releaseSegments(segments, env);
      return { rows: segments.rows, runs, what };
    },
    receive(parcels, range, columns, env) {
      const { cursors, own } = sourcesOf(parcels, range, env);
      return merge([gather(own, range, columns, env), ...cursors], { budget: env.budget });
    },
    receiveByMajor(parcels, range, columns, env) {
      const { cursors, own } = sourcesOf(parcels, range, env);
      return interleave([gatherByMajor(own, range, columns, env), ...cursors]);
    },
    async release(buffer, env) {
      for (const [what, each] of sent) {
        if (each.buffer !== buffer) continue;
        sent.delete(what);
        await giveUp(each, env);
      }
    },
    async close(env) {
      for (const each of sent.values()) await giveUp(each, env);
      sent.clear();
      pools.clear();
    },
  };
}

/** Whether a partition receives anything of a bundle. */
function hasRun({ ends }: BundleRef, number: number): boolean {
  return ends[number]! > (number === 0 ? 0 : ends[number - 1]!);
}
