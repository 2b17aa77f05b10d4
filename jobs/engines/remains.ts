/** Removes unfinished files from a folder that others read as a whole. */
import type { Store } from '../../operators/storage/store.js';
import { isAbandoned } from './scratch-folder.js';

/**
 * Removes files that killed processes left: a reader of the whole folder stumbles over foreign files.
 * Unfinished objects in object storage stay, because their process is not known there.
 * @param isOurs whether the caller may remove an unfinished object of this name.
 */
export async function removeRemains(folder: Store, isOurs = (_: string): boolean => true): Promise<void> {
  const found = (await folder.unfinished?.('')) ?? [];
  if (found.length === 0) return;
  const now = Date.now() + (await folder.clockAhead());
  for (const { name, at, writer, remove } of found) {
    if (isOurs(name) && writer !== null && isAbandoned(writer, now - at)) await remove();
  }
}
