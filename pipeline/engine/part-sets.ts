/**
 * Collects the keys and sets of a part, which come in any order, as sets in order. Each is marked in a bitmap of the
 * part, which is read when all have come. A position that comes several times is marked in as many bitmaps, and goes
 * out as often.
 */
import type { Batch, Grouped } from '../../operators/runs/types.js';
import type { SetColumns } from '../game/game.js';
import { areSets, setsOf } from './rows.js';

/** Sets handed out at once. */
const PIECE = 1 << 13;

/** Bits of the words of a part; what comes again goes to the next. */
type Bitmaps = Uint32Array<ArrayBuffer>[];

/** Where sets are put that go out; it has room for a piece, and for one more set of each bitmap. */
interface Out extends SetColumns {
  readonly capacity: number;
  length: number;
}

/** Batches of sets, majors as they came; minors ascend. A batch is valid until the next one. @param width positions of the widest part. */
export async function* collectSets(batches: Grouped, width: number): AsyncGenerator<Batch> {
  const words = 2 * Math.ceil(width / 64);
  const bitmaps: Bitmaps = [];
  const again: Again = { keys: new Uint32Array(0) };
  let out = newOut(PIECE + 1);
  let major = -1;
  for await (const batch of batches) {
    if (batch.major !== major) {
      if (out.capacity < PIECE + bitmaps.length) out = newOut(PIECE + bitmaps.length);
      yield* drain(bitmaps, major, out);
      major = batch.major;
    }
    if (areSets(batch)) markSets(bitmaps, words, batch);
    else markKeys(bitmaps, words, batch, again);
  }
  if (out.capacity < PIECE + bitmaps.length) out = newOut(PIECE + bitmaps.length);
  yield* drain(bitmaps, major, out);
}

function newOut(capacity: number): Out {
  const [minor, low, high] = [0, 1, 2].map(() => new Uint32Array(capacity));
  return { minor, low, high, capacity, length: 0 };
}

/** Room for the keys of a batch that were marked before. */
interface Again {
  keys: Uint32Array;
}

function markKeys(bitmaps: Bitmaps, words: number, { minor, length }: Batch, again: Again): void {
  if (again.keys.length < length) again.keys = new Uint32Array(length);
  const { keys } = again;
  let left = markIn((bitmaps[0] ??= new Uint32Array(words)), minor, length, keys);
  for (let i = 1; left > 0; i++) left = markIn((bitmaps[i] ??= new Uint32Array(words)), keys, left, keys);
}

// Loops are functions of their own, without branches that are seldom taken. V8 would throw their code away when one is.

/** Marks keys in a bitmap. Returns how many were marked before, and puts those to `again`, which may be `keys`. */
function markIn(bitmap: Uint32Array, keys: Uint32Array, length: number, again: Uint32Array): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    const before = bitmap[key >>> 5];
    bitmap[key >>> 5] = before | (1 << (key & 31));
    again[n] = key;
    n += (before >>> (key & 31)) & 1;
  }
  return n;
}

function markSets(bitmaps: Bitmaps, words: number, batch: Batch): void {
  const { minor, low, high } = setsOf(batch);
  for (let i = 0; i < batch.length; i++) {
    mark(bitmaps, words, 2 * minor[i], low[i]);
    mark(bitmaps, words, 2 * minor[i] + 1, high[i]);
  }
}

/** Marks bits of a word, each in the first bitmap that has it not. */
function mark(bitmaps: Bitmaps, words: number, word: number, bits: number): void {
  for (let rest = bits, i = 0; rest !== 0; i++) {
    const bitmap = (bitmaps[i] ??= new Uint32Array(words));
    const before = bitmap[word];
    bitmap[word] = before | rest;
    rest &= before;
  }
}

/** Empties the bitmaps. */
function* drain(bitmaps: Bitmaps, major: number, out: Out): Generator<Batch> {
  if (bitmaps.length === 0) return;
  for (let word = 0; word < bitmaps[0].length; ) {
    word = takeSets(bitmaps, word, out);
    if (out.length > 0) yield { major, length: out.length, minor: out.minor, payload: [out.low, out.high] };
  }
}

/** Moves sets from word `from` on to `out`, until it has a piece or all. Returns the word to go on from. */
function takeSets(bitmaps: Bitmaps, from: number, out: Out): number {
  const { minor, low, high } = out;
  const first = bitmaps[0];
  let length = 0;
  let word = from;
  for (; word < first.length && length < PIECE; word += 2) {
    if ((first[word] | first[word + 1]) === 0) continue;
    for (let i = 0; i < bitmaps.length; i++) {
      const bitmap = bitmaps[i];
      if ((bitmap[word] | bitmap[word + 1]) === 0) break;
      minor[length] = word / 2;
      low[length] = bitmap[word];
      high[length++] = bitmap[word + 1];
      bitmap[word] = bitmap[word + 1] = 0;
    }
  }
  out.length = length;
  return word;
}
