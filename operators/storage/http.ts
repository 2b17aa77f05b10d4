/**
 * A Store that is read over HTTP from any plain file server, by range requests, in browsers and in Node. Nothing can be written.
 *
 * A listing gives the objects and their sizes. It is an object of the store that was written with the others. Without one,
 * sizes are asked for by HEAD, and nothing can be listed. Servers that do not know ranges answer with whole objects: small
 * ones are kept, large ones refused.
 */
import { ABSENT, DamageError, StorageError, UnlistedError } from '../core/errors.js';
import { RecentCache } from '../core/recent-cache.js';
import { type HttpAsked, newHttpRequests } from './http-requests.js';
import { parseListing } from './listing.js';
import { tooShort } from './memory.js';
import { checkName, objectName } from './object-names.js';
import type { ObjectState, Store } from './store.js';

export interface HttpStoreOptions {
  /** The name of the object that lists those of the store. */
  readonly listing?: string;
  /** The function that makes the requests; the global `fetch` unless given. */
  readonly fetch?: typeof fetch;
}

export interface HttpCounts {
  readonly requests: number;
  /** Bytes of the bodies that arrived, unpacked. */
  readonly bytes: number;
}

export interface HttpStore extends Store {
  readonly counts: HttpCounts;
}

/** How often an object whose bytes are wrong is read again: a cache on the way may hold an earlier version. */
const REREADS = 2;
/** The largest object that is read as a whole from a server without range requests. */
const MOST_WHOLE = 8 << 20;
/** Bytes of the cache of such whole objects. */
const KEPT_WHOLE = 32 << 20;

/** @param base the address of the folder that the objects are in; in browsers it may be relative to the page. */
export function httpStore(base: string, options: HttpStoreOptions = {}): HttpStore {
  const uri = base.replace(/\/+$/, '');
  const at = { uri };
  const requests = newHttpRequests(options.fetch ?? ((...asked) => fetch(...asked)));
  /** Reads that are under way, by object and range. */
  const underway = new Map<string, Promise<Uint8Array>>();
  /** Objects from servers that do not know ranges. */
  const whole = new RecentCache<string, Uint8Array>(KEPT_WHOLE);
  /** Objects whose bytes were wrong once: their requests bypass caches. */
  const doubted = new Set<string>();
  let listed: Promise<ReadonlyMap<string, number>> | undefined;

  const addressOf = (name: string) => `${uri}/${name.split('/').map(encodeURIComponent).join('/')}`;
  const ask = (name: string, asked: Omit<HttpAsked, 'fresh'>) =>
    requests.ask(addressOf(name), { ...asked, fresh: doubted.has(name) });

  function listing(name: string): Promise<ReadonlyMap<string, number>> {
    listed ??= readListing(name).catch((error) => {
      // A later request may succeed.
      listed = undefined;
      throw error;
    });
    return listed;
  }

  async function readListing(name: string): Promise<ReadonlyMap<string, number>> {
    const answer = await ask(name, { method: 'GET' });
    if (answer === null) throw new StorageError(objectName(at, name), 'there is no such listing');
    const sizes = parseListing(answer.body);
    if (typeof sizes === 'string') throw new DamageError(objectName(at, name), sizes);
    return sizes;
  }

  async function size(name: string): Promise<number | null> {
    if (options.listing !== undefined) return (await listing(options.listing)).get(name) ?? null;
    return (await state(name))?.size ?? null;
  }

  /** The listing of a store has sizes alone: its objects are published with it, once. */
  async function state(name: string): Promise<ObjectState | null> {
    if (options.listing !== undefined) {
      const listed = await size(name);
      return listed === null ? null : { size: listed, version: String(listed) };
    }
    const answer = await ask(name, { method: 'HEAD' });
    if (answer === null) return null;
    if (answer.total === null)
      throw new StorageError(objectName(at, name), 'the server does not report its size');
    return { size: answer.total, version: `${answer.total} ${answer.etag ?? answer.modified}` };
  }

  /** The bytes [offset, offset + length), fewer if the object ends before. */
  async function fetchBytes(name: string, offset: number, length: number): Promise<Uint8Array> {
    const kept = whole.get(name);
    if (kept !== undefined) return kept.subarray(offset, offset + length);
    const answer = await ask(name, { method: 'GET', offset, length, mostWhole: MOST_WHOLE });
    if (answer === null) throw new StorageError(objectName(at, name), ABSENT);
    if (!answer.whole) return answer.body;
    whole.set(name, answer.body, answer.body.length);
    return answer.body.subarray(offset, offset + length);
  }

  const readOnly = (name: string) =>
    Promise.reject(new StorageError(objectName(at, name), 'is read over HTTP, so it cannot be written'));

  return {
    uri,
    counts: requests.counts,
    async read(name, offset, into) {
      checkName(at, name);
      if (into.length === 0) return;
      const asked = `${offset} ${into.length} ${name}`;
      let reading = underway.get(asked);
      if (reading === undefined) {
        reading = fetchBytes(name, offset, into.length).finally(() => underway.delete(asked));
        underway.set(asked, reading);
      }
      const bytes = await reading;
      if (bytes.length < into.length)
        throw tooShort(objectName(at, name), offset, into.length, offset + bytes.length);
      into.set(bytes);
    },
    async size(name) {
      checkName(at, name);
      return size(name);
    },
    async state(name) {
      checkName(at, name);
      return state(name);
    },
    async modified(name) {
      checkName(at, name);
      return (await ask(name, { method: 'HEAD' }))?.modified ?? null;
    },
    clockAhead: async () => requests.clockAhead(),
    async list(prefix) {
      if (options.listing === undefined) {
        throw new UnlistedError(uri, 'has no listing, so its objects are not known');
      }
      return [...(await listing(options.listing)).keys()].filter((name) => name.startsWith(prefix)).sort();
    },
    async distrust(name, times) {
      whole.delete(name);
      doubted.add(name);
      return times <= REREADS;
    },
    create: readOnly,
    putIfAbsent: readOnly,
    delete: readOnly,
  };
}
