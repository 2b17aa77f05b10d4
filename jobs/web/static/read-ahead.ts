/** A store from which tables are read from one end to the other: in few large requests, not one for each record batch. */
import { newReadAhead } from '../../../operators/storage/read-ahead.js';
import type { Store } from '../../../operators/storage/store.js';

/** What is read and not yet asked for. */
const BYTES = 32 << 20;

export function readAhead(store: Store): Store {
  const ahead = newReadAhead(BYTES, async (name, offset, into) => {
    const size = (await store.size(name)) ?? 0;
    const length = Math.max(0, Math.min(into.length, size - offset));
    await store.read(name, offset, into.subarray(0, length));
    return length;
  });
  return {
    ...store,
    async read(name, offset, into) {
      const length = await ahead.read(name, offset, into);
      // Beyond the end the store itself says what is wrong.
      if (length < into.length) await store.read(name, offset, into);
    },
    async distrust(name, times) {
      ahead.forget(name);
      return (await store.distrust?.(name, times)) ?? false;
    },
  };
}
