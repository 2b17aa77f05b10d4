/** The names of all nodes, in the order of their numbers: a run of bytes, each name preceded by its length. */

import type { Counters } from '../../operators/core/counters.js';
import { assert, DamageError } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { bigOf, KEY_BITS, type KeyWords, newKey, newKeyOf } from '../games/yours/keyed/key-words.js';
import { TEXT_SHIFT } from './graph-layout.js';
import { unmixKey } from './ids.js';
import { ColumnWriter, joinColumns, type StrideColumns } from './stride-columns.js';

const NAMES = 'graph-names';
/** A record batch: what is read for one name. */
const BATCH_BYTES = 1 << 14;

export interface NameWriter {
  append(text: string): Promise<void> | undefined;
  close(): Promise<RunRef>;
  abort(): Promise<void>;
}

const spec: RunSpec = {
  kind: NAMES,
  dense: true,
  columns: [{ name: 'byte', type: 'u8' }],
  strict: true,
  meta: {},
};

/** Writes a name, as JSON text, for each node from node `first` on. Memory: the names of a block. */
export async function createNameWriter(
  store: Store,
  name: string,
  first: number,
  counters: Counters,
): Promise<NameWriter> {
  const run = await createRun(store, name, spec, { batchRows: BATCH_BYTES, counters });
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1 << 16);
  let length = 0;
  let nodes = first;

  async function flush(block: number): Promise<void> {
    await run.append(block, length, null, [bytes.subarray(0, length)]);
    length = 0;
  }

  return {
    append(text) {
      const most = 3 * text.length + 4;
      if (bytes.length < length + most) {
        const larger = new Uint8Array(2 * bytes.length + most);
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      const { written } = encoder.encodeInto(text, bytes.subarray(length + 4));
      new DataView(bytes.buffer).setUint32(length, written, true);
      length += 4 + written;
      nodes++;
      const isFull = nodes % (1 << TEXT_SHIFT) === 0;
      return isFull ? flush((nodes - 1) >>> TEXT_SHIFT) : undefined;
    },
    async close() {
      if (length > 0) await flush((nodes - 1) >>> TEXT_SHIFT);
      return run.close();
    },
    abort: () => run.abort(),
  };
}

/** Names that are integers, as words that are mixed (ids.ts): of blocks as the others. */
const KEYS = 'graph-keys';
const KEY_ROWS = 1 << 12;

/** How keys are written. */
export interface KeyForm {
  /** How many upper words they have. */
  readonly upper: number;
  /** By which they are mixed. */
  readonly seed: number;
}

function keySpecOf({ upper, seed }: KeyForm): RunSpec {
  const names = ['high', 'low', ...Array.from({ length: upper }, (_, at) => `upper-${at}`)];
  const columns = names.map((name) => ({ name, type: 'u32' as const }));
  // Seed 0 is left out, as in runs of earlier versions. Keys of up to 64 bits are mixed by no other.
  return { kind: KEYS, dense: true, columns, strict: true, meta: seed === 0 ? {} : { seed: String(seed) } };
}

/** The words of keys by columns: the lowest two, and the others, a column for each. */
export interface KeyColumns {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly upper: readonly Uint32Array[];
}

/** Writes a key, mixed, for each node from node `first` on: columns as {@link columnsOfKey} returns them. */
export async function createKeyWriter(
  store: Store,
  name: string,
  first: number,
  form: KeyForm,
  counters: Counters,
): Promise<ColumnWriter> {
  const run = await createRun(store, name, keySpecOf(form), { batchRows: KEY_ROWS, counters });
  return new ColumnWriter(run, TEXT_SHIFT, first);
}

export function columnsOfKey({ high, low, upper }: KeyColumns): Uint32Array[] {
  return [high, low, ...upper];
}

/** One run of the names of all strides; each goes on where the one before ends. */
export async function joinNames(
  store: Store,
  strides: readonly StrideColumns[],
  { name, keys }: { readonly name: string; readonly keys: KeyForm | null },
  counters: Counters,
): Promise<RunRef> {
  if (keys !== null) {
    const writer = await createKeyWriter(store, name, 0, keys, counters);
    return joinColumns(store, strides, { counters, kind: KEYS }, writer);
  }
  const run = await createRun(store, name, spec, { batchRows: BATCH_BYTES, counters });
  return orAbort(run, async () => {
    for (const part of strides.flatMap(({ runs }) => runs)) {
      const reader = await openRun(store, part, { counters, expect: { kind: NAMES } });
      for await (const { major, length, columns } of reader.denseCursor())
        await run.append(major, length, null, columns);
    }
    return run.close();
  });
}

