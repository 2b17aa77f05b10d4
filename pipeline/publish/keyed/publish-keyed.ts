/**
 * Publishes a solved keyed game as one small file (format.ts): its positions' keys and values, in the order of the mixed keys.
 *
 *   names and values, in the order of the graph ─ (key | value) ─ distribute / gather ─▶ a bucket at a time
 *
 * Memory: `budget.memory` to order the keys, a bucket, four bytes a bucket. I/O: a scan of names and values, 16 bytes a position spilled if
 * they do not fit.
 */

import { newArrays } from '../../../operators/core/arrays.js';
import { type Budget, share } from '../../../operators/core/budget.js';
import { crc32 } from '../../../operators/core/checksum.js';
import { newCounters } from '../../../operators/core/counters.js';
import { assert, DamageError, UserError } from '../../../operators/core/errors.js';
import { distribute, releaseSegments } from '../../../operators/distribute/distribute.js';
import { gather } from '../../../operators/gather.js';
import { newRows } from '../../../operators/rows.js';
import type { RowSource } from '../../../operators/runs/types.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Sink, Store } from '../../../operators/storage/store.js';
import type { Side } from '../../contract/game.js';
import type { Metric, ValueColumn } from '../../formats/value.js';
import type { KeyWords } from '../../games/keyed/key-words.js';
import { SIDE_OF_NODE } from '../../graph/graph-layout.js';
import { graphStats } from '../../graph/graph-stats.js';
import { mixWords } from '../../graph/ids.js';
import { openJoined } from '../../graph/joined-runs.js';
import { openNames } from '../../graph/node-names.js';
import { outcomesOf, type Winning, winningOf } from '../../graph/outcomes.js';
import { poolOf } from '../../graph/row-collector.js';
import { needSolvedGraph } from '../../graph/solved-graph.js';
import { NODES } from '../../graph/successors.js';
import { makeBucket } from './bucket.js';
import {
  backBytes,
  bucketOf,
  FRONT_BYTES,
  type KeyedHeader,
  keyedFileName,
  lookUp,
  MAGIC,
  type PublishedValue,
} from './format.js';

export interface PublishKeyedOptions {
  readonly store: Store;
  /** The name of the game in the store. */
  readonly name: string;
  readonly metric: Metric;
  /** Where the file goes, in place of any before. */
  readonly to: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** Whether the file is read again, and held against what was written. */
  readonly verify: boolean;
}

export interface PublishedKeyed {
  readonly header: KeyedHeader;
  /** The object. */
  readonly name: string;
  readonly bytes: number;
  readonly verified: boolean;
}

/** Keys of a bucket: a page reads a few kilobytes for each move. */
const MOST_KEYS = 4096;
/** Slots have 16 bits at most. */
const MOST_VALUES = 2 ** 16;
const MAJOR_BITS = 10;
const ROWS = 1 << 14;
const SHARES = { order: 0.3, pool: 0.5 };

