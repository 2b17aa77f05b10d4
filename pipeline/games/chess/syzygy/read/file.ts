/**
 * A file that is read: the value at an index, or all of them in order. It is checked as a whole when it is opened (sound.ts); then small
 * files are read whole, others in pages. A block that a lookup needs is decoded once into its symbols, which stay in a cache that all files
 * share; a lookup is a binary search in them.
 */
import { DamageError } from '../../../../../operators/core/errors.js';
import { objectName } from '../../../../../operators/storage/object-names.js';
import type { Store } from '../../../../../operators/storage/store.js';
import type { FileKind } from '../format.js';
import type { Material } from '../material.js';
import { BEHIND, type BlockSymbols, newBlockDecoder, symbolsOf, valueIn } from './code.js';
import type { Body, StoredSubtable, StoredSubtables } from './head.js';
import { checkBySums } from './page-sums.js';
import type { Paged, Pages } from './pages.js';
import { checkFile, forgetCheck } from './sound.js';

export interface SyzygyFile {
  readonly kind: FileKind;
  readonly material: Material;
  readonly subtables: StoredSubtables;
  /** For messages: its name, and where it is. */
  readonly object: string;
  /** The value at an index of one of its subtables; -1 if something must be read for it. Throws StorageError. */
  valueAtHand(subtable: StoredSubtable, index: number): number;
  /** The same, reading what it takes. Throws StorageError. */
  value(subtable: StoredSubtable, index: number): Promise<number>;
  /** Shows all values of a subtable in the order of their indices; the array is valid until `show` is done. Throws StorageError. */
  eachStretch(
    subtable: StoredSubtable,
    show: (values: Uint16Array, from: number) => void | Promise<void>,
  ): Promise<void>;
  /** All values of a subtable in the order of their indices. Throws StorageError. */
  values(subtable: StoredSubtable): Promise<Uint16Array>;
  /** Has the file checked again when it is opened the next time. */
  doubt(): void;
}

/** Bytes that are read at once where all values are. */
const STRETCH = 1 << 20;
/** Values that are shown at once: those of a block at least. */
const MOST_VALUES = 1 << 17;

/**
 * Opens a file by its name; null if there is none. The first time in a process, it is read through once to check it. Throws StorageError, and
 * of a file that is damaged DamageError.
 */
export async function openSyzygyFile(
  store: Store,
  pages: Pages,
  name: string,
  kind: FileKind,
  material: Material,
): Promise<SyzygyFile | null> {
  const check = pages.bySums ? checkBySums : checkFile;
  const found = await pages.open(store, name, (options) =>
    check(store, kind, material, { ...options, name }),
  );
  if (found === null) return null;
  const { paged, subtables, pageBytes } = found;
  const object = objectName(store, name);
  const reader = new ValueReader(paged, pages.blocks, object);
  return {
    kind,
    material,
    subtables,
    object,
    valueAtHand: (subtable, index) => reader.valueAtHand(subtable, index),
    value: (subtable, index) => reader.value(subtable, index),
    eachStretch: (subtable, show) => showStretches(paged, object, subtable, show),
    async values(subtable) {
      const all = new Uint16Array(subtable.size);
      await showStretches(paged, object, subtable, (some, from) => all.set(some, from));
      return all;
    },
    doubt: () => forgetCheck(store, name, pageBytes),
  };
}

/** A page, or what it has, must be read first. */
const MISSING = -1;
/** Bytes that a decoded block takes in addition to its symbols: the objects of its array. */
const BLOCK_OVERHEAD = 256;
/** Blocks that a subtable can have: the keys of all files' blocks are numbers. */
const MOST_BLOCKS = 2 ** 32;
/** A block of the most bytes, and what must follow it. */
const block = new Uint8Array(65536 + BEHIND);

/** Pages that were read for a lookup under way, by number: they stay even if a small cache gives them up. */
type PagesRead = ReadonlyMap<number, Uint8Array>;
const NOTHING_READ: PagesRead = new Map();

/** Reads values of a file that is open. A lookup that lacks a page ends, and begins again when the page has been read. */
class ValueReader {
  readonly #paged: Paged;
  readonly #blocks: Pages['blocks'];
  readonly #object: string;
  #read = NOTHING_READ;
  /** The first page that the last lookup lacked, and the last one of what it needed there: a block may lie in several. */
  #missing = 0;
  #missingTo = 0;

  constructor(paged: Paged, blocks: Pages['blocks'], object: string) {
    this.#paged = paged;
    this.#blocks = blocks;
    this.#object = object;
  }

