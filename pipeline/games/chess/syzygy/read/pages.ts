/** The pages of files that were read last, and the blocks decoded last, within a number of bytes. A small file is one page. */

import { RecentCache } from '../../../../../operators/core/recent-cache.js';
import type { Store } from '../../../../../operators/storage/store.js';
import type { BlockSymbols } from './code.js';

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
  /** Its number among the files, from 0 on. */
  readonly file: number;
  readonly size: number;
  /** Bytes of a page; the last one may have fewer. */
  readonly pageBytes: number;
  /** Whether the file is one page. */
  readonly isWhole: boolean;
  /** The page of this number if it is in memory, else null. */
  pageAtHand(number: number): Uint8Array | null;
  /** The page of this number; reads it unless it is in memory. */
  page(number: number): Promise<Uint8Array>;
  /** Bytes [offset, offset + length), of as many pages as have some of them. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The first `length` bytes by one read; those of whole pages are kept. */
  begin(length: number): Promise<Uint8Array>;
  /** Drops all pages of a whole file: they were wrong. */
  forget(): void;
}

export interface Pages {
  /** Decoded blocks of all files, by keys of file.ts. */
  readonly blocks: RecentCache<number, BlockSymbols>;
  /** A file of this name and of so many bytes. */
  of(name: string, size: number): Paged;
}

/** Pages that a file can have: the keys of all files' pages are numbers. */
const MOST_PAGES = 2 ** 32;

/** @param bytes half for pages, half for decoded blocks; the page read last is kept however large it is, and so is the last block. */
export function newPages(store: Store, bytes: number, sizes: ReadSizes = SIZES): Pages {
  const recent = new RecentCache<number, Uint8Array>(bytes / 2);
  const reading = new Map<number, Promise<Uint8Array>>();
  const load = sizes.gap === undefined ? readsOf(store) : gatheredReads(store, sizes.gap);
  const mostWhole = Math.min(sizes.whole, bytes / 4);
  let files = 0;
  /** The page looked into last, where the next look often falls. */
  let lately = -1;
  let latest: Uint8Array | null = null;

  function atHand(key: number): Uint8Array | null {
    if (key === lately) return latest;
    const page = recent.get(key);
    if (page === undefined) return null;
    lately = key;
    latest = page;
    return page;
  }

  function keep(key: number, page: Uint8Array): Uint8Array {
    recent.set(key, page, page.length);
    if (key === lately) latest = page;
    return page;
  }

  function read(key: number, name: string, offset: number, length: number): Promise<Uint8Array> {
    const found = atHand(key);
    if (found !== null) return Promise.resolve(found);
    let page = reading.get(key);
    if (page === undefined) {
      page = load(name, offset, length)
        .then((loaded) => keep(key, loaded))
        // Who asks again after an error may have more luck.
        .finally(() => reading.delete(key));
      reading.set(key, page);
    }
    return page;
  }

  return {
    blocks: new RecentCache(bytes / 2),
    of(name, size) {
      const file = files++;
      const isWhole = size <= mostWhole;
      const length = isWhole ? size : sizes.page;
      const base = file * MOST_PAGES;
      const page = (number: number) =>
        read(base + number, name, number * length, Math.min(length, size - number * length));
      return {
        file,
        size,
        pageBytes: length,
        isWhole,
        page,
        pageAtHand: (number) => atHand(base + number),
        forget() {
          recent.delete(base);
          if (lately === base) lately = -1;
        },
        async begin(count) {
          const first = await load(name, 0, count);
          for (let at = 0; at + length <= count; at += length)
            keep(base + at / length, first.slice(at, at + length));
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

type Read = (name: string, offset: number, length: number) => Promise<Uint8Array>;

interface Wanted {
  readonly offset: number;
  readonly length: number;
  done(bytes: Uint8Array): void;
  failed(error: unknown): void;
}

/**
 * Reads that are asked for at about the same time; those that lie close together become one: over a network each costs time.
 * @param gap bytes between two reads that are read along rather than skipped.
 */
function gatheredReads(store: Store, gap: number): Read {
  const waiting = new Map<string, Wanted[]>();

  function start(name: string): Wanted[] {
    const all: Wanted[] = [];
    waiting.set(name, all);
    // All that is asked for until then is known together: probes ask for the values of all moves at once.
    setTimeout(() => {
      waiting.delete(name);
      for (const some of neighbours(all, gap)) void readTogether(name, some);
    }, 0);
    return all;
  }

  async function readTogether(name: string, wanted: readonly Wanted[]): Promise<void> {
    const [{ offset }] = wanted;
    const end = Math.max(...wanted.map(endOf));
    const bytes = new Uint8Array(end - offset);
    try {
      await store.read(name, offset, bytes);
      for (const each of wanted) each.done(bytes.slice(each.offset - offset, endOf(each) - offset));
    } catch (error) {
      for (const each of wanted) each.failed(error);
    }
  }

  return (name, offset, length) =>
    new Promise((done, failed) => {
      const all = waiting.get(name) ?? start(name);
      all.push({ offset, length, done, failed });
    });
}

const endOf = ({ offset, length }: Wanted): number => offset + length;

/** Groups in order, between whose members lie no more bytes than the gap. */
function neighbours(wanted: readonly Wanted[], gap: number): Wanted[][] {
  const groups: Wanted[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const each of wanted.toSorted((a, b) => a.offset - b.offset)) {
    if (each.offset - end <= gap) groups.at(-1)!.push(each);
    else groups.push([each]);
    end = Math.max(end, endOf(each));
  }
  return groups;
}
