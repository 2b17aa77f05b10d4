/**
 * Exchange of keys through the store, between ranks that share nothing else. Each owns an interval of majors. What a layer's moves lead to
 * is sorted by the one who makes it, and repeats fall away. At the end of the layer it goes to the store as one object, a bundle with a run for
 * each other rank. Both a meeting and what all say are steps of the crew of ranks (engine/rank-crew.ts). So a barrier is a
 * manifest, and a rank that was lost finds there what the others have sent. It makes its own state again, and sends nothing twice.
 *
 * sort(S) for S keys that leave. P ranks make P objects a layer, and each of them reads P - 1 times.
 */
import { z } from 'zod';
import { type Budget, split } from '../../operators/core/budget.js';
import { cutEvenly, type Interval } from '../../operators/core/interval.js';
import { distinct } from '../../operators/distinct.js';
import { type BundleRef, newBundle, openBundled } from '../../operators/runs/bundle.js';
import { newRows } from '../../operators/runs/rows.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { Batch, Cursor, Rows } from '../../operators/runs/types.js';
import type { RunWriter } from '../../operators/runs/writer.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { Sorter } from '../../operators/sort/sort.js';
import type { Store } from '../../operators/storage/store.js';
import type { Crew, Step } from '../engine/crew.js';
import type { Partition } from '../engine/partition.js';
import { Bundle, FORMAT_VERSION } from '../game/manifest.js';
import type { Exchange, TakeRows } from './exchange.js';
import { appendOf, MAJORS } from './spread.js';

/** A rank, as the crew sees it. */
export type Finder = Pick<Partition, 'takeCounters'>;

export interface StoreExchangeOptions {
  readonly store: Store;
  readonly crew: Crew<Finder>;
  readonly self: number;
  readonly of: number;
  /** The folder of the steps, and how names of own objects begin. */
  readonly work: string;
  readonly prefix: string;
  /** The layer with which reading begins: its positions are known. Null: before the first. */
  readonly layer: number | null;
  readonly env: SortEnv;
}

const SHARES = { sorting: 3 / 4, window: 1 / 8 };
const LEAST_WINDOW = 8192;
const spec: RunSpec = {
  kind: 'reached',
  dense: false,
  columns: [{ name: 'rest', type: 'u32' }],
  strict: false,
  meta: {},
};

const version = z.literal(FORMAT_VERSION);
const LayerPart = z.object({ sent: Bundle.nullable() });
const LayerWhole = z.object({ version, sent: z.array(Bundle.nullable()) });
const SaidPart = z.object({ numbers: z.array(z.number()) });
const SaidWhole = z.object({ version, said: z.array(z.array(z.number())) });

