/**
 * The pages of files that were read last, and the blocks decoded last, within a number of bytes. A small file is one page. Each page is
 * compared with the CRC-32 that the check of its file took (sound.ts), whenever it is read.
 */

import { crc32 } from '../../../../../operators/core/checksum.js';
import { DamageError } from '../../../../../operators/core/errors.js';
import { RecentCache } from '../../../../../operators/core/recent-cache.js';
import { objectName } from '../../../../../operators/storage/object-names.js';
import { readSoundly, type Store } from '../../../../../operators/storage/store.js';
import type { BlockSymbols } from './code.js';
import { type CheckOptions, type FileCheck, PAGE, type SoundFile } from './sound.js';

/** How much is read at once, in bytes. */
export interface ReadSizes {
  /** Larger files are read in pages. */
  readonly whole: number;
  readonly page: number;
  /** Pages that are asked for at about the same time and lie no further apart are one read; undefined: each is one, at once. */
  readonly gap?: number | undefined;
  /** Files are checked by the sums beside them, where they have some (page-sums.ts): few bytes of them are read. */
  readonly bySums?: boolean;
}

const SIZES: ReadSizes = { whole: 1 << 20, page: PAGE };

/** A page is not as it was when its file was checked: the file has been written to since, or the disk has lost bits. */
export class ChangedError extends DamageError {}

/** A file in pages. */
export interface Paged {
  /** Its number among the files, from 0 on. */
  readonly file: number;
  /** Bytes of a page; the last one may have fewer. */
  readonly pageBytes: number;
  /** The page of this number if it is in memory, else null. */
  pageAtHand(number: number): Uint8Array | null;
  /** The page of this number; reads it unless it is in memory. Throws ChangedError, as all that reads. */
  page(number: number): Promise<Uint8Array>;
  /** Bytes [offset, offset + length), of as many pages as have some of them. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The same by one read, of pages that are not kept: for those who go through the file. */
  pass(offset: number, length: number): Promise<Uint8Array>;
}

export interface Pages {
  /** Decoded blocks of all files, by keys of file.ts. */
  readonly blocks: RecentCache<number, BlockSymbols>;
  readonly bySums: boolean;
  /** Opens a file that this check finds sound, and keeps pages that pass during the check. Throws the DamageError that it finds. */
  open(
    store: Store,
    name: string,
    check: (options: CheckOptions) => Promise<FileCheck | null>,
  ): Promise<(SoundFile & { readonly paged: Paged }) | null>;
}

/** Pages that a file can have: the keys of all files' pages are numbers. */
const MOST_PAGES = 2 ** 32;

/** @param bytes half for pages, half for decoded blocks; the page read last is kept however large it is, and so is the last block. */
export function newPages(bytes: number, sizes: ReadSizes = SIZES): Pages {
  const recent = new RecentCache<number, Uint8Array>(bytes / 2);
  const reading = new Map<number, Promise<Uint8Array>>();
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

  function read(key: number, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const found = atHand(key);
    if (found !== null) return Promise.resolve(found);
    let page = reading.get(key);
    if (page === undefined) {
      page = load()
        .then((loaded) => keep(key, loaded))
        // Who asks again after an error may have more luck.
        .finally(() => reading.delete(key));
      reading.set(key, page);
    }
    return page;
  }

  function paged(
    store: Store,
    name: string,
    file: number,
    { bytes: size, pageBytes, sums }: SoundFile,
  ): Paged {
    const load = sizes.gap === undefined ? readsOf(store, name) : gatheredReads(store, name, sizes.gap);
    const base = file * MOST_PAGES;

    /** Reads whole pages, again as long as the store allows if a fault may lie in the transfer. */
    const loadSoundly = (by: Read, from: number, end: number): Promise<Uint8Array> =>
      readSoundly(store, name, async () => {
        const loaded = await by(from, end - from);
        for (let at = 0; at < loaded.length; at += pageBytes) {
          if (crc32(loaded.subarray(at, at + pageBytes)) === sums[(from + at) / pageBytes]) continue;
          throw new ChangedError(objectName(store, name), 'is not as it was when it was checked');
        }
        return loaded;
      });
    const endOfPage = (number: number) => Math.min((number + 1) * pageBytes, size);
    const page = (number: number) =>
      read(base + number, () => loadSoundly(load, number * pageBytes, endOfPage(number)));

    return {
      file,
      pageBytes,
      page,
      pageAtHand: (number) => atHand(base + number),
      async read(offset, count) {
        const first = Math.floor(offset / pageBytes);
        const start = offset - first * pageBytes;
        if (start + count <= pageBytes) return (await page(first)).subarray(start, start + count);
        const numbers = Array.from({ length: Math.ceil((start + count) / pageBytes) }, (_, i) => first + i);
        const all = new Uint8Array(count);
        for (const [i, bytes] of (await Promise.all(numbers.map(page))).entries()) {
          const from = Math.max(0, start - i * pageBytes);
          all.set(bytes.subarray(from, start + count - i * pageBytes), i * pageBytes + from - start);
        }
        return all;
      },
      async pass(offset, count) {
        // Of a small file the one page is at hand, or worth keeping.
        if (pageBytes === size) return (await page(0)).subarray(offset, offset + count);
        const from = offset - (offset % pageBytes);
        const end = endOfPage(Math.floor((offset + count - 1) / pageBytes));
        return (await loadSoundly(readsOf(store, name), from, end)).subarray(
          offset - from,
          offset - from + count,
        );
      },
    };
  }

  return {
    blocks: new RecentCache(bytes / 2),
    bySums: sizes.bySums === true,
    async open(store, name, check) {
      const file = files++;
      let pageBytes = 0;
      let keeps = false;
      const found = await check({
        pageBytes(size) {
          pageBytes = size <= mostWhole ? size : sizes.page;
          // Pages of larger files would push each other out.
          keeps = size <= recent.limit;
          return pageBytes;
        },
        take(offset, bytes) {
          if (!keeps) return;
          for (let at = 0; at < bytes.length; at += pageBytes)
            keep(file * MOST_PAGES + (offset + at) / pageBytes, bytes.slice(at, at + pageBytes));
        },
      });
      if (found === null) return null;
      if (!found.isSound) throw found.damage;
      return { ...found, paged: paged(store, name, file, found) };
    },
  };
}

function readsOf(store: Store, name: string): Read {
  return async (offset, length) => {
    const into = new Uint8Array(length);
    await store.read(name, offset, into);
    return into;
  };
}

type Read = (offset: number, length: number) => Promise<Uint8Array>;

interface Wanted {
  readonly offset: number;
  readonly length: number;
  done(bytes: Uint8Array): void;
  failed(error: unknown): void;
}

/**
 * Reads of a file that are asked for at about the same time; those that lie close together become one: over a network each costs time.
 * @param gap bytes between two reads that are read along rather than skipped.
 */
function gatheredReads(store: Store, name: string, gap: number): Read {
  let waiting: Wanted[] | null = null;

  function start(): Wanted[] {
    const all: Wanted[] = [];
    waiting = all;
    // All that is asked for until then is known together: probes ask for the values of all moves at once.
    setTimeout(() => {
      waiting = null;
      for (const some of neighbours(all, gap)) void readTogether(some);
    }, 0);
    return all;
  }

  async function readTogether(wanted: readonly Wanted[]): Promise<void> {
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

  return (offset, length) =>
    new Promise((done, failed) => {
      (waiting ?? start()).push({ offset, length, done, failed });
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
