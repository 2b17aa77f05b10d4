/**
 * Input and output as a device sees it. An operation is *sequential* if it begins at its file's start, or where the last one of
 * its kind in the file ended. Else it is *random*. Every solver is counted by this same rule, at the calls that leave it:
 * stores, swap space and page files. Operations on names alone (size, list, delete) are not counted.
 */
import type { PageFile, PageFolder } from '../../operators/storage/page-folder.js';
import { PAGE_BYTES } from '../../operators/storage/page-folder.js';
import type { Store } from '../../operators/storage/store.js';
import type { Swap } from '../../operators/storage/swap.js';

interface Flow {
  operations: number;
  bytes: number;
}

export interface IoCounts {
  readonly read: { readonly sequential: Flow; readonly random: Flow };
  readonly written: { readonly sequential: Flow; readonly random: Flow };
  /** Sequential operations that begin at a file's start: streams; each has to be found on the device once. */
  streams: number;
}

export function newIoCounts(): IoCounts {
  const flow = (): Flow => ({ operations: 0, bytes: 0 });
  const both = () => ({ sequential: flow(), random: flow() });
  return { read: both(), written: both(), streams: 0 };
}

/** Bytes and operations of all kinds together, and of the random ones. */
export function ioTotals({ read, written }: IoCounts): { all: Flow; sequential: Flow; random: Flow } {
  const sum = (a: Flow, b: Flow): Flow => ({
    operations: a.operations + b.operations,
    bytes: a.bytes + b.bytes,
  });
  const sequential = sum(read.sequential, written.sequential);
  const random = sum(read.random, written.random);
  return { all: sum(sequential, random), sequential, random };
}

type Kind = 'read' | 'written';

/** End of the last operation of each kind in a file. */
interface Ends {
  read: number;
  written: number;
}

const atStart = (): Ends => ({ read: 0, written: 0 });

function count(counts: IoCounts, ends: Ends, kind: Kind, offset: number, bytes: number): void {
  const sequential = offset === 0 || offset === ends[kind];
  const flow = sequential ? counts[kind].sequential : counts[kind].random;
  flow.operations++;
  flow.bytes += bytes;
  if (offset === 0) counts.streams++;
  ends[kind] = offset + bytes;
}

/** The store, with every read and write added to `counts`. */
export function countedStore(store: Store, counts: IoCounts): Store {
  const files = new Map<string, Ends>();
  const endsOf = (name: string): Ends => {
    let ends = files.get(name);
    if (ends === undefined) files.set(name, (ends = atStart()));
    return ends;
  };
  const counted: Store = {
    ...store,
    async read(name, offset, into) {
      await store.read(name, offset, into);
      count(counts, endsOf(name), 'read', offset, into.length);
    },
    async create(name) {
      const sink = await store.create(name);
      const ends = atStart();
      return {
        ...sink,
        async write(chunks) {
          await sink.write(chunks);
          let bytes = 0;
          for (const chunk of chunks) bytes += chunk.length;
          if (bytes > 0) count(counts, ends, 'written', ends.written, bytes);
        },
      };
    },
    async putIfAbsent(name, bytes) {
      count(counts, atStart(), 'written', 0, bytes.length);
      return store.putIfAbsent(name, bytes);
    },
    async delete(name) {
      files.delete(name);
      await store.delete(name);
    },
  };
  return store.swap === undefined
    ? counted
    : { ...counted, swap: (name, isNamed) => countedSwap(store.swap!(name, isNamed), counts) };
}

function countedSwap(swap: Swap, counts: IoCounts): Swap {
  const ends = atStart();
  return {
    ...swap,
    read(offset, into) {
      swap.read(offset, into);
      count(counts, ends, 'read', offset, into.length);
    },
    write(offset, bytes) {
      swap.write(offset, bytes);
      count(counts, ends, 'written', offset, bytes.length);
    },
  };
}

/** The folder, with every page and small file read and written added to `counts`. */
export function countedPageFolder(folder: PageFolder, counts: IoCounts): PageFolder {
  return {
    ...folder,
    open: (name, empty) => countedPageFile(folder.open(name, empty), counts),
    get(name) {
      const bytes = folder.get(name);
      if (bytes !== null) count(counts, atStart(), 'read', 0, bytes.length);
      return bytes;
    },
    replace(name, bytes) {
      folder.replace(name, bytes);
      count(counts, atStart(), 'written', 0, bytes.length);
    },
  };
}

function countedPageFile(file: PageFile, counts: IoCounts): PageFile {
  const ends = atStart();
  return {
    ...file,
    read(page, pool, at) {
      file.read(page, pool, at);
      count(counts, ends, 'read', page * PAGE_BYTES, PAGE_BYTES);
    },
    write(page, pool, at) {
      file.write(page, pool, at);
      count(counts, ends, 'written', page * PAGE_BYTES, PAGE_BYTES);
    },
  };
}
