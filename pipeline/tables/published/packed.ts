/**
 * Five positions a byte, and runs of the dominant value (Lake, Schaeffer & Lu 1994, section 4; Schaeffer et al. 2003,
 * section 3.3). 3^5 = 243 byte values are five positions, the first of them the least digit; the thirteen values left
 * are runs of the dominant value. Don't-cares take the dominant value.
 *
 * The papers give the least and the greatest length of a run, 10 and 3,200. Between them stand multiples of five,
 * each the sum of the two before it. So the largest length that fits always covers more than half of what is left.
 */
import { BLOCK_BYTES, type BlockEncoder, type Coder, type Emit, type FileFacts } from '../codec/codec.js';
import { appendRun, newRunList } from '../codec/run-list.js';
import { ANY } from '../codec/symbols.js';

const GROUPS = 243;
export const RUN_LENGTHS = [10, 15, 25, 40, 65, 105, 170, 275, 445, 720, 1165, 1885, 3200] as const;
const LONGEST = RUN_LENGTHS[RUN_LENGTHS.length - 1];
const BATCH = 1 << 16;

/** The five values of each byte. */
const DIGITS = Uint8Array.from(
  { length: 5 * GROUPS },
  (_, i) => Math.trunc(Math.trunc(i / 5) / 3 ** (i % 5)) % 3,
);

export function packedCoder(): Coder {
  const list = newRunList();
  return {
    codec: 'packed',
    digest: '',
    newEncoder: newPackedEncoder,
    decode(bytes, positions, { dominant }) {
      list.count = 0;
      let left = positions;
      for (const byte of bytes) {
        if (byte >= GROUPS) {
          const length = RUN_LENGTHS[byte - GROUPS];
          if (length > left) return null;
          appendRun(list, dominant, length);
          left -= length;
        } else {
          const length = Math.min(left, 5);
          if (length === 0) return null;
          for (let i = 0; i < length; i++) appendRun(list, DIGITS[5 * byte + i], 1);
          left -= length;
        }
      }
      return left === 0 ? list : null;
    },
  };
}

function newPackedEncoder({ dominant }: FileFacts, emit: Emit): BlockEncoder {
  /** Values that are not yet coded: a byte is decided when the longest run would be in sight. */
  const values = new Uint8Array(LONGEST + BATCH);
  let held = 0;
  const bytes = new Uint8Array(BLOCK_BYTES);
  let size = 0;
  let positions = 0;
  let runs = 0;
  let last = -1;

  function endBlock(): void {
    if (size > 0) emit(bytes.subarray(0, size), positions, runs);
    size = positions = runs = 0;
    last = -1;
  }

  function put(byte: number, length: number): void {
    if (size === BLOCK_BYTES) endBlock();
    bytes[size++] = byte;
    positions += length;
  }

  function see(value: number): void {
    if (value !== last) runs++;
    last = value;
  }

  /** The code of the longest run that begins at `from`, -1 if it is shorter than ten. */
  function runAt(from: number): number {
    const end = Math.min(held, from + LONGEST);
    let to = from;
    while (to < end && values[to] === dominant) to++;
    return RUN_LENGTHS.findLastIndex((length) => length <= to - from);
  }

  /** Codes the positions held, all but the last `keep`. */
  function code(keep: number): void {
    let at = 0;
    while (at < held - keep) {
      const run = runAt(at);
      if (run >= 0) {
        put(GROUPS + run, RUN_LENGTHS[run]);
        see(dominant);
        at += RUN_LENGTHS[run];
      } else {
        const length = Math.min(5, held - at);
        let byte = 0;
        for (let i = length - 1; i >= 0; i--) byte = 3 * byte + values[at + i];
        put(byte, length);
        for (let i = 0; i < length; i++) see(values[at + i]);
        at += length;
      }
    }
    values.copyWithin(0, at, held);
    held -= at;
  }

  return {
    add(symbols) {
      for (let from = 0; from < symbols.length; from += BATCH) {
        for (const symbol of symbols.subarray(from, from + BATCH)) {
          values[held++] = symbol === ANY ? dominant : symbol;
        }
        code(LONGEST);
      }
    },
    end() {
      code(0);
      endBlock();
    },
  };
}
