import { newUseOrder } from './use-order.js';

/** Values in numbered slots, with a limit on the sum of their sizes (in bytes, or in another unit): the least recently used ones are evicted. */
export class RecentSlots<Value> {
  readonly #values: (Value | undefined)[] = [];
  readonly #sizes: number[] = [];
  readonly #free: number[] = [];
  readonly #order = newUseOrder();
  readonly #evicted: (slot: number, value: Value) => void;
  #held = 0;

  /**
   * @param limit size of all values together; the value added last stays even if it alone is larger.
   * @param evicted called for each value that is evicted.
   */
  constructor(
    readonly limit: number,
    evicted: (slot: number, value: Value) => void,
  ) {
    this.#evicted = evicted;
  }

  /** Size of all values. */
  get held(): number {
    return this.#held;
  }

  /** The value of a slot, which counts as used now. */
  use(slot: number): Value {
    this.#order.use(slot);
    return this.#values[slot] as Value;
  }

  /** Returns the slot of the value. */
  add(value: Value, size: number): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    this.#sizes[slot] = size;
    this.#order.add(slot);
    this.#held += size;
    for (
      let oldest = this.#order.oldest();
      this.#held > this.limit && oldest !== slot;
      oldest = this.#order.oldest()
    ) {
      const was = this.#values[oldest] as Value;
      this.remove(oldest);
      this.#evicted(oldest, was);
    }
    return slot;
  }

  /** Frees a slot. */
  remove(slot: number): void {
    this.#order.remove(slot);
    this.#values[slot] = undefined;
    this.#held -= this.#sizes[slot];
    this.#free.push(slot);
  }
}

/** A least-recently-used cache, with a limit as that of {@link RecentSlots}. */
export class RecentCache<Key, Value> {
  /** The slot of each key, and the key of each slot. */
  readonly #slots = new Map<Key, number>();
  readonly #keys: Key[] = [];
  readonly #recent: RecentSlots<Value>;

  /** @param dropped called for each value that is evicted. */
  constructor(limit: number, dropped?: (key: Key, value: Value) => void) {
    this.#recent = new RecentSlots(limit, (slot, value) => {
      const key = this.#keys[slot];
      this.#slots.delete(key);
      dropped?.(key, value);
    });
  }

  get limit(): number {
    return this.#recent.limit;
  }

  get(key: Key): Value | undefined {
    const slot = this.#slots.get(key);
    return slot === undefined ? undefined : this.#recent.use(slot);
  }

  /** Adds the value, in place of an earlier one of the key. */
  set(key: Key, value: Value, size: number): void {
    this.delete(key);
    const slot = this.#recent.add(value, size);
    this.#slots.set(key, slot);
    this.#keys[slot] = key;
  }

  delete(key: Key): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#recent.remove(slot);
  }
}
