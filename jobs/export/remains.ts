/** Beginnings of files in a folder that others read as a whole. */
import type { Store } from '../../operators/storage/store.js';
import { isAlive } from '../engines/scratch-folder.js';

/**
 * Removes what killed processes of this machine left: readers of a whole folder stumble over files that are no part of it. What
 * was begun in object storage is left alone: it does not say who is at it.
 * @param isOurs says of the name of such a beginning whether whoever asks may remove it.
 */
export async function removeRemains(folder: Store, isOurs = (_: string): boolean => true): Promise<void> {
  for (const { name, pid, remove } of (await folder.unfinished?.('')) ?? []) {
    if (isOurs(name) && pid !== null && !isAlive(pid)) await remove();
  }
}
