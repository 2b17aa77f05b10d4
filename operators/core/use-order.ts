/** Slots of a cache in the order of their last use: a doubly linked list in two arrays, so that a use takes constant time. */

export interface UseOrder {
  /** Adds a slot that is not in the list, as used last. */
  add(slot: number): void;
  remove(slot: number): void;
  /** Records that the slot is used now. */
  use(slot: number): void;
  /** The least recently used slot; -1 if there is none. */
  oldest(): number;
}

const NONE = -1;

export function newUseOrder(): UseOrder {
  const newer: number[] = [];
  const older: number[] = [];
  let newest = NONE;
  let oldest = NONE;

  function add(slot: number): void {
    newer[slot] = NONE;
    older[slot] = newest;
    if (newest === NONE) oldest = slot;
    else newer[newest] = slot;
    newest = slot;
  }

  function remove(slot: number): void {
    if (newer[slot] === NONE) newest = older[slot];
    else older[newer[slot]] = older[slot];
    if (older[slot] === NONE) oldest = newer[slot];
    else newer[older[slot]] = newer[slot];
  }

  return {
    add,
    remove,
    use(slot) {
      if (slot === newest) return;
      remove(slot);
      add(slot);
    },
    oldest: () => oldest,
  };
}
