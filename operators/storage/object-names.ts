import { StorageError } from '../core/errors.js';
import type { Store } from './store.js';

/** Files being written have this prefix; no object may, and no listing shows them. */
export const TEMPORARY = '.tmp-';

/** The name of an object in messages, e.g. "file:/tables/KRK/labels-0". */
export function objectName(store: Pick<Store, 'uri'>, name: string): string {
  return `${store.uri}/${name}`;
}

/**
 * Refuses names that are not clean relative paths (empty parts, ".", "..", NUL, the prefix of temporary files). Names can come
 * from a manifest, and a damaged one must not reach outside the store. Throws StorageError.
 */
export function checkName(store: Pick<Store, 'uri'>, name: string): void {
  for (const part of name.split('/')) {
    if (part === '' || part === '.' || part === '..' || part.includes('\0') || part.startsWith(TEMPORARY)) {
      throw new StorageError(objectName(store, name), `"${name}" is not a valid object name`);
    }
  }
}
