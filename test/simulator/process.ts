/** A simulated process: the stores as it sees them, with the faults that befall it. */

import { ABSENT, StorageError } from '../../operators/core/errors.js';
import { doubtingAbsence } from '../../operators/storage/doubted-absence.js';
import { systemError } from '../../operators/storage/errno.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { checkName, objectName } from '../../operators/storage/object-names.js';
import { readPages } from '../../operators/storage/s3-pages.js';
import type { Sink, Store } from '../../operators/storage/store.js';
import type { Swap } from '../../operators/storage/swap.js';
import type { Clock } from './clock.js';
import { type Dice, type Disk, newDisk } from './disk.js';
import type { Faults } from './faults.js';

/** Parts that all processes of an episode share. */
export interface Machine {
  readonly clock: Clock;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly disk: Disk;
  /** Objects that nothing protects: bits do not rot in them, and nothing lands in their place. */
  isBare(name: string): boolean;
  /** Notes an operation: process, kind of operation, object, result. */
  note(process: string, what: string, name: string, result: string): void;
  /** Milliseconds of the clock until which the disk is full. */
  fullUntil: number;
}

export interface Process {
  readonly name: string;
  readonly store: Store;
  /** Scratch of the process, gone with it. */
  readonly scratch: Store;
  /** Resolves when the process is dead, or taken for dead. */
  readonly lost: Promise<void>;
  /** Resolves when the process is dead. */
  readonly dead: Promise<void>;
  /** Ends the process at once: operations under way have no effect. */
  kill(): void;
}

type What = 'read' | 'size' | 'modified' | 'create' | 'write' | 'close' | 'abort' | 'put' | 'list' | 'delete';
const OPENS: readonly What[] = ['read', 'create', 'put', 'list'];
const WRITES: readonly What[] = ['create', 'write', 'close', 'put'];

const USUAL_MS = 5;
const SLOW_MS = 120_000;
const FULL_MS = 20_000;
/** Between two looks for an object that must be there: reads are stale for five seconds. */
const STALE_MS = 1000;
/** The effect of an operation comes so much later at most. */
export const LATE_MS = 60_000;

export function newProcess(machine: Machine, name: string): Process {
  const { clock, dice, faults } = machine;
  let isDead = false;
  let isTakenForDead = false;
  let tellLost = (): void => {};
  const lost = new Promise<void>((resolve) => {
    tellLost = resolve;
  });
  let tellDead = (): void => {};
  const dead = new Promise<void>((resolve) => {
    tellDead = resolve;
  });
  /** Name of the object that this process published last. */
  let last: string | null = null;

  function die(): void {
    isDead = true;
    tellDead();
    tellLost();
    if (last !== null && machine.disk.objects.has(last) && faults.strike('torn write')) {
      const { bytes } = machine.disk.objects.get(last)!;
      machine.disk.damage(last, bytes.slice(0, dice(bytes.length)));
      machine.note(name, 'torn write', last, '');
    }
  }

  /** Has `act` called when the operation comes to the disk; never resolves if the process is dead then. */
  function operate<T>(disk: Disk, what: What, object: string, act: () => T): Promise<T> {
    const isOwn = disk !== machine.disk;
    return new Promise((resolve, reject) => {
      if (isDead) return;
      const slow = faults.strike('slow') ? 1000 + dice(SLOW_MS) : 0;
      clock.in(1 + dice(USUAL_MS) + slow, () => {
        if (isDead) return;
        const note = (result: string) => machine.note(name, what, object, result);
        const perform = (): T => {
          const refused = refusalOf(machine, what, disk, object);
          if (refused !== null) throw refused;
          return act();
        };
        if (faults.strike('crash before')) {
          note('crash before');
          return die();
        }
        if (!isOwn && faults.strike('late effect')) {
          note('late effect');
          clock.in(dice(LATE_MS), () => void attempted(perform));
          return die();
        }
        if (!isTakenForDead && faults.strike('duplicate')) {
          note('duplicate');
          isTakenForDead = true;
          tellLost();
        }
        const result = attempted(perform);
        if (!isOwn && 'value' in result && (what === 'put' || what === 'close')) last = object;
        if (faults.strike('crash after')) {
          note('crash after');
          return die();
        }
        note('error' in result ? `refused: ${(result.error as Error).message}` : 'done');
        if (!isOwn) decay(machine);
        if ('error' in result) reject(result.error);
        else resolve(result.value);
      });
    });
  }

  return {
    name,
    store: doubtingAbsence(
      seenBy(machine, machine.disk, (what, object, act) => operate(machine.disk, what, object, act)),
      // As long as stale reads last, and longer.
      (number) => new Promise((resolve) => clock.in(STALE_MS * number, resolve)),
    ),
    scratch: (() => {
      const disk = newDisk(`scratch:${name}`, clock);
      return seenBy(machine, disk, (what, object, act) => operate(disk, what, object, act));
    })(),
    lost,
    dead,
    kill() {
      isDead = true;
      tellDead();
      tellLost();
    },
  };
}

function attempted<T>(act: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}

