import { DamageError, isMissing } from '../core/errors.js';
import { orAbort } from '../core/or-abort.js';
import type { Swap } from './swap.js';

/**
 * A Store holds immutable objects under slash-separated names. Implementations: memory (tests), local folder,
 * object storage. Errors of the outside world are StorageErrors that name the object.
 */
export interface Store {
  /** For messages: where this store is, e.g. "file:/data/tables". */
  readonly uri: string;
  /** Bytes [offset, offset + into.length) of the object into `into`; a shorter object is a StorageError. */
  read(name: string, offset: number, into: Uint8Array): Promise<void>;
  /** Size in bytes, or null if there is no such object. */
  size(name: string): Promise<number | null>;
  /**
   * Where a request costs more than its bytes: the whole of a small object by one request, or null if there is no such object. For
   * {@link readAll}.
   */
  readonly readWhole?: ((name: string) => Promise<Uint8Array | null>) | undefined;
  /** When the object was published, in milliseconds since 1970 by the clock of the store; null if there is none. */
  modified(name: string): Promise<number | null>;
  /**
   * Milliseconds by which the clock of the store is ahead of the clock of this machine: with it the times of {@link modified} become
   * comparable with times that are taken here. 0 if the store does not show its clock.
   */
  clockAhead(): Promise<number>;
  /** Size and version by one look; null if there is no such object. Callers use {@link stateOf}. */
  readonly state?: ((name: string) => Promise<ObjectState | null>) | undefined;
  /** Starts a new object. Nothing is visible under `name` until the sink is closed; then all of it is, durably. */
  create(name: string): Promise<Sink>;
  /** Publishes a small object if none has this name (atomic, durable). False: there was one, and it is unchanged. */
  putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Names that start with `prefix`, ascending. */
  list(prefix: string): Promise<string[]>;
  /** Deletes the object; no error if there is none. */
  delete(name: string): Promise<void>;
  /**
   * Tells the store that the object must exist, because a manifest names it or another process has reported it. A store whose answers may be
   * stale then looks again before it reports the object absent.
   */
  expect?(name: string): void;
  /**
   * Called when bytes that were read of the object failed their checksum for the `times`-th time, from 1 on. Returns true if the caller may
   * read again: the store has dropped its cached bytes, and the fault may lie in the transfer. Returns false, or is missing, if the object
   * itself is damaged.
   */
  distrust?(name: string, times: number): Promise<boolean>;
  /** Objects below `prefix` that were begun and not published. Their writers may still be running, or dead. */
  unfinished?(prefix: string): Promise<Unfinished[]>;
  /**
   * Only of stores that can hold scratch: overwrites an object from its start, or makes it. The change is visible at once and not durable, and
   * bytes behind the new ones stay.
   */
  overwrite?(name: string): Promise<Sink>;
  /** Closes the files that are held open for reading. An object that another thread deletes keeps its space until then. */
  closeRead?(): void;
  /**
   * Only of stores that can hold scratch: opens empty swap space. The name is for messages and must not be an object's. With `isNamed`
   * the space is made or opened by its name, so that several threads can open it, and lasts until `delete`.
   */
  swap?(name: string, isNamed?: boolean): Swap;
}

/** What tells an object from the one that had its name before. */
export interface ObjectState {
  readonly size: number;
  /** Another text once the object was replaced or written to: made of times, an inode or an ETag, whatever the store has. */
  readonly version: string;
}

/** An object that was begun and not published: no listing shows it, but it takes space. */
export interface Unfinished {
  /** For messages: the name of the object, or of its temporary file. */
  readonly name: string;
  readonly bytes: number;
  /** When it was last written to, or (where that is not known) begun; milliseconds since 1970. */
  readonly at: number;
  /** Identity of the process that writes it (process-identity.ts); null if the store does not keep it. */
  readonly writer: string | null;
  /** Deletes it; no error if it is gone. A writer that is still running then fails. */
  remove(): Promise<void>;
}

/** Where a new object's bytes go. Chunks are copied or written before the promise resolves, so they may be reused. */
export interface Sink {
  write(chunks: readonly Uint8Array[]): Promise<void>;
  /** Makes the object visible and durable. */
  close(): Promise<void>;
  /** Drops the object; nothing of it stays in the store. */
  abort(): Promise<void>;
}

/** How often to read an object that has a size and then is gone. */
const ATTEMPTS = 8;

/** The whole of a small object, or null if there is none. */
export async function readAll(store: Store, name: string): Promise<Uint8Array | null> {
  if (store.readWhole !== undefined) return store.readWhole(name);
  for (let left = ATTEMPTS; ; left--) {
    const size = await store.size(name);
    if (size === null) return null;
    const bytes = new Uint8Array(size);
    try {
      await store.read(name, 0, bytes);
      return bytes;
    } catch (error) {
      // Another process may delete the object between the two calls, and put it again after them.
      if (!isMissing(error) || left === 1) throw error;
    }
  }
}

/** Size and version of an object, of stores that have no version its time; null if there is no such object. */
export async function stateOf(store: Store, name: string): Promise<ObjectState | null> {
  if (store.state !== undefined) return store.state(name);
  const size = await store.size(name);
  return size === null ? null : { size, version: `${size} ${await store.modified(name)}` };
}

/** Publishes a small object, in place of any object of this name; readers see the old one or the new one. */
export async function putOver(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  const sink = await store.create(name);
  await orAbort(sink, async () => {
    await sink.write([bytes]);
    await sink.close();
  });
}

/** Calls `read`, which reads and checks the object `name`, and calls it again after a DamageError as long as the store allows (`distrust`). */
export async function readSoundly<T>(store: Store, name: string, read: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DamageError) || !(await store.distrust?.(name, times))) throw error;
    }
  }
}