/** Names of nodes that follow each other: the keys of a keyed game, not mixed, or texts. Valid until the next are asked for. */
export type NameBatch =
  | { readonly length: number; readonly texts: readonly string[]; readonly keys: null }
  | { readonly length: number; readonly texts: null; readonly keys: KeyColumns };

function keyColumnsOf([high, low, ...upper]: readonly Uint32Array[]): KeyColumns {
  return { high, low, upper };
}

/** Key `i` of columns; the upper words that these lack are 0. */
export function readKey({ high, low, upper }: KeyColumns, i: number, out: KeyWords): void {
  out.high = high[i] | 0;
  out.low = low[i] | 0;
  for (let c = 0; c < out.upper.length; c++) out.upper[c] = c < upper.length ? upper[c][i] | 0 : 0;
}

/** Key `i` of columns. */
export function keyAt(columns: KeyColumns, i: number): bigint {
  const key = keyFor(columns);
  readKey(columns, i, key);
  return bigOf(key);
}

/** A key for those of columns. Up to 64 bits it is used again: an object for each key would be most of the garbage. */
function keyFor({ upper }: KeyColumns): KeyWords {
  return upper.length === 0 ? narrow : newKeyOf(upper.length);
}

const narrow = newKey(KEY_BITS);

/** Name `i` of a batch, as JSON text. */
export function nameAt({ texts, keys }: Pick<NameBatch, 'texts' | 'keys'>, i: number): string {
  return texts === null ? String(keyAt(keys!, i)) : texts[i];
}

/** Reads the names of nodes, by blocks. */
export class Names {
  constructor(private readonly read: (blocks: Interval) => AsyncGenerator<NameBatch>) {}

  /** The names of all nodes, in order. */
  async *all(): AsyncGenerator<string> {
    for await (const batch of this.batches()) for (let i = 0; i < batch.length; i++) yield nameAt(batch, i);
  }

  /** The same, as they are stored. */
  batches(): AsyncGenerator<NameBatch> {
    return this.read({ from: 0, to: 2 ** 31 });
  }

  /** That of a node: reads a block. */
  async of(node: number): Promise<string> {
    const block = node >>> TEXT_SHIFT;
    let at = block << TEXT_SHIFT;
    for await (const batch of this.read({ from: block, to: block + 1 })) {
      if (node < at + batch.length) return nameAt(batch, node - at);
      at += batch.length;
    }
    throw new Error(`node ${node} has no name`);
  }
}

export async function openNames(store: Store, ref: RunRef, counters: Counters): Promise<Names> {
  const reader = await openRun(store, ref, { counters });
  const { kind } = reader.spec;
  if (kind === KEYS) return new Names((blocks) => keysIn(reader, blocks));
  if (kind === NAMES) return new Names((blocks) => textsIn(reader, blocks));
  throw new DamageError(`${ref.name} in ${store.uri}`, `is a run of kind "${kind}", which holds no names`);
}

async function* textsIn(reader: RunReader, blocks: Interval): AsyncGenerator<NameBatch> {
  const decoder = new TextDecoder();
  let bytes = new Uint8Array(1 << 15);
  let held = 0;
  for await (const batch of reader.denseCursor(blocks)) {
    const more = batch.columns[0] as Uint8Array;
    if (bytes.length < held + batch.length) {
      const larger = new Uint8Array(2 * (held + batch.length));
      larger.set(bytes.subarray(0, held));
      bytes = larger;
    }
    bytes.set(more.subarray(0, batch.length), held);
    held += batch.length;
    const view = new DataView(bytes.buffer);
    const texts: string[] = [];
    let at = 0;
    while (at + 4 <= held) {
      const length = view.getUint32(at, true);
      if (at + 4 + length > held) break;
      texts.push(decoder.decode(bytes.subarray(at + 4, at + 4 + length)));
      at += 4 + length;
    }
    yield { length: texts.length, texts, keys: null };
    bytes.copyWithin(0, at, held);
    held -= at;
  }
  assert(held === 0, 'names end with their run');
}

async function* keysIn(reader: RunReader, blocks: Interval): AsyncGenerator<NameBatch> {
  const seed = Number(reader.spec.meta.seed ?? 0);
  for await (const { length, columns } of reader.denseCursor(blocks)) {
    const mixed = keyColumnsOf(columns as Uint32Array[]);
    const [high, low] = [new Uint32Array(length), new Uint32Array(length)];
    const key = keyFor(mixed);
    for (let i = 0; i < length; i++) {
      readKey(mixed, i, key);
      unmixKey(key, seed);
      high[i] = key.high;
      low[i] = key.low;
    }
    const upper = mixed.upper.map((column) => column.slice(0, length));
    yield { length, texts: null, keys: { high, low, upper } };
  }
}
