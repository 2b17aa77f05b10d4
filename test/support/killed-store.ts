import type { Sink, Store } from '../../operators/storage/store.js';

/**
 * The process is killed before it does the `after`-th thing to the store, or when it has committed the manifest of
 * that name. From then on nothing is done to it. `did` is called for each thing that is done.
 */
export function killed(store: Store, after: number | string, did = () => {}): Store {
  let left = typeof after === 'number' ? after : Number.POSITIVE_INFINITY;
  const act = <T>(run: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) return Promise.reject(new Error('killed'));
    did();
    return run();
  };
  return {
    ...store,
    create: (name) =>
      act(async (): Promise<Sink> => {
        const sink = await store.create(name);
        return { ...sink, close: () => act(() => sink.close()) };
      }),
    putIfAbsent: (name, bytes) =>
      act(() => {
        if (name.endsWith(`/${after}`)) left = 0;
        return store.putIfAbsent(name, bytes);
      }),
    delete: (name) => act(() => store.delete(name)),
  };
}
