/**
 * The runtime's own memory. Batches are typed arrays that live long, and all else is small. So V8 needs no large young
 * generation; by default it grows to 48 MiB a thread, which no budget counts.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Keeps the heap of this thread and of all started after small; to be called before much is allocated. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--max-semi-space-size=2');
  // Helpers do little for a young generation so small, and where other threads are at work each collection waits for them.
  setFlagsFromString('--no-parallel-scavenge');
  // A thread of V8 that frees typed arrays does so late on a busy machine, and until then they count as used.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  // Moves that rules return die at once. Those of the first batches may survive a collection or two, because the batch is not done yet,
  // and V8 then allocates all later ones in the old generation: Connect Four on 5 x 5 squares took a fifth more CPU time.
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * For this thread and those started later. They run the rules of a game, which make a few kilobytes of garbage a
 * position. To collect a megabyte takes half a millisecond, a quarter of the time in which the rules make it.
 * @param mebibytes of garbage between two collections.
 */
export function giveRulesRoom(mebibytes: 4 | 8 = 8): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString(`--max-semi-space-size=${mebibytes}`);
}

/**
 * Holds for threads started later, too. The old generation is collected when it has grown by a third, not when it has
 * doubled. Less is inlined. For what runs no rules of a game: those take some 4 % longer.
 */
export function keepHeapSmaller(): void {
  setFlagsFromString('--optimize-for-size');
}

/**
 * The old generation, typed arrays included, is collected when it has trebled. For ranks: a collection stops one of them, and all
 * others wait for it at the next barrier.
 */
export function collectLessOften(): void {
  setFlagsFromString('--heap-growing-percent=200');
}

/** Grows the young generation, for threads that make many short-lived objects, as for requests: it is collected less often. */
export function growHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--max-semi-space-size=16');
}

const EVERY_MS = 200;
/** Bytes of typed arrays and of kernels' memory, and of all else, that may have been given up since the last look. */
const TOLERATED = 4 << 20;
const TOLERATED_SMALL = 12 << 20;
/** Bytes of typed arrays, and of all else, that are too many to wait for. */
const MUCH = 16 << 20;
const MUCH_SMALL = 40 << 20;
/** The time between two collections, as a multiple of what the last one took. */
const PAUSE_FACTOR = 25;
let collect: (() => void) | undefined;
let last = 0;
let next = 0;
let held = 0;
let heldSmall = Number.POSITIVE_INFINITY;

/**
 * Frees unused typed arrays if there are more than after the last time; looks at once if `now`, else now and then. V8
 * counts their bytes only loosely, and would keep up to 64 MiB of unused buffers that no budget counts. Freeing costs
 * 10 to 40 ms. A graph that grows in memory would spend that on each of its layers, so a few megabytes wait for a
 * while. As long as all typed arrays together, used or not, take no more than `room`, nothing is freed.
 * @param much bytes of all else that are too many to wait for.
 */
export function freeUnused(now: boolean, room = 0, much = MUCH_SMALL): void {
  const began = performance.now();
  if (!now && began - last < EVERY_MS) return;
  last = began;
  const { external, heapUsed } = process.memoryUsage();
  if (external < room) return;
  heldSmall = Math.min(heldSmall, heapUsed);
  if (external < held + TOLERATED && heapUsed < heldSmall + TOLERATED_SMALL) return;
  if (began < next && external < held + MUCH && heapUsed < heldSmall + much) return;
  freeAll();
}

/** Frees all that is not used any more, memory that threads share among it: V8 does not count that. */
export function freeAll(): void {
  const began = performance.now();
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  const ended = performance.now();
  next = ended + PAUSE_FACTOR * (ended - began);
  const kept = process.memoryUsage();
  held = kept.external;
  heldSmall = kept.heapUsed;
}
