import { newBitWriter, putBits, takeBytes } from '../bits.js';
import { BLOCK_BYTES, BLOCK_POSITIONS, type Emit } from '../codec.js';
import { ESCAPE, ESCAPE_BITS, MISS, STATE_BITS, stateOf, symbolOf } from './symbols.js';

export interface RunEncoder {
  /** The next run, of any length; its value is not that of the one before. */
  run(value: number, length: number): void;
  end(): void;
}

/** Cuts runs into blocks and writes those. `lengths` and `words`: of the code, by symbol. */
export function newRunEncoder(lengths: Uint8Array, words: Uint32Array, emit: Emit): RunEncoder {
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

  return {
    run(value, length) {
      for (let left = length; left > 0; ) {
        if (positions === BLOCK_POSITIONS) endBlock();
        const piece = Math.min(left, BLOCK_POSITIONS - positions);
        putRun(value, piece);
        left -= piece;
      }
    },
    end: endBlock,
  };
}
