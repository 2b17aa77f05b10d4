/**
 * The checksum at the end of Syzygy's files: CityHashCrc128 (Pike & Alakuijala 2011, CityHash 1.0.3) over the
 * CityHashCrc256 of each 16 MiB of the file. Programs that probe do not look at it; those that check files do. The sums are
 * made in WebAssembly (assembly/), which has whole numbers of 64 bits.
 */
import { type Exported, KernelModule, type LinearMemory } from '../../../../../operators/core/wasm.js';
import { wasmCode } from './wasm-code.js';

const PIECE = 1 << 24;
/** Bytes that the kernels take in one round and in one step of a CityHashCrc256. */
const ROUND = 240;
const STEP = 40;

interface Exports extends LinearMemory, Exported<'BUFFER' | 'BUFFER_BYTES' | 'SUM'> {
  begin(length: bigint, seed: bigint): void;
  rounds(bytes: number): void;
  mixes(bytes: number): void;
  end(): void;
  city128(bytes: number): void;
}

interface Kernels {
  readonly wasm: Exports;
  readonly buffer: Uint8Array;
  readonly sum: Uint8Array;
}

/** One for each thread, from the first use on. */
let opened: Kernels | undefined;

function kernels(): Kernels {
  if (opened !== undefined) return opened;
  const wasm = new KernelModule(wasmCode).instance<Exports>();
  const { buffer } = wasm.memory;
  return (opened = {
    wasm,
    buffer: new Uint8Array(buffer, wasm.BUFFER.value, wasm.BUFFER_BYTES.value),
    sum: new Uint8Array(buffer, wasm.SUM.value, 32),
  });
}

/** CityHashCrc256: 32 bytes. */
function crc256(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= ROUND) return crc256Long(bytes, 0n);
  const filled = new Uint8Array(ROUND);
  filled.set(bytes);
  return crc256Long(filled, BigInt(~bytes.length >>> 0));
}

function crc256Long(bytes: Uint8Array, seed: bigint): Uint8Array {
  const { wasm, buffer, sum } = kernels();
  buffer.set(bytes.subarray(0, ROUND));
  wasm.begin(BigInt(bytes.length), seed);
  const stop = bytes.length - (bytes.length % ROUND);
  for (let at = 0; at < stop; at += buffer.length) {
    const part = bytes.subarray(at, Math.min(stop, at + buffer.length));
    buffer.set(part);
    wasm.rounds(part.length);
  }
  const left = bytes.length - stop;
  buffer.set(bytes.subarray(stop));
  wasm.mixes(left - (left % STEP));
  if (left % STEP > 0) {
    buffer.set(bytes.subarray(-STEP));
    wasm.mixes(STEP);
  }
  wasm.end();
  return sum.slice();
}

/** CityHash128: 16 bytes. */
function city128(bytes: Uint8Array): Uint8Array {
  const { wasm, buffer, sum } = kernels();
  buffer.set(bytes);
  wasm.city128(bytes.length);
  return sum.slice(0, 16);
}

/**
 * Takes the bytes of a file in order, then gives the 16 at its end. Holds at most 16 MiB of them. @param expected about how many there are,
 * so that the buffer need not grow.
 */
export function newSummer(expected = 1 << 12) {
  const sums: Uint8Array[] = [];
  let held = new Uint8Array(Math.min(PIECE, expected));
  let length = 0;
  const close = () => {
    sums.push(crc256(held.subarray(0, length)));
    length = 0;
  };
  return {
    add(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; ) {
        const taken = bytes.subarray(at, at + PIECE - length);
        if (length + taken.length > held.length) {
          const longer = new Uint8Array(Math.min(PIECE, 2 * (length + taken.length)));
          longer.set(held.subarray(0, length));
          held = longer;
        }
        held.set(taken, length);
        length += taken.length;
        at += taken.length;
        if (length === PIECE) close();
      }
    },
    end(): Uint8Array {
      if (length > 0) close();
      const hashes = new Uint8Array(32 * sums.length);
      for (const [i, sum] of sums.entries()) hashes.set(sum, 32 * i);
      return hashes.length <= 900 ? city128(hashes) : crc256(hashes).slice(16);
    },
  };
}

/** The 16 bytes at the end of a file whose other bytes these are. */
export function cityCrc128(bytes: Uint8Array): Uint8Array {
  const sum = newSummer(bytes.length);
  sum.add(bytes);
  return sum.end();
}
