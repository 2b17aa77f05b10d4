/** Bytes in scratch that are appended in order and then read. */
import type { Scratch } from '../../../../operators/storage/scratch.js';
import type { Swap } from '../../../../operators/storage/swap.js';

export interface Tape {
  readonly length: number;
  append(bytes: Uint8Array): void;
  read(offset: number, into: Uint8Array): void;
  /** For callers that rewrite in place what was read already. */
  readonly swap: Swap;
  dispose(): void;
}

export function newTape(scratch: Scratch): Tape {
  const swap = scratch.swap();
  let length = 0;
  return {
    swap,
    get length() {
      return length;
    },
    append(bytes) {
      swap.write(length, bytes);
      length += bytes.length;
    },
    read: (offset, into) => swap.read(offset, into),
    dispose: () => swap.remove(),
  };
}
