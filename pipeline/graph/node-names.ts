/** The names of all nodes, in the order of their numbers: a run of bytes, each name preceded by its length. */

import type { Counters } from '../../operators/core/counters.js';
import { assert, DamageError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import { views } from '../../operators/runs/rows.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { bigOf, KEY_BITS, type KeyWords, newKey, newKeyOf } from '../games/yours/keyed/key-words.js';
import { TEXT_SHIFT } from './graph-layout.js';
import { unmixedOf, unmixKey } from './ids.js';
import { rowsInOrder, type StrideColumns } from './stride-columns.js';

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

export interface KeyWriter extends Omit<NameWriter, 'append'> {
  /** Writes the keys of the next nodes, mixed. */
  append(keys: KeyColumns, length: number): Promise<void>;
}

/** Writes a key for each node from node `first` on. */
export async function createKeyWriter(
  store: Store,
  name: string,
  first: number,
  form: KeyForm,
  counters: Counters,
): Promise<KeyWriter> {
  const run = await createRun(store, name, keySpecOf(form), { batchRows: KEY_ROWS, counters });
  let nodes = first;
  return {
    async append({ high, low, upper }, length) {
      const columns = [high, low, ...upper];
      for (let from = 0; from < length; ) {
        const block = nodes >>> TEXT_SHIFT;
        const to = Math.min(length, from + ((block + 1) << TEXT_SHIFT) - nodes);
        await run.append(block, to - from, null, views(columns, from, to));
        nodes += to - from;
        from = to;
      }
    },
    close: () => run.close(),
    abort: () => run.abort(),
  };
}

/** One run of the names of all strides; each goes on where the one before ends. */
export async function joinNames(
  store: Store,
  strides: readonly StrideColumns[],
  { name, keys }: { readonly name: string; readonly keys: KeyForm | null },
  counters: Counters,
): Promise<RunRef> {
  if (keys !== null) return joinKeys(store, strides, name, keys, counters);
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

async function joinKeys(
  store: Store,
  strides: readonly StrideColumns[],
  name: string,
  form: KeyForm,
  counters: Counters,
): Promise<RunRef> {
  const writer = await createKeyWriter(store, name, 0, form, counters);
  return orAbort(writer, async () => {
    for (const stride of strides)
      for await (const { length, columns } of rowsInOrder(store, stride, { counters, kind: KEYS }))
        await writer.append(keyColumnsOf(columns as Uint32Array[]), length);
    return writer.close();
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

export interface Names {
  /** The names of all nodes, in order. */
  all(): AsyncGenerator<string>;
  /** The same, as they are stored. */
  batches(): AsyncGenerator<NameBatch>;
  /** That of a node: reads a block. */
  of(node: number): Promise<string>;
}

export async function openNames(store: Store, ref: RunRef, counters: Counters): Promise<Names> {
  const reader = await openRun(store, ref, { counters });
  if (reader.spec.kind === KEYS) return namesOfKeys(reader);
  if (reader.spec.kind !== NAMES)
    throw new DamageError(
      `${ref.name} in ${store.uri}`,
      `is a run of kind "${reader.spec.kind}", which holds no names`,
    );
  const decoder = new TextDecoder();

  async function* from(block: number, end: number): AsyncGenerator<NameBatch & { readonly keys: null }> {
    let bytes = new Uint8Array(1 << 15);
    let held = 0;
    for await (const batch of reader.denseCursor({ from: block, to: end })) {
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

  const batches = () => from(0, 2 ** 31);
  return {
    async *all() {
      for await (const { texts } of batches()) yield* texts;
    },
    batches,
    async of(node) {
      const block = node >>> TEXT_SHIFT;
      let at = block << TEXT_SHIFT;
      for await (const { length, texts } of from(block, block + 1)) {
        if (node < at + length) return texts[node - at];
        at += length;
      }
      throw new Error(`node ${node} has no name`);
    },
  };
}

function namesOfKeys(reader: RunReader): Names {
  const seed = Number(reader.spec.meta.seed ?? 0);

  async function* batches(): AsyncGenerator<NameBatch & { readonly texts: null }> {
    for await (const { length, columns } of reader.denseCursor({ from: 0, to: 2 ** 31 })) {
      const mixed = keyColumnsOf(columns as Uint32Array[]);
      const [high, low] = [new Uint32Array(length), new Uint32Array(length)];
      const key = keyFor(mixed);
      for (let i = 0; i < length; i++) {
        readKey(mixed, i, key);
        unmixKey(key, seed);
        high[i] = key.high;
        low[i] = key.low;
      }
      yield {
        length,
        texts: null,
        keys: { high, low, upper: mixed.upper.map((column) => column.slice(0, length)) },
      };
    }
  }

  return {
    async *all() {
      for await (const { length, keys } of batches())
        for (let i = 0; i < length; i++) yield String(keyAt(keys, i));
    },
    batches,
    async of(node) {
      const block = node >>> TEXT_SHIFT;
      for await (const { first, length, columns } of reader.denseCursor({ from: block, to: block + 1 })) {
        const at = (node & ((1 << TEXT_SHIFT) - 1)) - first;
        if (at < 0 || at >= length) continue;
        const mixed = keyColumnsOf(columns as Uint32Array[]);
        const key = keyFor(mixed);
        readKey(mixed, at, key);
        return String(unmixedOf(key, seed));
      }
      throw new Error(`node ${node} has no name`);
    },
  };
}
