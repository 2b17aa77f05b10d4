/**
 * Exchange of keys through memory that all share. Each owns an interval of majors. Whoever comes
 * upon a key puts it to its owner, who alone knows whether it is new. Rows travel through slots of shared memory, some for each pair
 * of a sender and a receiver. The receiver takes them where they lie. So all may be threads, and as well be in one thread.
 *
 * Nobody blocks while waiting: who waits for room takes what others sent, so two that send to each other both go on. Who fails says so.
 * Others then go on to the next place where all meet, and end there (`Halted`). So the first fault in the order of a layer is known.
 */
import { assert } from '../../operators/core/errors.js';
import { cutEvenly } from '../../operators/core/interval.js';
import type { Rows } from '../../operators/runs/types.js';
import { type Exchange, Halted, type TakeRows } from './exchange.js';
import { appendOf, MAJORS } from './spread.js';

/** Memory that all have: it can be posted. */
export interface ExchangeMemory {
  readonly of: number;
  /** Rows of a slot. */
  readonly rows: number;
  readonly words: SharedArrayBuffer;
}

/** So many are sent while the receiver puts in order what it holds. */
const SLOTS = 32;
/** Major, minor, payload. */
const COLUMNS = 3;
const MOST_ROWS = 1 << 12;
const LEAST_ROWS = 1 << 6;
const MOST_SAID = 4;

/** Words of the control block: three for each of them, two for each pair. */
function controlWords(of: number): number {
  return 2 * Math.ceil((3 * of + 2 * of * of) / 2);
}

/** There is room for what each says twice: one may say the next while another reads the last. */
function saidWords(of: number): number {
  return 2 * 2 * of * MOST_SAID;
}

const slotWords = (rows: number): number => 1 + COLUMNS * rows;

/** @param memory bytes that slots may take, as far as slots of a few rows do. */
export function newExchangeMemory(of: number, memory: number): ExchangeMemory {
  const pairs = of * (of - 1);
  const most = Math.floor(memory / (4 * COLUMNS * SLOTS * Math.max(1, pairs)));
  const rows = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, most));
  const words = controlWords(of) + saidWords(of) + SLOTS * of * of * slotWords(rows);
  return { of, rows, words: new SharedArrayBuffer(4 * words) };
}

/** For one who has all majors. */
export const ALONE: Exchange = {
  self: 0,
  of: 1,
  sharing: 1,
  majors: { from: 0, to: MAJORS },
  put: (rows, take) => take(rows),
  meet: async () => {},
  say: async (numbers) => [Float64Array.from(numbers)],
  fail: () => {},
};

export function openExchange(memory: ExchangeMemory, self: number): Exchange {
  const { of, rows: capacity } = memory;
  const control = newControl(memory, self);
  const intervals = cutEvenly(MAJORS, of);
  assert(intervals.length === of, 'each has a major');
  const own = rowsAt(new SharedArrayBuffer(4 * slotWords(capacity)), 0, capacity);
  const { incoming, outgoing } = slotsOf(memory, self);
  const sent = new Array<number>(of).fill(0);
  const taken = new Array<number>(of).fill(0);
  /** By owner: the rows that are being filled. */
  const filling = outgoing.map((slots, who) => (who === self ? own : slots[0]).rows);

  async function receive(take: TakeRows): Promise<void> {
    for (let from = 0; from < of; from++) {
      if (from === self) continue;
      while (control.sent(from, self) !== taken[from]) {
        const { rows, length } = incoming[from][taken[from] % SLOTS];
        rows.length = length[0];
        await take(rows);
        control.take(from, ++taken[from]);
      }
    }
  }

  /** Hands a slot over, and goes on with the next one. */
  async function send(to: number, take: TakeRows): Promise<void> {
    const rows = filling[to];
    const slots = outgoing[to];
    if (!control.hasFailed(to)) {
      slots[sent[to] % SLOTS].length[0] = rows.length;
      control.send(to, ++sent[to]);
      const hasRoom = () => sent[to] - control.taken(to) < SLOTS || control.hasFailed(to);
      if (!hasRoom()) await control.until(hasRoom, () => receive(take));
    }
    filling[to] = slots[sent[to] % SLOTS].rows;
    filling[to].length = 0;
  }

  async function flush(who: number, take: TakeRows): Promise<void> {
    if (filling[who].length === 0) return;
    if (who !== self) return send(who, take);
    await take(own.rows);
    own.rows.length = 0;
  }

  /** Waits for all; `meanwhile` is done until then, and once more. */
  async function meetAll(meanwhile: () => Promise<void>): Promise<void> {
    const number = control.arrive();
    await control.until(() => control.haveArrived(number), meanwhile);
    await meanwhile();
    if (control.hasAnyFailed(number)) throw new Halted('another has failed');
  }

  return {
    self,
    of,
    sharing: of,
    majors: intervals[self],
    async put(rows, take) {
      for (let who = 0; who < of; who++)
        for (let from = 0; from < rows.length; ) {
          from = appendOf(intervals[who], rows, from, filling[who]);
          if (filling[who].length === capacity) await flush(who, take);
        }
      await receive(take);
    },
    async meet(take) {
      for (let who = 0; who < of; who++) await flush(who, take);
      await meetAll(() => receive(take));
    },
    async say(numbers) {
      const said = control.saidNext();
      said[self].set(numbers);
      await meetAll(async () => {});
      return said;
    },
    fail: (who = self) => control.fail(who),
  };
}

