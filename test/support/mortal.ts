/** Processes that die at an operation on the store, within this one. */
import type { Store } from '../../operators/storage/store.js';

/** A process dies: nothing that it does after this reaches the store. */
export class Death extends Error {}

export interface Mortal {
  readonly store: Store;
  /** Operations so far. */
  operations(): number;
}

/** The store as a process has it that dies at its `last` operation: before it has an effect, or behind it. */
export function mortal(store: Store, last: number, isBefore = last % 2 === 0): Mortal {
  let operations = 0;
  let dead = false;
  const alive = async <T>(act: () => Promise<T>): Promise<T> => {
    if (dead) throw new Death();
    operations++;
    if (operations === last) dead = true;
    if (dead && isBefore) throw new Death();
    const result = await act();
    if (dead) throw new Death();
    return result;
  };
  return {
    operations: () => operations,
    store: {
      ...store,
      read: (name, offset, into) => alive(() => store.read(name, offset, into)),
      size: (name) => alive(() => store.size(name)),
      list: (prefix) => alive(() => store.list(prefix)),
      delete: (name) => alive(() => store.delete(name)),
      putIfAbsent: (name, bytes) => alive(() => store.putIfAbsent(name, bytes)),
      create: async (name) => {
        const sink = await alive(() => store.create(name));
        return {
          write: (chunks) => alive(() => sink.write(chunks)),
          close: () => alive(() => sink.close()),
          abort: () => sink.abort(),
        };
      },
    },
  };
}
