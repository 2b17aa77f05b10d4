import type { Store } from './store.js';

/** The objects of a store whose names begin with `folder`, which ends with a slash, as a store of their own. */
export function storeBelow(store: Store, folder: string): Store {
  const { readWhole, state } = store;
  return {
    ...(readWhole === undefined ? {} : { readWhole: (name) => readWhole(folder + name) }),
    ...(state === undefined ? {} : { state: (name) => state(folder + name) }),
    uri: `${store.uri}/${folder.slice(0, -1)}`,
    read: (name, offset, into) => store.read(folder + name, offset, into),
    size: (name) => store.size(folder + name),
    modified: (name) => store.modified(folder + name),
    clockAhead: () => store.clockAhead(),
    create: (name) => store.create(folder + name),
    putIfAbsent: (name, bytes) => store.putIfAbsent(folder + name, bytes),
    list: async (prefix) => (await store.list(folder + prefix)).map((name) => name.slice(folder.length)),
    delete: (name) => store.delete(folder + name),
    expect: (name) => store.expect?.(folder + name),
    distrust: async (name, times) => (await store.distrust?.(folder + name, times)) ?? false,
  };
}