/** @throws UserError if the game is not solved for the metric; StorageError, DamageError. */
export async function publishKeyed(options: PublishKeyedOptions): Promise<PublishedKeyed> {
  const { metric, to, verify } = options;
  const header = await headerOf(options);
  const name = keyedFileName(header.game, metric);
  const sink = await to.create(name);
  try {
    const { bytes, checksum } = await writeFile(options, header, sink);
    await sink.close();
    if (verify) await requireSame(to, name, bytes, checksum);
    return { header, name, bytes, verified: verify };
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

async function headerOf({ store, name, metric }: PublishKeyedOptions): Promise<KeyedHeader> {
  const { graph, outcomes } = await graphStats(store, name, metric, async () => {});
  const values = outcomes.map(publishedValue).sort(ascending);
  if (values.length > MOST_VALUES)
    throw new UserError(
      `${name}: it has ${values.length} values, more than the ${MOST_VALUES} that a published file can have`,
    );
  return {
    ...{ game: name, metric, positions: graph.nodes, values },
    bucketBits: Math.max(0, Math.ceil(Math.log2(graph.nodes / MOST_KEYS))),
    bits: Math.max(1, Math.ceil(Math.log2(values.length))),
  };
}

function publishedValue({ winner, plies, score }: Winning): PublishedValue {
  return score === null ? [winner, plies] : [winner, plies, score];
}

/** By winners, nobody first, points and plies. */
function ascending(a: PublishedValue, b: PublishedValue): number {
  const [winner, plies, score] = [0, 1, 2].map((i) => (a[i] ?? -1) - (b[i] ?? -1));
  return winner || score || plies;
}

async function writeFile(
  options: PublishKeyedOptions,
  header: KeyedHeader,
  sink: Sink,
): Promise<{ bytes: number; checksum: number }> {
  let bytes = 0;
  let checksum = 0;
  const write = async (part: Uint8Array): Promise<void> => {
    checksum = crc32(part, checksum);
    bytes += part.length;
    await sink.write([part]);
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const front = new Uint8Array(FRONT_BYTES);
  new TextEncoder().encodeInto(MAGIC, front);
  const view = new DataView(front.buffer);
  view.setUint32(8, text.length, true);
  view.setUint32(12, crc32(text), true);
  await write(front);
  await write(text);
  const first = bytes;
  const back = new Uint8Array(backBytes(header.bucketBits));
  const words = new DataView(back.buffer);
  let number = 0;
  for await (const bucket of bucketsOf(options, header)) {
    words.setUint32(4 * number++, bytes - first, true);
    await write(bucket);
  }
  assert(number === 2 ** header.bucketBits, 'all buckets are written');
  words.setUint32(4 * number, bytes - first, true);
  words.setUint32(4 * number + 4, crc32(back.subarray(0, 4 * number + 4)), true);
  await write(back);
  return { bytes, checksum };
}

/** In order, each checked: its keys give their values. */
async function* bucketsOf(options: PublishKeyedOptions, header: KeyedHeader): AsyncGenerator<Uint8Array> {
  const { scratch, budget } = options;
  const { bits, bucketBits } = header;
  const arrays = newArrays();
  const env = { budget: share(budget, SHARES.order), scratch, counters: newCounters(), arrays };
  const pool = poolOf(share(budget, SHARES.pool));
  const segments = await distribute(
    valuesByKey(options, header.values),
    { majors: 2 ** MAJOR_BITS, payload: 2, pool },
    env,
  );
  const newKeys = () => ({ highs: [] as number[], lows: [] as number[], values: [] as number[] });
  let keys = newKeys();
  let number = 0;
  const made = (): Uint8Array => {
    const bucket = makeBucket(keys, bits);
    for (const [i, value] of keys.values.entries()) {
      const found = lookUp(bucket, { high: keys.highs[i], low: keys.lows[i] }, bits);
      assert(found === value, 'the keys of a bucket give their values');
    }
    keys = newKeys();
    number++;
    return bucket;
  };
  try {
    const whole = { from: 0, to: 2 ** MAJOR_BITS };
    for await (const batch of gather([{ segments, pool }], whole, 2, env)) {
      const [lows, values] = batch.payload as [Uint32Array, Uint32Array];
      for (let i = 0; i < batch.length; i++) {
        const high = ((batch.major << (32 - MAJOR_BITS)) | (batch.minor[i] >>> MAJOR_BITS)) >>> 0;
        const low = lows[i];
        for (const own = bucketOf({ high, low }, bucketBits); number < own; ) yield made();
        keys.highs.push(high);
        keys.lows.push(low);
        keys.values.push(values[i]);
      }
    }
    while (number < 2 ** bucketBits) yield made();
  } finally {
    await releaseSegments(segments, env);
  }
}

/** (mixed key | its lower word, number of the value) of all positions, in the order of the graph. */
async function* valuesByKey(
  { store, name, metric }: PublishKeyedOptions,
  values: readonly PublishedValue[],
): RowSource {
  const counters = newCounters();
  const { graph, table } = await needSolvedGraph(store, name, metric, counters);
  const names = (await openNames(store, graph.runs.names, counters)).all();
  const nodes = await openJoined(store, graph.runs.nodes, { counters, expect: { kind: NODES } });
  const { width, parts } = table.slice;
  const outcomes = outcomesOf(graph, table.manifest);
  const numbers = new Map(values.map((value, i) => [String(value), i]));
  const codes = [new Int16Array(width), new Int16Array(width)] as const;
  const rows = newRows(ROWS, 2);
  const [lows, found] = rows.payload as [Uint32Array, Uint32Array];
  const key: KeyWords = { high: 0, low: 0 };
  for (let part = 0; part < parts; part++) {
    for (const side of [0, 1] as const) {
      for await (const { first, length, columns } of table.values(side, part, part + 1))
        codes[side].set((columns[0] as ValueColumn).subarray(0, length), first);
    }
    for await (const { first, length, columns } of nodes.denseCursor({ from: part, to: part + 1 })) {
      const status = (columns[0] as Uint8Array).slice(0, length);
      for (let i = 0; i < length; i++) {
        const side = (status[i] & SIDE_OF_NODE) as Side;
        const winning = winningOf(side, outcomes.of(codes[side][first + i]));
        const id = BigInt((await names.next()).value as string);
        mixWords(Number(id >> 32n), Number(id & 0xffffffffn), 0, key);
        const at = rows.length++;
        rows.major[at] = key.high >>> (32 - MAJOR_BITS);
        rows.minor[at] = (key.high << MAJOR_BITS) | (key.low >>> (32 - MAJOR_BITS));
        lows[at] = key.low;
        const value = numbers.get(String(publishedValue(winning)));
        assert(value !== undefined, 'all values are counted');
        found[at] = value;
        if (rows.length < ROWS) continue;
        yield rows;
        rows.length = 0;
      }
    }
  }
  await names.return?.(undefined);
  if (rows.length > 0) yield rows;
}

const READ_BYTES = 1 << 20;

async function requireSame(to: Store, name: string, bytes: number, checksum: number): Promise<void> {
  let found = 0;
  for (let at = 0; at < bytes; at += READ_BYTES) {
    const part = new Uint8Array(Math.min(READ_BYTES, bytes - at));
    await to.read(name, at, part);
    found = crc32(part, found);
  }
  if (found !== checksum) throw new DamageError(name, 'is not what was written to it');
}
