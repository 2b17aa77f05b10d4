/** A file that is read: the value at an index, or all of them in order. Small files are read whole, others in pages. */
import { DamageError } from '../../../../../operators/core/errors.js';
import { objectName } from '../../../../../operators/storage/object-names.js';
import { readSoundly, type Store } from '../../../../../operators/storage/store.js';
import type { FileKind } from '../format.js';
import type { Material } from '../material.js';
import { isSound } from '../sound.js';
import { BEHIND, newBlockDecoder, valueIn } from './code.js';
import { type Body, type HeadOptions, readHead, type StoredSubtable, type StoredSubtables } from './head.js';
import type { Paged, Pages } from './pages.js';

export interface SyzygyFile {
  readonly kind: FileKind;
  readonly material: Material;
  readonly subtables: StoredSubtables;
  /** For messages: its name, and where it is. */
  readonly object: string;
  /** The value at an index of one of its subtables. Throws StorageError. */
  value(subtable: StoredSubtable, index: number): Promise<number>;
  /** Shows all values of a subtable in the order of their indices; the array is valid until `show` is done. Throws StorageError. */
  eachStretch(
    subtable: StoredSubtable,
    show: (values: Uint16Array, from: number) => void | Promise<void>,
  ): Promise<void>;
  /** All values of a subtable in the order of their indices. Throws StorageError. */
  values(subtable: StoredSubtable): Promise<Uint16Array>;
}

/** Bytes that are read at once where all values are. */
const STRETCH = 1 << 20;
/** Values that are shown at once: those of a block at least. */
const MOST_VALUES = 1 << 17;

/**
 * Opens a file by its name; null if there is none. Of a small one, the checksum is looked at. Throws StorageError, and of a
 * file that is damaged DamageError.
 */
export async function openSyzygyFile(
  store: Store,
  pages: Pages,
  name: string,
  kind: FileKind,
  material: Material,
): Promise<SyzygyFile | null> {
  const size = await store.size(name);
  if (size === null) return null;
  const object = objectName(store, name);
  const paged = pages.of(name, size);
  const subtables = await readSoundly(store, name, async () => {
    const options = { kind, material, size, object };
    if (!paged.isWhole) return readLongHead(paged, options);
    const whole = await paged.read(0, size);
    if (isSound(whole, kind, material)) return readHead(whole, options)!;
    paged.forget();
    // The head may say more exactly what is wrong.
    readHead(whole, options);
    throw new DamageError(object, 'does not match its checksum');
  });
  return { kind, material, subtables, object, ...readerOf(store, name, object, paged) };
}

/** Most heads are within the first so many bytes. */
const USUAL_HEAD = 1 << 14;

async function readLongHead({ begin }: Paged, options: HeadOptions): Promise<StoredSubtables> {
  for (let length = USUAL_HEAD; ; length *= 4) {
    const found = readHead(await begin(Math.min(options.size, length)), options);
    if (found !== null) return found;
  }
}

/** Reads values of a file that is open. */
function readerOf(
  store: Store,
  name: string,
  object: string,
  { read }: Paged,
): Pick<SyzygyFile, 'value' | 'eachStretch' | 'values'> {
  /** The block that holds an index, and the place of its value there. */
  async function find({ sparse, spanBits, lengths, lengthCount, blocks }: Body, index: number) {
    const lengthOf = async (block: number): Promise<number> => {
      if (block < 0 || block >= lengthCount) throw misled();
      return viewOf(await read(lengths + 2 * block, 2)).getUint16(0, true) + 1;
    };
    const span = 2 ** spanBits;
    const item = viewOf(await read(sparse + 6 * Math.floor(index / span), 6));
    let block = item.getUint32(0, true);
    let place = item.getUint16(4, true) + (index % span) - span / 2;
    while (place < 0) place += await lengthOf(--block);
    for (;;) {
      const length = await lengthOf(block);
      if (block >= blocks) throw misled();
      if (place < length) return { block, place };
      place -= length;
      block++;
    }
  }

  const misled = () => new DamageError(object, 'has an index that leads to no block');
  const block = new Uint8Array(65536 + BEHIND);

  async function value({ constant, body }: StoredSubtable, index: number): Promise<number> {
    if (body === null) return constant!;
    const found = await find(body, index);
    const bytes = 2 ** body.blockBits;
    const from = await read(body.data + found.block * bytes, bytes);
    block.set(from);
    block.fill(0, bytes, bytes + BEHIND);
    const is = valueIn(body.code, block, bytes, found.place);
    if (is < 0) throw new DamageError(object, `block ${found.block} has fewer values than it should`);
    return is;
  }

  const eachStretch: SyzygyFile['eachStretch'] = (subtable, show) =>
    showStretches(store, name, object, subtable, show);

  async function values(subtable: StoredSubtable): Promise<Uint16Array> {
    const all = new Uint16Array(subtable.index.size);
    await eachStretch(subtable, (some, from) => all.set(some, from));
    return all;
  }

  return { value, eachStretch, values };
}

/** See {@link SyzygyFile.eachStretch}. */
async function showStretches(
  store: Store,
  name: string,
  object: string,
  { constant, body, index: { size } }: StoredSubtable,
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
    const lengths = new Uint8Array(2 * count);
    await store.read(name, body.lengths + 2 * first, lengths);
    const data = new Uint8Array(count * bytes + BEHIND);
    await store.read(name, body.data + first * bytes, data.subarray(0, count * bytes));
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
