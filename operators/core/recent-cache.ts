import { newUseOrder } from './use-order.js';

/** A least-recently-used cache with a limit in bytes. */
export class RecentCache<Key, Value> {
  readonly #bytes: number;
  readonly #dropped: ((key: Key, value: Value) => void) | undefined;
  /** The slot of each key in the arrays. */
  readonly #slots = new Map<Key, number>();
  readonly #keys: Key[] = [];
  readonly #values: (Value | undefined)[] = [];
  readonly #sizes: number[] = [];
  readonly #free: number[] = [];
  readonly #order = newUseOrder();
  #held = 0;

  /**
   * @param bytes limit of all values together; the value added last stays even if it alone is larger.
   * @param dropped called for each value that is evicted.
   */
  constructor(bytes: number, dropped?: (key: Key, value: Value) => void) {
    this.#bytes = bytes;
    this.#dropped = dropped;
  }

  /** The limit in bytes. */
  get limit(): number {
    return this.#bytes;
  }

  get(key: Key): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    this.#order.use(slot);
    return this.#values[slot];
  }

  /** Adds the value, in place of an earlier one of the key. */
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