interface Slot {
  readonly rows: Rows;
  /** One word, for the other end. */
  readonly length: Uint32Array;
}

function rowsAt(buffer: SharedArrayBuffer, byte: number, capacity: number): Slot {
  const column = (i: number) => new Uint32Array(buffer, byte + 4 * (1 + i * capacity), capacity);
  return {
    length: new Uint32Array(buffer, byte, 1),
    rows: { length: 0, major: column(0), minor: column(1), payload: [column(2)] },
  };
}

/** Those from each other one, and those to it. */
function slotsOf({ of, rows, words }: ExchangeMemory, self: number) {
  const first = 4 * (controlWords(of) + saidWords(of));
  const bytes = 4 * slotWords(rows);
  const between = (from: number, to: number): Slot[] =>
    Array.from({ length: SLOTS }, (_, i) =>
      rowsAt(words, first + ((from * of + to) * SLOTS + i) * bytes, rows),
    );
  const all = Array.from({ length: of }, (_, who) => who);
  return {
    incoming: all.map((from) => between(from, self)),
    outgoing: all.map((to) => between(self, to)),
  };
}

/** Counts that all see. Whoever changes one wakes those whom it concerns. */
function newControl({ of, words }: ExchangeMemory, self: number) {
  const control = new Int32Array(words, 0, controlWords(of));
  const said = new Float64Array(words, 4 * controlWords(of), saidWords(of) / 2);
  /** For each: changes that concern it, which arrival it failed before, how often it arrived. For each pair: slots sent, and taken. */
  const SIGNALS = 0;
  const FAILED = of;
  const ARRIVED = 2 * of;
  const SENT = 3 * of;
  const TAKEN = SENT + of * of;
  let arrivals = 0;

  function wake(who: number): void {
    Atomics.add(control, SIGNALS + who, 1);
    Atomics.notify(control, SIGNALS + who);
  }

  function wakeAll(): void {
    for (let who = 0; who < of; who++) wake(who);
  }

  const hasFailed = (who: number) => Atomics.load(control, FAILED + who) !== 0;

  /** Whether it failed before it arrived so often: who met it there goes on, up to the next meeting. */
  function hasFailedAt(who: number, number: number): boolean {
    const failed = Atomics.load(control, FAILED + who);
    return failed !== 0 && failed <= number;
  }

  return {
    hasFailed,
    sent: (from: number, to: number) => Atomics.load(control, SENT + from * of + to),
    taken: (by: number) => Atomics.load(control, TAKEN + self * of + by),
    send(to: number, count: number): void {
      Atomics.store(control, SENT + self * of + to, count);
      wake(to);
    },
    take(from: number, count: number): void {
      Atomics.store(control, TAKEN + from * of + self, count);
      wake(from);
    },
    /** Returns how often it has. */
    arrive(): number {
      arrivals++;
      Atomics.store(control, ARRIVED + self, arrivals);
      wakeAll();
      return arrivals;
    },
    haveArrived(number: number): boolean {
      for (let who = 0; who < of; who++)
        if (Atomics.load(control, ARRIVED + who) < number && !hasFailedAt(who, number)) return false;
      return true;
    },
    hasAnyFailed(number: number): boolean {
      for (let who = 0; who < of; who++) if (hasFailedAt(who, number)) return true;
      return false;
    },
    /** Where each writes what it says at the next arrival. */
    saidNext(): Float64Array[] {
      const half = ((arrivals + 1) % 2) * of;
      return Array.from({ length: of }, (_, who) =>
        said.subarray((half + who) * MOST_SAID, (half + who + 1) * MOST_SAID),
      );
    },
    fail(who: number): void {
      Atomics.compareExchange(control, FAILED + who, 0, Atomics.load(control, ARRIVED + who) + 1);
      wakeAll();
    },
    async until(isReady: () => boolean, meanwhile: () => Promise<void>): Promise<void> {
      for (;;) {
        const seen = Atomics.load(control, SIGNALS + self);
        await meanwhile();
        if (isReady()) return;
        const change = Atomics.waitAsync(control, SIGNALS + self, seen);
        if (change.async) await change.value;
      }
    },
  };
}
