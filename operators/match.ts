/**
 * Merge join of ordered rows with ordered rows whose (major, minor) may repeat. The rest of a key is in the first payload
 * column.
 *
 * Inputs: `left` and `right`, cursors ascending by (major, minor), each row with two payload columns. The low bits `mask` of
 * the first are part of the key, but not of the order. Among the rows of `right` the whole key is unique. Output: for each
 * batch of left the two payload values of the partner of each row, or {@link NONE} twice. Algorithm: one scan of both. The
 * rows of right with one (major, minor) are held together, and looked through. Where keys are spread evenly over 2^44 and
 * more they are one, now and then two. Memory: a batch of each side, the rows held together, two words a row of a batch of
 * left. I/O: reads left once, right up to the last key of left. Degenerate cases: either side empty; left rows with equal
 * keys (each finds the partner). Two equal keys in right trip an assert.
 */
import type { Counters } from './core/counters.js';
import { assert, fail } from './core/errors.js';
import type { Batch, Cursor } from './runs/types.js';

/** The payload of rows without a partner. No payload of a partner may have this value. */
export const NONE = 0xffffffff;

/** Row i of `left` has the partner whose payload is (first[i], second[i]). Valid until the next is asked for. */
export interface MatchedBatch {
  readonly left: Batch;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
}

export async function* match(
  left: Cursor,
  right: Cursor,
  { mask, counters }: { mask: number; counters: Counters },
): AsyncGenerator<MatchedBatch> {
  const partners = newPartners(right);
  let found: Found = { first: new Uint32Array(0), second: new Uint32Array(0) };
  try {
    for await (const batch of left) {
      const { major, minor, length } = batch;
      const rest = batch.payload[0];
      if (found.first.length < length)
        found = { first: new Uint32Array(length), second: new Uint32Array(length) };
      const { first, second } = found;
      counters.rowsJoined += length;
      for (let i = 0; i < length; ) {
        i = partners.matchHere(batch, i, mask, found);
        if (i === length) break;
        if (minor[i] !== partners.minor || major !== partners.major) {
          // Partners that are in memory need no promise.
          while (!partners.seek(major, minor[i])) await partners.read();
        }
        const at = partners.find(rest[i] & mask, mask);
        first[i] = at < 0 ? NONE : partners.first[at];
        second[i] = at < 0 ? NONE : partners.second[at];
        i++;
      }
      yield { left: batch, first, second };
    }
  } finally {
    await partners.close();
  }
}

/** The payloads of the partners, by row. */
type Found = Pick<MatchedBatch, 'first' | 'second'>;

/** The result of `matchRows`: the next row of left, and the next of right. */
const progress = { from: 0, at: 0 };

/**
 * Finds partners in two batches of one major. A row of left whose partners may go on in the next batch of right is left over, as are
 * all behind it. The result is in `progress`, for an object of each call would be garbage.
 */
function matchRows(
  left: Batch,
  from: number,
  right: Batch,
  at: number,
  mask: number,
  { first, second }: Found,
): void {
  const a = left.minor;
  const aRest = left.payload[0];
  const b = right.minor;
  const [bFirst, bSecond] = right.payload;
  const { length } = left;
  // All rows before the last key of right are there.
  const last = right.length === 0 ? 0 : b[right.length - 1];
  let i = from;
  let j = at;
  for (; i < length && a[i] < last; i++) {
    const key = a[i];
    while (b[j] < key) j++;
    const rest = aRest[i] & mask;
    let found = -1;
    for (let k = j; b[k] === key; k++) {
      if ((bFirst[k] & mask) !== rest) continue;
      if (found >= 0) fail('keys of the right side are unique');
      found = k;
    }
    first[i] = found < 0 ? NONE : bFirst[found];
    second[i] = found < 0 ? NONE : bSecond[found];
  }
  progress.from = i;
  progress.at = j;
}

/** The rows of right with the key that was last sought. */
function newPartners(right: Cursor) {
  const source = right[Symbol.asyncIterator]();
  let batch: Batch | null = null;
  let at = 0;
  let ended = false;
  let held = 0;
  const partners = {
    /** The major of the key that was sought; -1 before any was. */
    major: -1,
    minor: -1,
    first: [] as number[],
    second: [] as number[],
    /** Finds the partners of rows from `from` on that lie in the batch at hand; returns the first row that needs more than it. */
    matchHere(left: Batch, from: number, mask: number, found: Found): number {
      if (batch === null || batch.major !== left.major) return from;
      // The rows of the key that was last sought are behind.
      if (left.major === partners.major && left.minor[from] === partners.minor) return from;
      matchRows(left, from, batch, at, mask, found);
      at = progress.at;
      return progress.from;
    },
    /** Collects the rows of a key, which is not less than the last. False: more must be read for that. */
    seek(major: number, minor: number): boolean {
      if (partners.major !== major || partners.minor !== minor) {
        held = 0;
        partners.major = major;
        partners.minor = minor;
      }
      while (batch !== null && batch.major <= major) {
        const keys = batch.minor;
        if (batch.major < major) at = batch.length;
        while (at < batch.length && keys[at] < minor) at++;
        while (at < batch.length && keys[at] === minor) {
          partners.first[held] = batch.payload[0][at];
          partners.second[held++] = batch.payload[1][at++];
        }
        if (at < batch.length) return true;
        batch = null;
      }
      return batch !== null || ended;
    },
    find(rest: number, mask: number): number {
      let found = -1;
      for (let i = 0; i < held; i++) {
        if ((partners.first[i] & mask) !== rest) continue;
        assert(found < 0, 'keys of the right side are unique');
        found = i;
      }
      return found;
    },
    async read(): Promise<void> {
      const next = await source.next();
      ended = next.done === true;
      batch = next.done ? null : next.value;
      at = 0;
    },
    async close(): Promise<void> {
      await source.return?.();
    },
  };
  return partners;
}
