/** The places that a server, or a site, takes its values from. */
import { existsSync } from 'node:fs';
import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { Defaults } from '../cli/bounds.js';
import { isHttp, openReadable, openStore, requireFolder, storeFolder } from '../stores.js';

/** The stores that the command line names, once they can be reached. */
export interface Sources {
  readonly store: Store;
  readonly published: Store | undefined;
  readonly syzygy: Store | undefined;
  /** Syzygy's files are served alone, without a store beside them. */
  readonly onlyFiles: boolean;
  /** Throws StorageError if what is served cannot be reached any more. */
  readonly reach: () => Promise<void>;
}

interface SourceFlags {
  readonly store: string;
  readonly published?: string;
  readonly syzygy?: string;
}

export async function reachSources(flags: SourceFlags): Promise<Sources> {
  const store = openStore(flags.store);
  const published = flags.published === undefined ? undefined : openStore(flags.published);
  if (published !== undefined) await reacher(flags.published!, published, 'files')();
  const syzygy = flags.syzygy === undefined ? undefined : openReadable(flags.syzygy);
  const reachFiles = syzygy === undefined ? null : filesReacher(flags.syzygy!, syzygy);
  await reachFiles?.();
  // A folder that was named and is not there is a mistake; the usual one may be made by a solve that begins later.
  const isAwaited = flags.store === Defaults.store && !existsSync(flags.store);
  const onlyFiles = isAwaited && reachFiles !== null;
  const reach = onlyFiles ? reachFiles : reacher(flags.store, store, 'tables', isAwaited);
  await reach();
  return { store, published, syzygy, onlyFiles, reach };
}

/**
 * Throws StorageError if the store is not there.
 * @param isAwaited whether a folder may be missing until it is seen for the first time.
 */
function reacher(
  uri: string,
  store: Store,
  what: 'tables' | 'files',
  isAwaited = false,
): () => Promise<void> {
  const folder = storeFolder(uri);
  let mayBeMissing = isAwaited;
  return async () => {
    // A bucket that is gone, asked for one object, answers like a bucket without that object.
    if (folder === null) return void (await store.list('reached/'));
    mayBeMissing &&= !existsSync(folder);
    if (mayBeMissing) return;
    try {
      requireFolder(uri, what);
    } catch (error) {
      // It may be there again: a disk is mounted, a folder has its name back.
      const { object, message } = error as StorageError;
      throw new StorageError(object, message.slice(object.length + 2), { cause: error });
    }
  };
}

/** A file server has no listing: whether it has a file shows only when the file is requested. */
function filesReacher(uri: string, store: Store): () => Promise<void> {
  return isHttp(uri) ? async () => {} : reacher(uri, store, 'files');
}
