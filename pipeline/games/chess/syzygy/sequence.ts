/** Symbols of two bytes in scratch, read and rewritten a buffer at a time. */
import { ioBytes, type Kernels } from './kernels.js';
import type { Tape } from './tape.js';

export interface Sequence {
  readonly tape: Tape;
  /** Symbols; the tape may have remains of a longer sequence behind them. */
  readonly length: number;
}

export function bytesOfSymbols(symbols: Uint16Array): Uint8Array {
  return new Uint8Array(symbols.buffer, symbols.byteOffset, symbols.byteLength);
}

/** Shows all symbols in order; the array is valid during the call. */
export function eachPiece(
  kernels: Kernels,
  { tape, length }: Sequence,
  show: (symbols: Uint16Array) => void,
) {
  const piece = new Uint16Array(Math.min(length, ioBytes(kernels) >> 1));
  for (let at = 0; at < length; at += piece.length) {
    const symbols = piece.subarray(0, Math.min(piece.length, length - at));
    tape.read(2 * at, bytesOfSymbols(symbols));
    show(symbols);
  }
}

/** How often each of `symbols` symbols is in the sequence. */
export function countSymbols(
  kernels: Kernels,
  { sequence, symbols }: { readonly sequence: Sequence; readonly symbols: number },
): Float64Array {
  const counts = new Float64Array(symbols);
  eachPiece(kernels, sequence, (piece) => {
    for (let i = 0; i < piece.length; i++) counts[piece[i]]++;
  });
  return counts;
}