export function storeExchange(options: StoreExchangeOptions): Exchange & { close(): Promise<void> } {
  const { crew, self, of, work, env } = options;
  const intervals = cutEvenly(MAJORS, of);
  const owners = new Uint16Array(MAJORS);
  for (const [who, { from, to }] of intervals.entries()) owners.fill(who, from, to);
  const shares = split(env.budget, SHARES);
  const sorter = () => new Sorter(1, { ...env, budget: { ...env.budget, ...shares.sorting } }, distinct);
  let outgoing = sorter();
  const room = newRows(Math.max(1, env.budget.batchRows), 1);
  const own = intervals[self];
  const others: readonly Interval[] = [
    { from: 0, to: own.from },
    { from: own.to, to: MAJORS },
  ];
  /** The number of the next layer that all meet at, or say something of. */
  let layer = options.layer ?? 0;

  /** Hands on the rows that have majors of an interval. */
  const putOf = async (majors: Interval, rows: Rows, take: TakeRows): Promise<void> => {
    for (let from = 0; from < rows.length; ) {
      from = appendOf(majors, rows, from, room);
      if (room.length < room.minor.length && from < rows.length) continue;
      if (room.length > 0) await take(room);
      room.length = 0;
    }
  };

  return {
    self,
    of,
    sharing: 1,
    majors: own,
    async put(rows, take) {
      await putOf(own, rows, take);
      for (const majors of others) await putOf(majors, rows, (added) => outgoing.add(added));
    },
    async meet(take) {
      const number = layer;
      const step: Step<z.infer<typeof LayerPart>, z.infer<typeof LayerWhole>, Finder> = {
        name: named('layer', number),
        manifest: `${work}/${named('layer', number)}.json`,
        kind: 'passing',
        part: LayerPart,
        whole: LayerWhole,
        run: async (_, again) => ({
          sent: again ? null : await ship(options, outgoing.drain(), owners, number),
        }),
        join: (parts) => ({ version: FORMAT_VERSION, sent: parts.map(({ sent }) => sent) }),
      };
      const { sent } = await crew.step(step);
      await outgoing.dispose();
      outgoing = sorter();
      for (const [from, bundle] of sent.entries())
        if (from !== self && bundle !== null) await receive(options, bundle, shares.window, take);
    },
    async say(numbers) {
      const name = named('said', layer++);
      const step: Step<z.infer<typeof SaidPart>, z.infer<typeof SaidWhole>, Finder> = {
        name,
        manifest: `${work}/${name}.json`,
        kind: 'passing',
        part: SaidPart,
        whole: SaidWhole,
        run: async () => ({ numbers: [...numbers] }),
        join: (parts) => ({ version: FORMAT_VERSION, said: parts.map(({ numbers }) => numbers) }),
      };
      const { said } = await crew.step(step);
      return said.map((each) => Float64Array.from(each));
    },
    // A rank that fails ends, and is started again or ends all.
    fail: () => {},
    close: () => outgoing.dispose(),
  };
}

function named(what: 'layer' | 'said', layer: number): string {
  return `${what}-${String(layer).padStart(6, '0')}`;
}

/** The layer of an object that an exchange has made; null if it is none's. `said`: what all said of it. */
export function layerOfObject(name: string): { readonly layer: number; readonly isSaid: boolean } | null {
  const found = /(?:^|[/-])(layer|said)-(\d{6,})(?=[./])/.exec(name);
  return found === null ? null : { layer: Number(found[2]), isSaid: found[1] === 'said' };
}

/** Writes what leaves this rank as one object: keys in order, so those of each rank follow each other. */
async function ship(
  { store, of, prefix, env }: StoreExchangeOptions,
  keys: Cursor,
  owners: Uint16Array,
  layer: number,
): Promise<BundleRef | null> {
  const { batchRows } = env.budget;
  const name = `${prefix}${named('layer', layer)}.arrow`;
  const bundle = newBundle(store, name, { batchRows, counters: env.counters });
  const batches = keys[Symbol.asyncIterator]();
  let batch: Batch | null = null;
  const next = async (): Promise<Batch | null> => {
    const found = await batches.next();
    return found.done ? null : found.value;
  };
  try {
    batch = await next();
    for (let who = 0; who < of; who++) {
      await bundle.add(spec, async (run: RunWriter) => {
        for (; batch !== null && owners[batch.major] === who; batch = await next())
          await run.append(batch.major, batch.length, batch.minor, batch.payload);
      });
    }
    return await bundle.close();
  } catch (error) {
    await bundle.abort();
    throw error;
  } finally {
    await batches.return?.();
  }
}

async function receive(
  { store, self, env: { counters, arrays } }: StoreExchangeOptions,
  sent: BundleRef,
  { memory }: Pick<Budget, 'memory'>,
  take: TakeRows,
): Promise<void> {
  const window = Math.max(LEAST_WINDOW, memory);
  const expect = { kind: spec.kind };
  const opened = await openBundled(store, sent, self, {
    counters,
    expect,
    window,
    ...(arrays && { arrays }),
  });
  if (opened === null) return;
  let majors = new Uint32Array(0);
  try {
    for await (const { major, length, minor, payload } of opened.run.cursor()) {
      if (majors.length < length) majors = new Uint32Array(length);
      majors.fill(major, 0, length);
      await take({ length, major: majors, minor, payload: [payload[0] as Uint32Array] });
    }
  } finally {
    opened.release();
  }
}