/** Why the machine refuses an operation; null if it does not. */
function refusalOf(machine: Machine, what: What, disk: Disk, object: string): Error | null {
  const { clock, faults, dice } = machine;
  const refuse = (code: string) =>
    systemError(objectName(disk, object), what, Object.assign(new Error(code), { code }));
  if (WRITES.includes(what)) {
    if (clock.now() < machine.fullUntil) {
      faults.count('full disk');
      return refuse('ENOSPC');
    }
    if (faults.strike('full disk')) {
      machine.fullUntil = clock.now() + 1 + dice(FULL_MS);
      return refuse('ENOSPC');
    }
  }
  return OPENS.includes(what) && faults.strike('out of files') ? refuse('EMFILE') : null;
}

/** A bit of some object changes. */
function decay(machine: Machine): void {
  const { disk, faults, dice, note } = machine;
  if (disk.objects.size === 0 || !faults.strike('bit rot')) return;
  const name = anyOf(machine, '');
  if (name === null) return;
  const changed = disk.objects.get(name)!.bytes.slice();
  if (changed.length === 0) return;
  changed[dice(changed.length)] ^= 1 << dice(8);
  disk.damage(name, changed);
  note('disk', 'bit rot', name, '');
}

/** An object that is there and not bare: of the kind of this one, if its name has an end. */
function anyOf({ disk, dice, isBare }: Machine, like: string): string | null {
  const end = /\.\w+$/.exec(like)?.[0] ?? '';
  const names = [...disk.objects.keys()].filter((name) => !isBare(name));
  const alike = names.filter((name) => name.endsWith(end));
  const among = alike.length > 1 ? alike : names;
  return among.length === 0 ? null : among[dice(among.length)];
}

type Operate = <T>(what: What, object: string, act: () => T) => Promise<T>;

function seenBy(machine: Machine, disk: Disk, operate: Operate): Store {
  const { dice, faults } = machine;
  const isOwn = disk !== machine.disk;
  /** The name under which an object lands: mostly its own. */
  function publish(name: string, bytes: Uint8Array): void {
    const isSpared = isOwn || disk.objects.size === 0 || machine.isBare(name);
    const other = isSpared || !faults.strike('misdirected write') ? null : anyOf(machine, name);
    if (other === null) {
      disk.publish(name, bytes);
      return;
    }
    machine.note('disk', 'misdirected write', name, other);
    disk.missed(name);
    disk.damage(other, bytes);
  }
  const isStale = (name: string) => !isOwn && disk.isFresh(name) && faults.strike('stale read');
  return {
    uri: disk.uri,
    read: (name, offset, into) =>
      operate('read', name, () => {
        if (isStale(name)) throw new StorageError(objectName(disk, name), ABSENT);
        disk.read(name, offset, into);
        if (isOwn || !faults.strike('misdirected read')) return;
        const other = anyOf(machine, name) ?? name;
        const { bytes } = disk.objects.get(other)!;
        machine.note('disk', 'misdirected read', name, other);
        into.fill(0);
        into.set(bytes.subarray(offset, offset + into.length));
      }),
    size: (name) =>
      operate('size', name, () => {
        checkName(disk, name);
        return isStale(name) ? null : (disk.objects.get(name)?.bytes.length ?? null);
      }),
    modified: (name) =>
      operate('modified', name, () => (isStale(name) ? null : (disk.objects.get(name)?.at ?? null))),
    clockAhead: async () => machine.clock.now() - Date.now(),
    create: (name) =>
      operate('create', name, () => {
        checkName(disk, name);
        return newSink(name, operate, (bytes) => publish(name, bytes));
      }),
    putIfAbsent: (name, given) => {
      const bytes = given.slice();
      return operate('put', name, () => {
        checkName(disk, name);
        if (disk.objects.has(name)) return false;
        publish(name, bytes);
        return true;
      });
    },
    list: async (prefix) => {
      const names = await operate('list', prefix, () => {
        if (isOwn) return disk.list(prefix);
        if (faults.strike('repeated token')) return null;
        if (faults.strike('vanishing')) return disk.listVanished(prefix);
        return faults.strike('stale list') ? disk.listLate(prefix, dice) : disk.list(prefix);
      });
      if (names === null)
        await readPages(objectName(disk, prefix), async () => ({ next: 'token', entries: 1, added: 1 }));
      return names ?? [];
    },
    delete: (name) => operate('delete', name, () => disk.delete(name)),
    swap: (name) => newSwap(machine, objectName(disk, name)),
  };
}

function newSink(name: string, operate: Operate, publish: (bytes: Uint8Array) => void): Sink {
  const written: Uint8Array[] = [];
  return {
    write(chunks) {
      const copies = chunks.map((chunk) => chunk.slice());
      return operate('write', name, () => {
        written.push(...copies);
      });
    },
    close: () => operate('close', name, () => publish(new Uint8Array(Buffer.concat(written)))),
    abort: () => operate('abort', name, () => {}),
  };
}

/** Swap space answers at once, so it does not wait for the clock; it is full when the disk is. */
function newSwap(machine: Machine, object: string): Swap {
  const swap = memoryStore().swap!(object);
  return {
    ...swap,
    write(offset, from) {
      if (machine.clock.now() < machine.fullUntil) {
        machine.faults.count('full disk');
        throw systemError(object, 'write', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
      }
      swap.write(offset, from);
    },
  };
}
