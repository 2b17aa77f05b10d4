/**
 * Collects the keys and sets of a part, which come in any order, as sets in order: each is marked in a bitmap of the part, which is read
 * when all have come. A position that comes several times is marked in as many bitmaps, and goes out as often.
 */
import type { Batch, Grouped } from '../../operators/runs/types.js';
import { areSets, setsOf } from './sets.js';

/** Sets handed out at once. */
const PIECE = 1 << 13;

/** Bits of the words of a part; what comes again goes to the next. */
type Bitmaps = Uint32Array<ArrayBuffer>[];

/** Batches of sets, majors as they came; minors ascend. @param width positions of the widest part. */
export async function* collectSets(batches: Grouped, width: number): AsyncGenerator<Batch> {
  const words = 2 * Math.ceil(width / 64);
  const bitmaps: Bitmaps = [];
  let major = -1;
  for await (const batch of batches) {
    if (batch.major !== major) {
      yield* drain(bitmaps, major);
      major = batch.major;
    }
    if (areSets(batch)) markSets(bitmaps, words, batch);
    else markKeys(bitmaps, words, batch);
  }
  yield* drain(bitmaps, major);
}

function markKeys(bitmaps: Bitmaps, words: number, { minor, length }: Batch): void {
  const bitmap = (bitmaps[0] ??= new Uint32Array(words));
  for (let i = 0; i < length; i++) {
    const key = minor[i];
    const bit = 1 << (key & 31);
    const before = bitmap[key >>> 5];
    bitmap[key >>> 5] = before | bit;
    if ((before & bit) !== 0) mark(bitmaps, words, key >>> 5, bit, 1);
  }
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
function* drain(bitmaps: Bitmaps, major: number): Generator<Batch> {
  if (bitmaps.length === 0) return;
  const minor = new Uint32Array(PIECE + bitmaps.length);
  const low = new Uint32Array(minor.length);
  const high = new Uint32Array(minor.length);
  let length = 0;
  for (let word = 0; word < bitmaps[0].length; word += 2) {
    if ((bitmaps[0][word] | bitmaps[0][word + 1]) === 0) continue;
    for (const bitmap of bitmaps) {
      if ((bitmap[word] | bitmap[word + 1]) === 0) break;
      minor[length] = word / 2;
      low[length] = bitmap[word];
      high[length++] = bitmap[word + 1];
      bitmap[word] = bitmap[word + 1] = 0;
    }
    if (length < PIECE) continue;
    yield { major, length, minor, payload: [low, high] };
    length = 0;
  }
  if (length > 0) yield { major, length, minor, payload: [low, high] };
}
