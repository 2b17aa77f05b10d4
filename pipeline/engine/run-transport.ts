/**
 * Carries rows as runs in the store: a parcel is one object, a bundle (operators/runs/bundle.ts) with a run for each
 * partition. Runs are ordered by (major, minor). If rows are received by major alone, it is a dense run in which
 * minors are a column and come in any order. A receiver reads its own run out of the bundle of every sender. It reads
 * a run by one operation if it is not longer than its window, and several runs at a time. The parcels, which all
 * partitions know from the manifest of the step, say where it is; who sent nothing is not asked. Rows that stay with
 * their sender never leave its memory and scratch, so two partitions write half of all rows, and one alone writes
 * none.
 *
 * Windows of runs and buffers of record batches are used again from shipment to shipment. Made again, they cost as
 * much as writing and reading the rows.
 *
 * sort(S) for S rows that leave. P partitions make P objects, and each of them reads P - 1 times. A bundle lies in the store
 * until the labels that its rows led to are committed: whoever takes a lost partition over receives it again.
 */

import { type Arrays, newArrays } from '../../operators/core/arrays.js';
import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import { gather, gatherByMajor, type Source } from '../../operators/gather.js';
import { type BundledRun, type BundleRef, newBundle, openBundled } from '../../operators/runs/bundle.js';
import { MINOR } from '../../operators/runs/schema.js';
import type { Batch, Cursor, Grouped } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { merge } from '../../operators/sort/merge.js';
import type { Store } from '../../operators/storage/store.js';
import type { WorkRun } from '../game/slice-objects.js';
import type { Parcel, RunParcel } from '../game/step-manifests.js';
import type { Shipment, Transport } from './transport.js';

export interface RunTransportOptions {
  readonly store: Store;
  /** The name of the object of a shipment; different in every attempt. */
  readonly runName: (what: WorkRun) => string;
  /** The descriptions of runs. */
  readonly meta: Readonly<Record<string, string>>;
  /** All partitions, and the number of the one that this transport is of. */
  readonly partitions: readonly Interval[];
  readonly own: number;
  /** Rows of a record batch: a receiver holds one of every sender. */
  readonly batchRows: number;
  /** Bytes of a window: a receiver holds one of every sender for each buffer that is not released. */
  readonly window: number;
  /** Whether rows that stay with their sender are kept out of the runs; without, runs are for people, and all ordered. */
  readonly keepsOwn: boolean;
}

/** Kind of the runs. */
const PARCEL = 'requests';
/** Runs that are opened at once. */
const OPENED_TOGETHER = 16;

/** The parcel that this partition has sent, and the runs that it has opened of the parcels sent with it. */
interface Sent {
  readonly buffer: string;
  /** The rows that stay with this partition. */
  readonly kept: Source | null;
  opened: readonly Promise<BundledRun | null>[] | null;
}

