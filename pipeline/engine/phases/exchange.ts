/**
 * The exchange of rows between the partitions of a slice. Every partition has an exchange of its own. It *sends* rows once: they are
 * distributed by the majors they go to, in a pool of fixed size, and spilled beyond that. The result is a *parcel*. The crew gives the
 * parcels of all partitions to each of them, and each *receives* the rows of its own majors. A *carrier* brings a parcel to its
 * receivers, in shared memory or through the store.
 */
import { newArrays } from '../../../operators/core/arrays.js';
import type { Budget } from '../../../operators/core/budget.js';
import type { Interval } from '../../../operators/core/interval.js';
import { orAbort } from '../../../operators/core/or-abort.js';
import { someAtATime } from '../../../operators/core/some-at-a-time.js';
import { distinct } from '../../../operators/distinct.js';
import { distribute, releaseSegments } from '../../../operators/distribute/distribute.js';
import { createPool, type Pool } from '../../../operators/distribute/pool.js';
import { gather, gatherByMajor, type Source } from '../../../operators/gather.js';
import { type BundledRun, type BundleRef, newBundle, openBundled } from '../../../operators/runs/bundle.js';
import type { RunReader } from '../../../operators/runs/reader.js';
import { MINOR } from '../../../operators/runs/schema.js';
import type { Cursor, Grouped, RowSource } from '../../../operators/runs/types.js';
import type { SortEnv } from '../../../operators/sort/env.js';
import { merge } from '../../../operators/sort/merge.js';
import type { Store } from '../../../operators/storage/store.js';
import type { HeldParcel, Parcel, RunParcel } from '../../game/step-manifests.js';

/** The rows that are sent. */
export interface Shipment {
  /** Names it among all that the partition sends, e.g. "requests-12". */
  readonly what: string;
  /** Majors are below this. */
  readonly majors: number;
  /** The majors that the partition of these parts receives, ascending; each major is received by one partition. */
  readonly receivedBy: (parts: Interval) => readonly Interval[];
  /** Names of the payload columns. */
  readonly columns: readonly string[];
  /** Whether receivers ask for the rows by major alone, so that the rows of a major need no order. */
  readonly byMajor: boolean;
  /** Whether rows that are repeated may fall away on their way: their columns belong to their key (operators/distinct.ts). */
  readonly distinct?: boolean;
  /** Bytes of rows to be held in memory; the rest is spilled. */
  readonly memory: number;
  /** Shipments that are never under way at the same time may name the same buffer. */
  readonly buffer: string;
}

/** The rows of parcels for one partition: those in memory and scratch, and the runs of others. */
interface Opened {
  readonly held: readonly Source[];
  readonly runs: readonly RunReader[];
}

export interface Carrier {
  /** Whether receivers read the pools of the sender. */
  readonly shared: boolean;
  /** Whether the sender keeps the rows that it receives itself. */
  readonly keeps: boolean;
  /** Hands rows over to their receivers. `again`: that was done before the partition was lost. */
  put(rows: Source, shipment: Shipment, env: SortEnv, again: boolean): Promise<Parcel>;
  /** @param own what this partition itself has kept of the shipment. */
  open(parcels: readonly Parcel[], own: readonly Source[], env: SortEnv): Promise<Opened>;
  /** Gives up what was opened of a shipment. */
  release(what: string): Promise<void>;
}

export class Exchange {
  private readonly pools = new Map<string, Pool>();
  /** By shipment: the rows that this partition has sent and keeps, if it keeps any. */
  private readonly sent = new Map<string, { readonly buffer: string; readonly rows: Source | null }>();

  constructor(
    private readonly carrier: Carrier,
    private readonly env: SortEnv,
  ) {}

  /** Buffers that shipments which follow each other take in turn: two if receivers read the sender's memory. */
  get turns(): 1 | 2 {
    return this.carrier.shared ? 2 : 1;
  }

