/** The pages of files that were read last, within a number of bytes. A small file is one page. */
import type { Store } from '../../../../../operators/storage/store.js';
import { gatheredReads, type Read } from './gathered.js';

/** How much is read at once, in bytes. */
export interface ReadSizes {
  /** Larger files are read in pages. */
  readonly whole: number;
  readonly page: number;
  /** Pages that are asked for at about the same time and lie no further apart are one read; undefined: each is one, at once. */
  readonly gap?: number | undefined;
}

const SIZES: ReadSizes = { whole: 1 << 20, page: 1 << 14 };

/** A file in pages. */
export interface Paged {
  readonly size: number;
  /** Whether the file is one page. */
  readonly isWhole: boolean;
  /** Bytes [offset, offset + length), of as many pages as have some of them. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The first `length` bytes by one read; those of whole pages are kept. */
  begin(length: number): Promise<Uint8Array>;
  /** Drops all pages of a whole file: they were wrong. */
  forget(): void;
}

export interface Pages {
  of(name: string, size: number): Paged;
}

/** @param bytes what pages may take; those that were read last are kept however large they are. */
export function newPages(store: Store, bytes: number, sizes: ReadSizes = SIZES): Pages {
  // A Map keeps the order of insertion: the first page is the one not used for the longest time.
  const recent = new Map<string, { readonly page: Promise<Uint8Array>; readonly bytes: number }>();
  const load = sizes.gap === undefined ? readsOf(store) : gatheredReads(store, sizes.gap);
  const mostWhole = Math.min(sizes.whole, bytes / 4);
  let held = 0;

  function forget(key: string): void {
    held -= recent.get(key)?.bytes ?? 0;
    recent.delete(key);
  }

  function pageAt(name: string, offset: number, length: number): Promise<Uint8Array> {
    const key = `${offset} ${name}`;
    const found = recent.get(key);
    if (found !== undefined) {
      recent.delete(key);
      recent.set(key, found);
      return found.page;
    }
    const page = load(name, offset, length);
    // Who asks again may have more luck.
    page.catch(() => forget(key));
    keep(key, page, length);
    return page;
  }

  function keep(key: string, page: Promise<Uint8Array>, length: number): void {
    forget(key);
    recent.set(key, { page, bytes: length });
    held += length;
    for (const oldest of recent.keys()) {
      if (held <= bytes || oldest === key) break;
      forget(oldest);
    }
  }

  return {
    of(name, size) {
      const isWhole = size <= mostWhole;
      const length = isWhole ? size : sizes.page;
      const page = (number: number) =>
        pageAt(name, number * length, Math.min(length, size - number * length));
      return {
        size,
        isWhole,
        forget: () => forget(`0 ${name}`),
        async begin(count) {
          const first = await load(name, 0, count);
          for (let at = 0; at + length <= count; at += length) {
            keep(`${at} ${name}`, Promise.resolve(first.slice(at, at + length)), length);
          }
          return first;
        },
        async read(offset, count) {
          const first = Math.floor(offset / length);
          const start = offset - first * length;
          if (start + count <= length) return (await page(first)).subarray(start, start + count);
          const numbers = Array.from({ length: Math.ceil((start + count) / length) }, (_, i) => first + i);
          const all = new Uint8Array(count);
          for (const [i, bytes] of (await Promise.all(numbers.map(page))).entries()) {
            const from = Math.max(0, start - i * length);
            all.set(bytes.subarray(from, start + count - i * length), i * length + from - start);
          }
          return all;
        },
      };
    },
  };
}

function readsOf(store: Store): Read {
  return async (name, offset, length) => {
    const into = new Uint8Array(length);
    await store.read(name, offset, into);
    return into;
  };
}
