import { ABSENT, StorageError } from '../core/errors.js';
import { checkName, objectName } from './object-names.js';
import type { Sink, Store } from './store.js';
import type { Swap } from './swap.js';

/** Objects that were published in any store of this process: the versions of objects. */
let publications = 0;

/** A Store in the memory of this process: for tests, and for results that the caller reads at once. */
export function memoryStore(): Store {
  const objects = new Map<string, Uint8Array>();
  const published = new Map<string, number>();
  const versions = new Map<string, number>();
  /** Swap space that was opened by its name. */
  const swaps = new Map<string, SwapBytes>();
  const uri = 'memory:';
  const at = { uri };
  const publish = (name: string, bytes: Uint8Array): void => {
    objects.set(name, bytes);
    published.set(name, Date.now());
    versions.set(name, publications++);
  };

  return {
    uri,
    async read(name, offset, into) {
      checkName(at, name);
      const bytes = objects.get(name);
      if (bytes === undefined) throw new StorageError(objectName(at, name), ABSENT);
      if (offset + into.length > bytes.length)
        throw tooShort(objectName(at, name), offset, into.length, bytes.length);
      into.set(bytes.subarray(offset, offset + into.length));
    },
    async size(name) {
      checkName(at, name);
      return objects.get(name)?.length ?? null;
    },
    async modified(name) {
      checkName(at, name);
      return published.get(name) ?? null;
    },
    clockAhead: async () => 0,
    async state(name) {
      checkName(at, name);
      const size = objects.get(name)?.length;
      return size === undefined ? null : { size, version: String(versions.get(name)) };
    },
    async create(name) {
      checkName(at, name);
      return memorySink((bytes) => publish(name, bytes));
    },
    async putIfAbsent(name, bytes) {
      checkName(at, name);
      if (objects.has(name)) return false;
      publish(name, bytes.slice());
      return true;
    },
    async list(prefix) {
      return [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
    },
    async delete(name) {
      checkName(at, name);
      objects.delete(name);
      published.delete(name);
      swaps.delete(name);
    },
    swap(name, isNamed = false) {
      const space = (isNamed ? swaps.get(name) : undefined) ?? { bytes: new Uint8Array(0) };
      if (isNamed) swaps.set(name, space);
      return memorySwap(objectName(at, name), space, isNamed);
    },
  };
}

/** The error of a read past the end of an object: the object was cut short, or the reader was given a wrong place. */
export function tooShort(object: string, offset: number, wanted: number, size: number): StorageError {
  return new StorageError(
    object,
    `ends at byte ${size}, but bytes ${offset} to ${offset + wanted} were asked for: it is cut short`,
  );
}

function memorySink(publish: (bytes: Uint8Array) => void): Sink {
  let written: Uint8Array[] = [];
  return {
    async write(pieces) {
      for (const piece of pieces) written.push(piece.slice());
    },
    async close() {
      const bytes = new Uint8Array(written.reduce((sum, piece) => sum + piece.length, 0));
      let at = 0;
      for (const piece of written) {
        bytes.set(piece, at);
        at += piece.length;
      }
      publish(bytes);
    },
    async abort() {
      written = [];
    },
  };
}

interface SwapBytes {
  bytes: Uint8Array;
}

function memorySwap(object: string, space: SwapBytes, isNamed: boolean): Swap {
  return {
    read(offset, into) {
      const { bytes } = space;
      if (offset + into.length > bytes.length) throw tooShort(object, offset, into.length, bytes.length);
      into.set(bytes.subarray(offset, offset + into.length));
    },
    write(offset, from) {
      const { bytes } = space;
      if (offset + from.length > bytes.length) {
        space.bytes = new Uint8Array(Math.max(offset + from.length, 2 * bytes.length));
        space.bytes.set(bytes);
      }
      space.bytes.set(from, offset);
    },
    remove() {
      if (!isNamed) space.bytes = new Uint8Array(0);
    },
  };
}
