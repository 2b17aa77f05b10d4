/** Removes unfinished files from a folder that others read as a whole. */
import type { Store } from '../../operators/storage/store.js';
import { isAlive } from '../engines/scratch-folder.js';

/**
 * Removes files that killed processes of this machine left: a reader of the whole folder stumbles over foreign files.
 * Unfinished objects in object storage stay, because their process is not known there.
 * @param isOurs whether the caller may remove an unfinished object of this name.
 */
export async function removeRemains(folder: Store, isOurs = (_: string): boolean => true): Promise<void> {
  for (const { name, pid, remove } of (await folder.unfinished?.('')) ?? []) {
    if (isOurs(name) && pid !== null && !isAlive(pid)) await remove();
  }
}
