/** A store that counts its operations, by the kinds that object stores charge for. */
import type { Store } from '../../../operators/storage/store.js';

/** Operations and bytes. A question for a size is a get; looks are those of them that find nothing. */
export interface Counted {
  puts: number;
  gets: number;
  looks: number;
  lists: number;
  deletes: number;
  bytesRead: number;
  bytesWritten: number;
}

export const nothingCounted = (): Counted => ({
  puts: 0,
  gets: 0,
  looks: 0,
  lists: 0,
  deletes: 0,
  bytesRead: 0,
  bytesWritten: 0,
});

export function sumCounted(all: readonly Counted[]): Counted {
  const sum = nothingCounted();
  for (const each of all) for (const key of Object.keys(sum) as (keyof Counted)[]) sum[key] += each[key];
  return sum;
}

/** Hears of objects as they are made and found. */
export interface Witness {
  before(name: string): Promise<void>;
  made(name: string): void;
  found(name: string): void;
}

export function countedStore(store: Store, counted: Counted, witness: Witness): Store {
  return {
    ...store,
    async read(name, offset, into) {
      counted.gets++;
      counted.bytesRead += into.length;
      await store.read(name, offset, into);
    },
    async size(name) {
      counted.gets++;
      const size = await store.size(name);
      if (size === null) counted.looks++;
      else witness.found(name);
      return size;
    },
    async create(name) {
      const sink = await store.create(name);
      return {
        ...sink,
        async write(chunks) {
          for (const chunk of chunks) counted.bytesWritten += chunk.length;
          await sink.write(chunks);
        },
        async close() {
          counted.puts++;
          await sink.close();
          witness.made(name);
        },
      };
    },
    async putIfAbsent(name, bytes) {
      await witness.before(name);
      counted.puts++;
      counted.bytesWritten += bytes.length;
      const isFirst = await store.putIfAbsent(name, bytes);
      if (isFirst) witness.made(name);
      else witness.found(name);
      return isFirst;
    },
    async list(prefix) {
      counted.lists++;
      const names = await store.list(prefix);
      for (const name of names) witness.found(name);
      return names;
    },
    async delete(name) {
      counted.deletes++;
      await store.delete(name);
    },
  };
}
