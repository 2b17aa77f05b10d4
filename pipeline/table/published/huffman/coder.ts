/**
 * Run lengths in a Huffman code (Schaeffer et al. 2003, section 3.3). Don't-cares continue the run they follow. A run is
 * told by its length alone if it has the value of the run before the previous one, else a miss symbol precedes it: of
 * three values only one is left. Lengths below 10,000 are symbols; for others an escape symbol and 32 bits. Every block
 * begins with three bits that make the predictions of its first two runs come true.
 */
import {
  fillBitSource,
  firstBits,
  newBitSource,
  newBitWriter,
  peekBits,
  putBits,
  takeBytes,
} from '../bits.js';
import { BLOCK_BYTES, BLOCK_POSITIONS, type BlockEncoder, type Coder, type Emit } from '../codec.js';
import { appendRun, newRunList } from '../run-list.js';
import { canonicalWords, decodeWord, isPrefixCode, newDecodeTable } from './canonical.js';
import { newRunFormer } from './run-former.js';
import { ALPHABET, ESCAPE, MISS, runValue, stateOf, symbolOf, valuesOf } from './symbols.js';

const STATE_BITS = 3;
const ESCAPE_BITS = 32;

/** @param lengths of the words, as trained. Null if they are no code for this alphabet. */
export function huffmanCoder(digest: string, lengths: Uint8Array): Coder | null {
  if (lengths.length !== ALPHABET || lengths[MISS] === 0 || lengths[ESCAPE] === 0) return null;
  if (!isPrefixCode(lengths)) return null;
  const table = newDecodeTable(lengths);
  const words = canonicalWords(lengths);
  const list = newRunList();
  const source = newBitSource();
  return {
    codec: 'huffman',
    digest,
    newEncoder: ({ dominant }, emit) => newHuffmanEncoder(lengths, words, dominant, emit),
    decode(bytes, positions) {
      fillBitSource(source, bytes);
      const end = 8 * bytes.length;
      const state = firstBits(peekBits(source, 0), STATE_BITS);
      if (state > 5) return null;
      let [beforePrevious, previous] = valuesOf(state);
      list.count = 0;
      let at = STATE_BITS;
      for (let left = positions; left > 0; ) {
        let word = decodeWord(table, peekBits(source, at));
        at += word & 31;
        const miss = word >>> 5 === MISS;
        if (miss) {
          word = decodeWord(table, peekBits(source, at));
          at += word & 31;
        }
        let length = word >>> 5;
        if (length === ESCAPE) {
          length = firstBits(peekBits(source, at), 16) * 0x10000 + firstBits(peekBits(source, at + 16), 16);
          at += ESCAPE_BITS;
        }
        if (length === 0 || length > left || at > end) return null;
        const value = runValue(miss, previous, beforePrevious);
        appendRun(list, value, length);
        beforePrevious = previous;
        previous = value;
        left -= length;
      }
      return list;
    },
  };
}

function newHuffmanEncoder(
  lengths: Uint8Array,
  words: Uint32Array,
  dominant: number,
  emit: Emit,
): BlockEncoder {
  const writer = newBitWriter();
  let positions = 0;
  let runs = 0;
  let first = -1;
  let second = -1;
  let previous = -1;
  let beforePrevious = -1;

  function endBlock(): void {
    if (runs === 0) return;
    writer.bytes[0] |= stateOf(first, second) << (8 - STATE_BITS);
    takeBytes(writer, (bytes) => emit(bytes, positions, runs));
    positions = runs = 0;
    first = second = previous = beforePrevious = -1;
  }

  function put(symbol: number): void {
    putBits(writer, words[symbol], lengths[symbol]);
  }

  function putRun(value: number, length: number): void {
    const symbol = lengths[symbolOf(length)] > 0 ? symbolOf(length) : ESCAPE;
    const wordBits = lengths[symbol] + (symbol === ESCAPE ? ESCAPE_BITS : 0);
    const missed = () => runs >= 2 && value !== beforePrevious;
    if (writer.bits + wordBits + (missed() ? lengths[MISS] : 0) > 8 * BLOCK_BYTES) endBlock();
    if (runs === 0) putBits(writer, 0, STATE_BITS);
    if (missed()) put(MISS);
    put(symbol);
    if (symbol === ESCAPE) putBits(writer, length, ESCAPE_BITS);
    if (runs === 0) first = value;
    if (runs === 1) second = value;
    beforePrevious = previous;
    previous = value;
    positions += length;
    runs++;
  }

  const former = newRunFormer(dominant, (value, length) => {
    for (let left = length; left > 0; ) {
      if (positions === BLOCK_POSITIONS) endBlock();
      const piece = Math.min(left, BLOCK_POSITIONS - positions);
      putRun(value, piece);
      left -= piece;
    }
  });

  return {
    add: former.add,
    end() {
      former.end();
      endBlock();
    },
  };
}