  /**
   * Sends rows. A shipment into the same buffer must have been released before. `again`: the rows were sent before the partition was
   * lost, and only those that it receives itself are wanted.
   */
  async send(source: RowSource, shipment: Shipment, again: boolean): Promise<Parcel> {
    const { carrier, env, pools } = this;
    const { what, majors, columns, memory, buffer } = shipment;
    const pool = pools.get(buffer) ?? createPool(memory, { shared: carrier.shared });
    pools.set(buffer, pool);
    const segments = await distribute(source, { majors, payload: columns.length, pool }, env);
    const rows = { segments, pool };
    this.sent.set(what, { buffer, rows });
    const parcel = await carrier.put(rows, shipment, env, again);
    if (!carrier.keeps) {
      this.sent.set(what, { buffer, rows: null });
      await releaseSegments(segments, env);
    }
    return parcel;
  }

  /** The rows of some majors, ordered by major and minor; not of shipments that are only received by major. */
  async receive(parcels: readonly Parcel[], range: Interval, columns: number): Promise<Cursor> {
    const { held, runs } = await this.open(parcels);
    const rows = gather(held, range, columns, this.env);
    return runs.length === 0 ? rows : merge([rows, ...runs.map((run) => run.cursor(range))], this.env);
  }

  /** As `receive`, but the rows of a major come in any order, and those of several senders apart, to be interleaved. */
  async receiveByMajor(parcels: readonly Parcel[], range: Interval, columns: number): Promise<Grouped[]> {
    const { held, runs } = await this.open(parcels);
    const others = runs.map((run) => (run.spec.dense ? run.groupedCursor(range) : run.cursor(range)));
    return [gatherByMajor(held, range, columns, this.env), ...others];
  }

  private open(parcels: readonly Parcel[]): Promise<Opened> {
    const own = parcels.length === 0 ? null : (this.sent.get(parcels[0].what)?.rows ?? null);
    return this.carrier.open(parcels, own === null ? [] : [own], this.env);
  }

  /** Gives up what this partition has sent into a buffer, once all partitions have received it. */
  async release(buffer: string): Promise<void> {
    for (const [what, { buffer: into, rows }] of this.sent) {
      if (into !== buffer) continue;
      this.sent.delete(what);
      await this.carrier.release(what);
      if (rows !== null) await releaseSegments(rows.segments, this.env);
    }
  }

  /** Gives up everything. */
  async close(): Promise<void> {
    for (const buffer of this.pools.keys()) await this.release(buffer);
    this.pools.clear();
  }
}

/**
 * Parcels in memory: the directory of what the sender's pool and scratch hold. Receivers read both in place, so partitions in other
 * threads (`shared`) need pools in shared memory, and one scratch folder.
 */
export function memoryCarrier(shared: boolean): Carrier {
  return {
    shared,
    keeps: true,
    put: async (rows, { what }) => ({ what, rows: rows.segments.rows, held: rows }),
    open: async (parcels) => ({ held: (parcels as HeldParcel[]).map(({ held }) => held), runs: [] }),
    release: async () => {},
  };
}

export interface StoreCarrierOptions {
  readonly store: Store;
  /** The name of the object of a shipment; different in every attempt. */
  readonly runName: (what: string) => string;
  readonly slice: string;
  /** All partitions, and the number of the one that sends. */
  readonly partitions: readonly Interval[];
  readonly own: number;
  /** Rows of a record batch: a receiver holds one of every sender. */
  readonly batchRows: number;
  /** Bytes of a window: a receiver holds one of every sender for each buffer that is not released. */
  readonly window: number;
  /** Whether rows that stay with their sender are kept out of the runs; without, runs are for people, and all ordered. */
  readonly keeps: boolean;
}

/** Bytes of the least window: runs of a few rows, which are little but a footer, are read by one operation. */
const LEAST_WINDOW = 8192;

/**
 * Divides the memory for what a partition receives from one sender: a quarter is for a record batch, the rest for windows.
 * @param windows those that it holds at the same time.
 */
export function receivedSizes(
  memory: number,
  { batchRows }: Budget,
  windows = 1,
): Pick<StoreCarrierOptions, 'batchRows' | 'window'> {
  return {
    batchRows: Math.max(1, Math.min(batchRows, Math.floor(memory / 16))),
    window: Math.max(LEAST_WINDOW, Math.floor((0.75 * memory) / windows)),
  };
}

