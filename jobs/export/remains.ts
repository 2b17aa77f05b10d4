/** Beginnings of files in a folder that is an export's alone. */
import type { Store } from '../../operators/storage/store.js';
import { isAlive } from '../engines/scratch-folder.js';

/** Removes what killed processes left: readers of a whole folder stumble over files that are no part of it. */
export async function removeRemains(folder: Store): Promise<void> {
  for (const { pid, remove } of (await folder.unfinished?.('')) ?? []) {
    if (pid === null || !isAlive(pid)) await remove();
  }
}