  async value(subtable: StoredSubtable, index: number): Promise<number> {
    const read = new Map<number, Uint8Array>();
    for (;;) {
      const found = this.#look(subtable, index, read);
      if (found !== MISSING) return found;
      const pages = Array.from({ length: this.#missingTo - this.#missing + 1 }, (_, i) => this.#missing + i);
      // Asked for together, pages of a block are one read over a network.
      const loaded = await Promise.all(pages.map((page) => this.#paged.page(page)));
      for (const [i, page] of pages.entries()) read.set(page, loaded[i]);
    }
  }

  valueAtHand(subtable: StoredSubtable, index: number): number {
    return this.#look(subtable, index, NOTHING_READ);
  }

  #look({ constant, body, file, side }: StoredSubtable, index: number, read: PagesRead): number {
    if (body === null) return constant!;
    this.#read = read;
    const span = 2 ** body.spanBits;
    const item = Math.floor(index / span);
    const low = this.#u16(body.sparse + 6 * item);
    const high = this.#u16(body.sparse + 6 * item + 2);
    const middle = this.#u16(body.sparse + 6 * item + 4);
    if (low < 0 || high < 0 || middle < 0) return MISSING;
    let number = low + 2 ** 16 * high;
    let place = middle + (index - item * span) - span / 2;
    while (place < 0) {
      const length = this.#lengthOf(body, --number);
      if (length === MISSING) return MISSING;
      place += length;
    }
    for (; ; number++) {
      const length = this.#lengthOf(body, number);
      if (length === MISSING) return MISSING;
      if (number >= body.blocks) throw this.#misled();
      if (place < length) {
        const key = ((this.#paged.file * 4 + file) * 2 + side) * MOST_BLOCKS + number;
        const symbols = this.#blocks.get(key) ?? this.#decode(body, key, number, length);
        if (symbols === null) return MISSING;
        const found = valueIn(body.code, symbols, place);
        if (found < 0) throw new DamageError(this.#object, `block ${number} has fewer values than it should`);
        return found;
      }
      place -= length;
    }
  }

  #misled(): DamageError {
    return new DamageError(this.#object, 'has an index that points outside its blocks');
  }

  /** How many values a block has. */
  #lengthOf({ lengths, lengthCount }: Body, number: number): number {
    if (number < 0 || number >= lengthCount) throw this.#misled();
    const length = this.#u16(lengths + 2 * number);
    return length === MISSING ? MISSING : length + 1;
  }

  #decode({ data, blockBits, code }: Body, key: number, number: number, values: number): BlockSymbols | null {
    const bytes = 2 ** blockBits;
    if (!this.#copy(data + number * bytes, bytes)) return null;
    block.fill(0, bytes, bytes + BEHIND);
    const symbols = symbolsOf(code, block, bytes, values);
    this.#blocks.set(key, symbols, symbols.byteLength + BLOCK_OVERHEAD);
    return symbols;
  }

  /** Copies bytes of the file into `block`; false if a page of them is missing. */
  #copy(offset: number, bytes: number): boolean {
    const { pageBytes } = this.#paged;
    for (let at = offset; at < offset + bytes; ) {
      const number = Math.floor(at / pageBytes);
      const page = this.#page(number);
      if (page === null) {
        this.#missingTo = Math.floor((offset + bytes - 1) / pageBytes);
        return false;
      }
      const from = at - number * pageBytes;
      const part = page.subarray(from, from + offset + bytes - at);
      block.set(part, at - offset);
      at += part.length;
    }
    return true;
  }

  #u16(offset: number): number {
    const { pageBytes } = this.#paged;
    const number = Math.floor(offset / pageBytes);
    const from = offset - number * pageBytes;
    const page = this.#page(number);
    const next = from + 1 < pageBytes ? page : this.#page(number + 1);
    if (page === null || next === null) return MISSING;
    return page[from] | (next[(from + 1) % pageBytes] << 8);
  }

  #page(number: number): Uint8Array | null {
    const page = this.#paged.pageAtHand(number) ?? this.#read.get(number);
    if (page !== undefined) return page;
    this.#missing = number;
    this.#missingTo = number;
    return null;
  }
}

/** See {@link SyzygyFile.eachStretch}. */
async function showStretches(
  paged: Paged,
  object: string,
  { constant, body, size }: StoredSubtable,
  show: (values: Uint16Array, from: number) => void | Promise<void>,
): Promise<void> {
  const out = new Uint16Array(Math.min(size, MOST_VALUES));
  let from = 0;
  let held = 0;
  const flush = async (): Promise<void> => {
    await show(out.subarray(0, held), from);
    from += held;
    held = 0;
  };
  if (body === null) {
    out.fill(constant!);
    for (; from < size; await flush()) held = Math.min(out.length, size - from);
    return;
  }
  const { decode } = newBlockDecoder(body.code);
  const bytes = 2 ** body.blockBits;
  const some = Math.max(1, STRETCH / bytes);
  for (let first = 0; first < body.blocks; first += some) {
    const count = Math.min(some, body.blocks - first);
    const lengths = await paged.pass(body.lengths + 2 * first, 2 * count);
    const data = new Uint8Array(count * bytes + BEHIND);
    data.set(await paged.pass(body.data + first * bytes, count * bytes));
    for (let i = 0; i < count; i++) {
      const length = viewOf(lengths).getUint16(2 * i, true) + 1;
      const most = Math.min(length, size - from - held);
      if (held + most > out.length) await flush();
      if (!decode(data.subarray(i * bytes), bytes, most, out, held)) {
        throw new DamageError(object, `block ${first + i} has fewer values than it should`);
      }
      held += most;
    }
  }
  if (from + held < size) throw new DamageError(object, `has ${from + held} values, expected ${size}`);
  await flush();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
