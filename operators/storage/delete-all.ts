/** Deleting many objects: each takes a round trip to an object store, and a slice may have thousands of runs. */
import { someAtATime } from '../core/some-at-a-time.js';
import type { Store } from './store.js';

const TOGETHER = 32;

/**
 * Deletes objects, in no order. An object that is not there is no error.
 * @throws StorageError if one cannot be deleted; then no further one is begun.
 */
export async function deleteAll(store: Pick<Store, 'delete'>, names: readonly string[]): Promise<void> {
  await someAtATime(names, TOGETHER, (name) => store.delete(name));
}
