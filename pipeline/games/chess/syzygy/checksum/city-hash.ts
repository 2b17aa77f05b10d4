/**
 * The checksum at the end of Syzygy's files: CityHashCrc128 (Pike & Alakuijala 2011, CityHash 1.0.3) over the
 * CityHashCrc256 of each 16 MiB of the file. Programs that probe do not look at it; those that check files do. The sums are
 * made in WebAssembly (assembly/), which has whole numbers of 64 bits.
 */
import { assert } from '../../../../../operators/core/errors.js';
import { KernelModule, type LinearMemory } from '../../../../../operators/core/wasm.js';
import { type WasmExports, wasmCode } from './wasm-code.js';

const PIECE = 1 << 24;
/** Bytes that the kernels take in one round and in one step of a CityHashCrc256. */
const ROUND = 240;
const STEP = 40;

interface Kernels {
  readonly wasm: LinearMemory & WasmExports;
  readonly buffer: Uint8Array;
  readonly sum: Uint8Array;
}

/** Kernels of sums that have ended, for the next ones: a sum keeps its state in the linear memory of its kernels. */
const idle: Kernels[] = [];

function openKernels(): Kernels {
  const wasm = new KernelModule<WasmExports>(wasmCode).instance();
  const { buffer } = wasm.memory;
  return {
    wasm,
    buffer: new Uint8Array(buffer, wasm.BUFFER.value, wasm.BUFFER_BYTES.value),
    sum: new Uint8Array(buffer, wasm.SUM.value, 32),
  };
}

/** Computes the CityHashCrc256 of a stream whose length is known before. */
class Crc256 {
  readonly #kernels: Kernels;
  readonly #length: number;
  #taken = 0;
  /** Bytes in the buffer. A round of them stays there as long as more may come: the last step goes back to bytes of rounds. */
  #waiting = 0;
  #isBegun = false;

  constructor(kernels: Kernels, length: number) {
    this.#kernels = kernels;
    this.#length = length;
  }

  get isWhole(): boolean {
    return this.#taken === this.#length;
  }

  /** Takes bytes, as far as they belong to this sum. Returns how many. */
  add(bytes: Uint8Array): number {
    const { buffer } = this.#kernels;
    const own = bytes.subarray(0, this.#length - this.#taken);
    for (let at = 0; at < own.length; ) {
      if (this.#waiting === buffer.length) this.#takeRounds(buffer.length - ROUND);
      const part = own.subarray(at, at + buffer.length - this.#waiting);
      buffer.set(part, this.#waiting);
      this.#waiting += part.length;
      at += part.length;
    }
    this.#taken += own.length;
    return own.length;
  }

  /** The 32 bytes of the sum, once it is whole. */
  end(): Uint8Array {
    const { wasm, buffer, sum } = this.#kernels;
    if (this.#length < ROUND) {
      buffer.fill(0, this.#waiting, ROUND);
      this.#waiting = ROUND;
    }
    const last = buffer.slice(this.#waiting - STEP, this.#waiting);
    const left = this.#waiting % ROUND;
    this.#takeRounds(this.#waiting - left);
    wasm.mixes(left - (left % STEP));
    if (left % STEP > 0) {
      buffer.set(last);
      wasm.mixes(STEP);
    }
    wasm.end();
    return sum.slice();
  }

  /** Has the kernels take so many bytes of the buffer, a multiple of a round. */
  #takeRounds(bytes: number): void {
    const { wasm, buffer } = this.#kernels;
    if (!this.#isBegun) {
      const isShort = this.#length < ROUND;
      wasm.begin(BigInt(isShort ? ROUND : this.#length), isShort ? BigInt(~this.#length >>> 0) : 0n);
      this.#isBegun = true;
    }
    wasm.rounds(bytes);
    buffer.copyWithin(0, bytes, this.#waiting);
    this.#waiting -= bytes;
  }
}

/** CityHash128: 16 bytes. */
function city128({ wasm, buffer, sum }: Kernels, bytes: Uint8Array): Uint8Array {
  buffer.set(bytes);
  wasm.city128(bytes.length);
  return sum.slice(0, 16);
}

/** Takes the `length` bytes of a file in order, then gives the 16 at its end. It keeps none of them. */
export function newSummer(length: number) {
  const kernels = idle.pop() ?? openKernels();
  const sums: Uint8Array[] = [];
  let left = length;
  let piece: Crc256 | null = null;
  return {
    add(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; ) {
        assert(left > 0, 'no more bytes come than there are');
        piece ??= new Crc256(kernels, Math.min(PIECE, left));
        const taken = piece.add(bytes.subarray(at));
        at += taken;
        left -= taken;
        if (!piece.isWhole) continue;
        sums.push(piece.end());
        piece = null;
      }
    },
    end(): Uint8Array {
      assert(left === 0, 'all bytes were given');
      const hashes = new Uint8Array(32 * sums.length);
      for (const [i, one] of sums.entries()) hashes.set(one, 32 * i);
      let sum: Uint8Array;
      if (hashes.length <= 900) sum = city128(kernels, hashes);
      else {
        const ofSums = new Crc256(kernels, hashes.length);
        ofSums.add(hashes);
        sum = ofSums.end().slice(16);
      }
      idle.push(kernels);
      return sum;
    },
  };
}

/** The 16 bytes at the end of a file whose other bytes these are. */
export function cityCrc128(bytes: Uint8Array): Uint8Array {
  const sum = newSummer(bytes.length);
  sum.add(bytes);
  return sum.end();
}