/** Kind of the runs. */
const PARCEL = 'requests';
/** Runs that are opened at once. */
const OPENED_TOGETHER = 16;

/** The runs of a shipment's senders, which are all there when `ready`. */
interface Opening {
  readonly runs: BundledRun[];
  readonly ready: Promise<void>;
}

/**
 * Parcels in the store: each is one object, a bundle (operators/runs/bundle.ts) with a run for each partition. Runs are ordered by
 * (major, minor). If rows are received by major alone, they are dense runs in which minors are a column and come in any order. A
 * receiver opens its own run of the bundle of every sender, by one operation if the run is not longer than its window. Rows that stay
 * with their sender never leave its memory and scratch, so two partitions write half of all rows, and one alone writes none.
 *
 * Windows of runs and buffers of record batches are used again from shipment to shipment. Made again, they cost as much as writing
 * and reading the rows. P partitions make P objects, and each of them reads P - 1 times. A bundle lies in the store until the labels
 * that its rows led to are committed, because a process that takes over a lost partition receives it again.
 */
export class StoreCarrier implements Carrier {
  readonly shared = false;
  readonly keeps: boolean;
  private readonly arrays = newArrays();
  /** By shipment. */
  private readonly openings = new Map<string, Opening>();

  constructor(private readonly options: StoreCarrierOptions) {
    this.keeps = options.keeps;
  }

  async put(rows: Source, shipment: Shipment, env: SortEnv, again: boolean): Promise<RunParcel> {
    const runs = again ? null : await this.write(rows, shipment, env);
    return { what: shipment.what, rows: rows.segments.rows, runs };
  }

  /** The runs of all senders are opened once for all ranges of majors. */
  async open(parcels: readonly Parcel[], held: readonly Source[], env: SortEnv): Promise<Opened> {
    if (parcels.length === 0) return { held, runs: [] };
    const { what } = parcels[0];
    const opening = this.openings.get(what) ?? this.begin(parcels as readonly RunParcel[], env);
    this.openings.set(what, opening);
    await opening.ready;
    return { held, runs: opening.runs.map(({ run }) => run) };
  }

  private begin(parcels: readonly RunParcel[], { counters }: SortEnv): Opening {
    const { store, own, window } = this.options;
    const runs: BundledRun[] = [];
    const ready = someAtATime(parcels, OPENED_TOGETHER, async (parcel) => {
      const options = { counters, window, arrays: this.arrays, expect: { kind: PARCEL } };
      const run = parcel.runs === null ? null : await openBundled(store, parcel.runs, own, options);
      if (run !== null) runs.push(run);
    });
    return { runs, ready };
  }

  async release(what: string): Promise<void> {
    const opening = this.openings.get(what);
    this.openings.delete(what);
    await opening?.ready.catch(() => {});
    for (const run of opening?.runs ?? []) run.release();
  }

  /** Writes what leaves this partition as one object. */
  private async write(rows: Source, shipment: Shipment, env: SortEnv): Promise<BundleRef | null> {
    const { what, columns, receivedBy, byMajor, distinct: isDistinct = false } = shipment;
    const { store, runName, slice, partitions, own, batchRows, keeps } = this.options;
    const dense = byMajor && keeps;
    const payload = columns.map((name) => ({ name, type: 'u32' as const }));
    const spec = {
      kind: PARCEL,
      dense,
      columns: dense ? [MINOR, ...payload] : payload,
      strict: dense,
      meta: { slice, what },
    };
    const rowsIn = dense ? gatherByMajor : gather;
    const bundle = newBundle(store, runName(what), {
      batchRows,
      counters: env.counters,
      arrays: this.arrays,
    });
    return orAbort(bundle, async () => {
      for (const [number, parts] of partitions.entries()) {
        await bundle.add(spec, async (run) => {
          for (const range of keeps && number === own ? [] : receivedBy(parts)) {
            const all = rowsIn([rows], range, columns.length, env);
            const batches = isDistinct ? distinct(all as Cursor) : all;
            for await (const { major, length, minor, payload } of batches) {
              if (dense) await run.append(major, length, null, [minor, ...payload]);
              else await run.append(major, length, minor, payload);
            }
          }
        });
      }
      return bundle.close();
    });
  }
}
