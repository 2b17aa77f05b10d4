/**
 * Collects the keys and sets of a part, which come in any order, as sets in order. Each is marked in a bitmap of the
 * part, which is read when all have come. A position that comes several times is marked in as many bitmaps, and goes
 * out as often.
 */
import type { Batch, Grouped } from '../../operators/runs/types.js';
import type { SetColumns } from '../contract/game.js';
import { areSets, setsOf } from './sets.js';

/** Sets handed out at once. */
const PIECE = 1 << 13;

/** Bits of the words of a part; what comes again goes to the next. */
type Bitmaps = Uint32Array<ArrayBuffer>[];

/** Where sets are put that go out; it has room for a piece, and for one more set of each bitmap. */
type Out = SetColumns & { readonly capacity: number };

/** Batches of sets, majors as they came; minors ascend. A batch is valid until the next one. @param width positions of the widest part. */
export async function* collectSets(batches: Grouped, width: number): AsyncGenerator<Batch> {
  const words = 2 * Math.ceil(width / 64);
  const bitmaps: Bitmaps = [];
  let out = newOut(PIECE + 1);
  let major = -1;
  for await (const batch of batches) {
    if (batch.major !== major) {
      if (out.capacity < PIECE + bitmaps.length) out = newOut(PIECE + bitmaps.length);
      yield* drain(bitmaps, major, out);
      major = batch.major;
    }
    if (areSets(batch)) markSets(bitmaps, words, batch);
    else markKeys(bitmaps, words, batch);
  }
  if (out.capacity < PIECE + bitmaps.length) out = newOut(PIECE + bitmaps.length);
  yield* drain(bitmaps, major, out);
}

function newOut(capacity: number): Out {
  const [minor, low, high] = [0, 1, 2].map(() => new Uint32Array(capacity));
  return { minor, low, high, capacity };
}

function markKeys(bitmaps: Bitmaps, words: number, { minor, length }: Batch): void {
  const bitmap = (bitmaps[0] ??= new Uint32Array(words));
  for (let from = 0; from < length; from += again.length) {
    const to = Math.min(length, from + again.length);
    const known = markNew(bitmap, minor, from, to);
    for (let i = 0; i < known; i++) mark(bitmaps, words, again[i] >>> 5, 1 << (again[i] & 31), 1);
  }
}

/** Keys that are marked already. */
const again = new Uint32Array(1 << 10);

/** Marks keys, and puts those that were marked to `again`; returns how many. No branch that is seldom taken: the first one throws compiled code away. */
function markNew(bitmap: Uint32Array, keys: Uint32Array, from: number, to: number): number {
  let known = 0;
  for (let i = from; i < to; i++) {
    const key = keys[i];
    const before = bitmap[key >>> 5];
    bitmap[key >>> 5] = before | (1 << (key & 31));
    again[known] = key;
    known += (before >>> (key & 31)) & 1;
  }
  return known;
}

function markSets(bitmaps: Bitmaps, words: number, batch: Batch): void {
  const { minor, low, high } = setsOf(batch);
  for (let i = 0; i < batch.length; i++) {
    mark(bitmaps, words, 2 * minor[i], low[i], 0);
    mark(bitmaps, words, 2 * minor[i] + 1, high[i], 0);
  }
}

/** Marks bits of a word in the bitmaps from number `first` on, each in the first one that has it not. */
function mark(bitmaps: Bitmaps, words: number, word: number, bits: number, first: number): void {
  for (let rest = bits, i = first; rest !== 0; i++) {
    const bitmap = (bitmaps[i] ??= new Uint32Array(words));
    const before = bitmap[word];
    bitmap[word] = before | rest;
    rest &= before;
  }
}

/** Empties the bitmaps. */
function* drain(bitmaps: Bitmaps, major: number, out: Out): Generator<Batch> {
  if (bitmaps.length === 0) return;
  const { minor, low, high } = out;
  const place = { word: 0 };
  for (;;) {
    const length = takeSets(bitmaps, out, place);
    if (length === 0) return;
    yield { major, length, minor, payload: [low, high] };
  }
}

/** Moves sets out of the bitmaps, from a place on, until a piece is full; returns how many. */
function takeSets(bitmaps: Bitmaps, { minor, low, high }: Out, place: { word: number }): number {
  const [first] = bitmaps;
  const end = first.length;
  let word = place.word;
  let length = 0;
  for (; word < end && length < PIECE; word += 2) {
    if ((first[word] | first[word + 1]) === 0) continue;
    for (let i = 0; i < bitmaps.length; i++) {
      const bitmap = bitmaps[i];
      if ((bitmap[word] | bitmap[word + 1]) === 0) break;
      minor[length] = word >>> 1;
      low[length] = bitmap[word];
      high[length++] = bitmap[word + 1];
      bitmap[word] = bitmap[word + 1] = 0;
    }
  }
  place.word = word;
  return length;
}
