/** Objects of a simulated store, and when each was changed; operations take no time here. */
import { StorageError } from '../../operators/core/errors.js';
import { tooShort } from '../../operators/storage/memory.js';
import { checkName, objectName } from '../../operators/storage/object-names.js';
import type { Clock } from './clock.js';

export type Dice = (below: number) => number;

export interface Disk {
  readonly uri: string;
  readonly objects: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly at: number }>;
  /** Every name that ever was published, and how often: not at all if it landed elsewhere. */
  readonly published: ReadonlyMap<string, number>;
  /** Names of objects that are not as they were published. */
  readonly damaged: ReadonlySet<string>;
  read(name: string, offset: number, into: Uint8Array): void;
  publish(name: string, bytes: Uint8Array): void;
  delete(name: string): void;
  /** Something of this name was to be published, and landed elsewhere. */
  missed(name: string): void;
  /** In place, as nobody should: without a trace in listings. */
  damage(name: string, bytes: Uint8Array): void;
  list(prefix: string): string[];
  /** Names as in `list`, without some of the changes of the last seconds. */
  listLate(prefix: string, dice: Dice): string[];
  /** Names as in `list`, and those of objects that were deleted in the last seconds. */
  listVanished(prefix: string): string[];
  /** Whether an object was put in the last seconds. */
  isFresh(name: string): boolean;
  /** Calls `listener` with the name of each object before it is published. */
  watch(listener: (name: string) => void): void;
}

/** Milliseconds behind that a late listing may be. */
const LATE = 5000;

export function newDisk(uri: string, clock: Clock): Disk {
  const objects = new Map<string, { bytes: Uint8Array; at: number }>();
  const published = new Map<string, number>();
  const damaged = new Set<string>();
  let changes: { readonly at: number; readonly name: string; readonly isThere: boolean }[] = [];
  let listener = (_: string): void => {};

  function noteChange(name: string, isThere: boolean): void {
    const at = clock.now();
    changes.push({ at, name, isThere });
    if (changes.length > 1000) changes = changes.filter((change) => change.at > at - LATE);
  }

  const list = (prefix: string) => [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
  return {
    uri,
    objects,
    published,
    damaged,
    read(name, offset, into) {
      checkName({ uri }, name);
      const object = objectName({ uri }, name);
      const bytes = objects.get(name)?.bytes;
      if (bytes === undefined) throw new StorageError(object, 'no such object');
      if (offset + into.length > bytes.length) throw tooShort(object, offset, into.length, bytes.length);
      into.set(bytes.subarray(offset, offset + into.length));
    },
    publish(name, bytes) {
      listener(name);
      objects.set(name, { bytes, at: clock.now() });
      damaged.delete(name);
      published.set(name, (published.get(name) ?? 0) + 1);
      noteChange(name, true);
    },
    delete(name) {
      if (objects.delete(name)) noteChange(name, false);
    },
    damage(name, bytes) {
      objects.set(name, { bytes, at: objects.get(name)?.at ?? clock.now() });
      damaged.add(name);
    },
    missed(name) {
      if (!published.has(name)) published.set(name, 0);
    },
    list,
    listLate(prefix, dice) {
      const names = new Set(list(prefix));
      const seen = new Set<string>();
      // Undoes the last change of each name, going backwards: a listing that lags shows the older state.
      for (const { at, name, isThere } of changes.toReversed()) {
        if (at <= clock.now() - LATE || !name.startsWith(prefix) || seen.has(name)) continue;
        seen.add(name);
        if (dice(2) === 0) continue;
        if (isThere) names.delete(name);
        else names.add(name);
      }
      return [...names].sort();
    },
    listVanished(prefix) {
      const vanished = changes.filter(
        ({ at, name, isThere }) => !isThere && at > clock.now() - LATE && name.startsWith(prefix),
      );
      return [...new Set([...list(prefix), ...vanished.map(({ name }) => name)])].sort();
    },
    isFresh(name) {
      // What is there at the beginning has been there for long.
      const at = objects.get(name)?.at ?? 0;
      return at > 0 && at > clock.now() - LATE;
    },
    watch(given) {
      listener = given;
    },
  };
}