export function runTransport(options: RunTransportOptions): Transport {
  const { own, keepsOwn } = options;
  const pools = new Map<string, Pool>();
  const sent = new Map<string, Sent>();
  const arrays = newArrays();

  /** The runs of all senders, and what this partition has kept of its own. */
  function sourcesOf<Rows>(
    parcels: readonly Parcel[],
    rowsOf: (opened: () => Promise<BundledRun | null>) => Rows,
    env: SortEnv,
  ) {
    const all = parcels as readonly RunParcel[];
    const mine = all.length === 0 ? undefined : sent.get(all[0].what);
    const senders = all.filter(({ runs }) => runs !== null && hasRun(runs, own));
    const opened = () => (mine!.opened ??= open(options, arrays, senders, env));
    return {
      cursors: senders.map((_, i) => rowsOf(() => opened()[i])),
      own: mine?.kept == null ? [] : [mine.kept],
    };
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
      const runs = again ? null : await write(options, arrays, shipment, { segments, pool }, env);
      sent.set(what, { buffer, kept: keepsOwn ? { segments, pool } : null, opened: null });
      if (!keepsOwn) await releaseSegments(segments, env);
      return { rows: segments.rows, runs, what };
    },
    receive(parcels, range, columns, env) {
      const { cursors, own } = sourcesOf(parcels, (opened) => ordered(opened, range), env);
      return merge([gather(own, range, columns, env), ...cursors], { budget: env.budget });
    },
    receiveByMajor(parcels, range, columns, env) {
      const { cursors, own } = sourcesOf(parcels, (opened) => grouped(opened, range), env);
      return [gatherByMajor(own, range, columns, env), ...cursors];
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
  return ends[number] > (number === 0 ? 0 : ends[number - 1]);
}

/** Writes what leaves this partition as one object. */
async function write(
  { store, runName, meta, partitions, own, batchRows, keepsOwn }: RunTransportOptions,
  arrays: Arrays,
  { what, columns, receivedBy, byMajor }: Shipment,
  sent: Source,
  env: SortEnv,
): Promise<BundleRef | null> {
  const isDense = byMajor && keepsOwn;
  const payload = columns.map((column) => ({ name: column, type: 'u32' as const }));
  const spec = {
    kind: PARCEL,
    dense: isDense,
    columns: isDense ? [MINOR, ...payload] : payload,
    strict: isDense,
    meta: { ...meta, what },
  };
  const rowsIn = isDense ? gatherByMajor : gather;
  const bundle = newBundle(store, runName(what), { batchRows, counters: env.counters, arrays });
  return orAbort(bundle, async () => {
    for (const [number, parts] of partitions.entries()) {
      const ranges = keepsOwn && number === own ? [] : receivedBy(parts);
      await bundle.add(spec, async (run) => {
        for (const range of ranges) {
          const rows = rowsIn([sent], range, sent.segments.payload as 0 | 1 | 2, env);
          for await (const { major, length, minor, payload } of rows) {
            if (isDense) await run.append(major, length, null, [minor, ...payload]);
            else await run.append(major, length, minor, payload);
          }
        }
      });
    }
    return bundle.close();
  });
}

/** Begins to open the runs of all senders, some at a time; once for all ranges of majors. */
function open(
  { store, own, window }: RunTransportOptions,
  arrays: Arrays,
  parcels: readonly RunParcel[],
  { counters }: SortEnv,
): readonly Promise<BundledRun | null>[] {
  const opened: Promise<BundledRun | null>[] = [];
  const options = { counters, window, arrays, expect: { kind: PARCEL } };
  for (const { runs } of parcels) {
    if (runs === null) continue;
    const start = () => openBundled(store, runs, own, options);
    const before = opened[opened.length - OPENED_TOGETHER];
    const opening = before === undefined ? start() : before.then(start);
    // A failure is reported where it is awaited; until then it must not count as unhandled.
    opening.catch(() => {});
    opened.push(opening);
  }
  return opened;
}

async function* ordered(opened: () => Promise<BundledRun | null>, range: Interval): Cursor {
  const run = (await opened())?.run;
  if (run === undefined) return;
  assert(!run.spec.dense, 'rows that are received by major alone have no order');
  yield* run.cursor(range);
}

/** No generator: it would be a promise more for each batch. */
function grouped(opened: () => Promise<BundledRun | null>, range: Interval): Grouped {
  let rows: AsyncIterator<Batch> | null = null;
  async function begin(): Promise<IteratorResult<Batch>> {
    const run = (await opened())?.run;
    if (run === undefined) return { done: true, value: undefined };
    const cursor = run.spec.dense ? run.groupedCursor(range) : run.cursor(range);
    rows = cursor[Symbol.asyncIterator]();
    return rows.next();
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => (rows === null ? begin() : rows.next()),
      return: async () => (await rows?.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

async function giveUp({ kept, opened }: Sent, env: SortEnv): Promise<void> {
  // Nothing goes on behind this.
  for (const each of await Promise.allSettled(opened ?? [])) {
    if (each.status === 'fulfilled') each.value?.release();
  }
  if (kept !== null) await releaseSegments(kept.segments, env);
}
