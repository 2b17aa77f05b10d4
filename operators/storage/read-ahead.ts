/**
 * Read-ahead for stores where each read costs a round trip. Objects are immutable, so bytes that were read stay valid.
 * Whether an object exists and how long it is may change, and is never cached as a fact.
 */

/** Objects up to this size are fetched whole when a piece of them is asked for. */
const SMALL_BYTES = 1 << 20;
const LARGE_BYTES = 8 << 20;
/** A window grows by this factor with each read that continues the one before. */
const GROWTH = 4;
/** Objects whose last read, and sizes, are remembered. */
const REMEMBERED = 256;

/** Fetches bytes from `offset` on into `into`, as far as the object goes; returns how many there were. */
export type Fetch = (name: string, offset: number, into: Uint8Array) => Promise<number>;

export interface ReadAhead {
  /** Fills `into`, as far as the object goes; returns how many bytes there were. */
  read(name: string, offset: number, into: Uint8Array): Promise<number>;
  /** Notes the size that the object had a moment ago. */
  sized(name: string, size: number): void;
  /** Drops all that was read of the object. */
  forget(name: string): void;
}

/** Memory for bytes [start, start + length) of an object; while they are on their way, `ready` is pending. */
interface Slot {
  readonly capacity: number;
  bytes: Uint8Array | undefined;
  name: string | undefined;
  start: number;
  length: number;
  ready: Promise<void>;
  /** Reads that wait for it or copy from it. While there are any, it must not be used for other bytes. */
  users: number;
  /** When it was last used, in reads. */
  used: number;
}

/**
 * Read-ahead in at most `bytes` bytes of memory. A quarter of it is in slots of 1 MiB, the rest in slots of 8 MiB (32
 * MiB: eight and three). Each slot is allocated when it is first needed. The least recently used makes room. A first
 * or random read fetches the bytes it asks for. Each read that continues the last one of its object quadruples the
 * window, up to 8 MiB. So a run that is read batch by batch costs a request every 8 MiB.
 */
export function newReadAhead(bytes: number, fetch: Fetch): ReadAhead {
  const slots = newSlots(bytes);
  const last = new Map<string, { end: number; window: number }>();
  const sizes = new Map<string, number>();
  let clock = 0;

  function fill(slot: Slot, name: string, start: number, length: number): void {
    slot.name = name;
    slot.start = start;
    slot.length = length;
    slot.bytes ??= new Uint8Array(slot.capacity);
    slot.users++;
    slot.ready = fetch(name, start, slot.bytes.subarray(0, length)).then(
      (got) => {
        slot.users--;
        slot.length = got;
      },
      (error) => {
        slot.users--;
        slot.name = undefined;
        throw error;
      },
    );
    // The readers of the slot get this error. Without readers nothing has to report it.
    slot.ready.catch(() => {});
  }

  /** Copies the bytes of the slot from `at` on; returns how many there were. */
  async function take(slot: Slot, at: number, into: Uint8Array): Promise<number> {
    slot.users++;
    try {
      await slot.ready;
      slot.used = ++clock;
      const from = at - slot.start;
      const count = Math.max(0, Math.min(into.length, slot.length - from));
      into.set(slot.bytes!.subarray(from, from + count));
      return count;
    } finally {
      slot.users--;
    }
  }

  /** The slot that has or is getting byte `at`, else one that is now getting it; undefined: read it without one. */
  function slotFor(name: string, at: number, wanted: number, window: number): Slot | undefined {
    const found = slots.find(
      (slot) => slot.name === name && slot.start <= at && at < slot.start + slot.length,
    );
    if (found !== undefined) return found;
    const size = sizes.get(name) ?? Number.POSITIVE_INFINITY;
    const whole = size <= SMALL_BYTES && wanted < size;
    const start = whole ? 0 : at;
    const length = Math.min(whole ? size : window, size - start);
    if (length <= wanted) return undefined;
    const slot = vacated(slots, length);
    if (slot !== undefined) fill(slot, name, start, length);
    return slot;
  }

  return {
    async read(name, offset, into) {
      const before = last.get(name);
      const window =
        before?.end === offset ? Math.min(LARGE_BYTES, GROWTH * Math.max(before.window, into.length)) : 0;
      remember(last, name, { end: offset + into.length, window });
      for (let done = 0; done < into.length; ) {
        const rest = into.subarray(done);
        const slot = slotFor(name, offset + done, rest.length, window);
        const got =
          slot === undefined ? await fetch(name, offset + done, rest) : await take(slot, offset + done, rest);
        if (got === 0) return done;
        done += got;
      }
      return into.length;
    },
    sized(name, size) {
      remember(sizes, name, size);
    },
    forget(name) {
      last.delete(name);
      sizes.delete(name);
      for (const slot of slots) if (slot.name === name) slot.name = undefined;
    },
  };
}

function remember<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value!);
}

function newSlots(bytes: number): Slot[] {
  const small = Math.floor(bytes / 4 / SMALL_BYTES);
  const large = Math.floor((bytes - small * SMALL_BYTES) / LARGE_BYTES);
  return [...Array(small).fill(SMALL_BYTES), ...Array(large).fill(LARGE_BYTES)].map((capacity: number) => ({
    capacity,
    bytes: undefined,
    name: undefined,
    start: 0,
    length: 0,
    ready: Promise.resolve(),
    users: 0,
    used: 0,
  }));
}

/** The least recently used slot without users; undefined if there is none of enough capacity. */
function vacated(slots: readonly Slot[], length: number): Slot | undefined {
  const capacity = length <= SMALL_BYTES ? SMALL_BYTES : LARGE_BYTES;
  let oldest: Slot | undefined;
  for (const slot of slots) {
    if (slot.capacity !== capacity || slot.users > 0) continue;
    if (oldest === undefined || slot.used < oldest.used) oldest = slot;
  }
  return oldest;
}
