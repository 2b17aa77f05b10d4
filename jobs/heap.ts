/**
 * The runtime's own memory. Batches are typed arrays that live long, and all else is small, so V8 needs no large young
 * generation; by default it grows to 48 MiB a thread, which nobody's budget counts.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** For this thread and all started after; to be called before much is allocated. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--max-semi-space-size=2');
}

let collect: (() => void) | undefined;

/**
 * Frees what is no longer used, between phases. V8 counts the bytes of typed arrays only loosely and would keep up to
 * 64 MiB of a finished phase's buffers into the next, which no budget counts either.
 */
export function freeUnused(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
