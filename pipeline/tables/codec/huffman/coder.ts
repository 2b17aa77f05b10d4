/**
 * Run lengths in a Huffman code (Schaeffer et al. 2003, section 3.3). Don't-cares continue the run they follow. A run
 * is given by its length alone if it has the value of the run before the previous one. Else a miss symbol precedes it:
 * of three values only one is left. Lengths below 10,000 are symbols; for others an escape symbol and 32 bits. Every
 * block begins with three bits that make the predictions of its first two runs come true.
 */
import { fillBitSource, firstBits, newBitSource, peekBits } from '../bits.js';
import type { Coder } from '../codec.js';
import { appendRun, newRunList } from '../run-list.js';
import { canonicalWords, decodeWord, isPrefixCode, newDecodeTable } from './canonical.js';
import { newRunEncoder } from './run-encoder.js';
import { newRunFormer } from './run-former.js';
import { ALPHABET, ESCAPE, ESCAPE_BITS, MISS, runValue, STATE_BITS, valuesOf } from './symbols.js';

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
    newEncoder({ dominant }, emit) {
      const encoder = newRunEncoder(lengths, words, emit);
      const former = newRunFormer(dominant, encoder.run);
      return {
        add: former.add,
        end() {
          former.end();
          encoder.end();
        },
      };
    },
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
