/** Opens the stores that store URIs stand for. Apart from the registry, for code that needs no game and should load none. */
import { tmpdir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StorageError, UserError } from '../operators/core/errors.js';
import { httpStore } from '../operators/storage/http.js';
import { localStore } from '../operators/storage/local.js';
import { s3Store } from '../operators/storage/s3.js';
import { parseS3Uri } from '../operators/storage/s3-uri.js';
import type { Store } from '../operators/storage/store.js';
import { noteStore } from './cli/damage-advice.js';
import { whatIs } from './cli/what-is.js';

const FORMS = 'a path, file:path, file:///path or s3://bucket/prefix';
/** Bytes that a thread may read ahead from object storage and hold. */
const READ_AHEAD = 32 * 2 ** 20;

/** The scheme of a store URI in lower case; undefined for a path. One letter before a colon is a drive. */
function schemeOf(uri: string): string | undefined {
  if (uri === '') throw new UserError(`the store is an empty name: give ${FORMS}`);
  return isAbsolute(uri) ? undefined : /^([a-z][a-z0-9+.-]+):/i.exec(uri)?.[1]?.toLowerCase();
}

/**
 * The folder of a store URI (a path, `file:path`, `file:///path`), null for a store that is no folder. Throws UserError for
 * text that is no store URI.
 */
export function storeFolder(uri: string): string | null {
  const scheme = schemeOf(uri);
  if (scheme === undefined) return resolve(uri);
  if (scheme === 's3') {
    parseS3Uri(uri);
    return null;
  }
  if (scheme !== 'file')
    throw new UserError(`store ${uri}: scheme "${scheme}:" is not supported (${FORMS} is)`);
  const rest = uri.slice('file:'.length);
  if (!rest.startsWith('//')) {
    if (rest === '') throw new UserError(`store ${uri}: the path is missing`);
    return resolve(rest);
  }
  try {
    return fileURLToPath(uri);
  } catch (error) {
    throw new UserError(`store ${uri}: ${(error as Error).message}`);
  }
}

/**
 * Opens the store for tables. Nothing is made or read before it is used. Throws UserError.
 * @param durable of a folder: whether written objects survive a loss of power.
 */
export function openStore(uri: string, durable = true): Store {
  const store = newStore(uri, durable);
  noteStore(store.uri, uri);
  return store;
}

function newStore(uri: string, durable: boolean): Store {
  const folder = storeFolder(uri);
  if (folder !== null) return localStore(folder, { durable });
  // The AWS SDK would warn on stderr, in every thread, of the needs of its later versions.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return s3Store(parseS3Uri(uri), { readAheadBytes: READ_AHEAD });
}

/**
 * Opens a store of files to read, which may also be a folder of any file server: http:// or https://. Throws UserError, or StorageError for
 * a folder that is not there.
 */
export function openReadable(uri: string): Store {
  if (isHttp(uri)) return httpStore(uri);
  requireFolder(uri, 'files');
  return openStore(uri);
}

export function isHttp(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** Throws StorageError for a folder that is not there: it has no tables, and never will. Says nothing of other stores. */
export function requireFolder(uri: string, what: 'tables' | 'files' = 'tables'): void {
  const folder = storeFolder(uri);
  if (folder === null) return;
  const found = whatIs(folder);
  const store = openStore(uri).uri;
  if (found === undefined) {
    const how =
      what === 'tables' ? ': solve an ending into it first ("mergemate solve"), or name another' : '';
    throw new StorageError(store, `there is no such folder${how}`);
  }
  if (!found.isDirectory()) throw new StorageError(store, 'is not a folder');
}

/** Opens a store whose tables are asked for: unlike in {@link openStore}, a folder has to be there. */
export function storeToRead(uri: string): Store {
  requireFolder(uri);
  return openStore(uri);
}

/**
 * Folder for runs that do not outlive the process: `asked`, else the store's folder. A store that is no folder gets the
 * system's folder for temporary files, since such runs are always on a local disk.
 */
export function scratchParent(uri: string, asked: string | undefined): string {
  return asked ?? storeFolder(uri) ?? tmpdir();
}
