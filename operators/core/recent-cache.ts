import { newUseOrder } from './use-order.js';

/** Values by key, within a number of bytes: what has not been used for longest goes first. Keys and values are the caller's. */
export class RecentCache<Key, Value> {
  readonly #bytes: number;
  readonly #dropped: ((key: Key, value: Value) => void) | undefined;
  /** Where a key's value is in the arrays. */
  readonly #slots = new Map<Key, number>();
  readonly #keys: Key[] = [];
  readonly #values: (Value | undefined)[] = [];
  readonly #sizes: number[] = [];
  readonly #free: number[] = [];
  readonly #order = newUseOrder();
  #held = 0;

  /**
   * @param bytes what the values may take; the one added last is kept however large it is.
   * @param dropped called for each value that is given up to make room for others.
   */
  constructor(bytes: number, dropped?: (key: Key, value: Value) => void) {
    this.#bytes = bytes;
    this.#dropped = dropped;
  }

  get(key: Key): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    this.#order.use(slot);
    return this.#values[slot];
  }

  /** Replaces the value that the key may have. */
  set(key: Key, value: Value, bytes: number): void {
    this.delete(key);
    const slot = this.#free.pop() ?? this.#keys.length;
    this.#slots.set(key, slot);
    this.#keys[slot] = key;
    this.#values[slot] = value;
    this.#sizes[slot] = bytes;
    this.#order.add(slot);
    this.#held += bytes;
    for (let oldest = this.#order.oldest(); this.#held > this.#bytes && oldest !== slot; ) {
      const [old, was] = [this.#keys[oldest], this.#values[oldest] as Value];
      this.delete(old);
      this.#dropped?.(old, was);
      oldest = this.#order.oldest();
    }
  }

  delete(key: Key): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#order.remove(slot);
    this.#values[slot] = undefined;
    this.#held -= this.#sizes[slot];
    this.#free.push(slot);
  }
}
