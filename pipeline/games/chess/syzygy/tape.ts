/**
 * Bytes in scratch that are appended in order and then read, and *sequences* of symbols of two bytes among them, read and rewritten a
 * buffer at a time.
 */
import type { Scratch } from '../../../../operators/storage/scratch.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Swap } from '../../../../operators/storage/swap.js';
import { ioBytes, type Kernels } from './kernels.js';

export interface Tape {
  readonly length: number;
  append(bytes: Uint8Array): void;
  read(offset: number, into: Uint8Array): void;
  /** For callers that rewrite in place what was read already. */
  readonly swap: Swap;
  dispose(): void;
}

/** A tape in scratch that other threads can open, too: it is in a file with a name. */
export interface SavedTape {
  readonly name: string;
  readonly length: number;
}

export function newTape(scratch: Scratch): Tape {
  return tapeOn(scratch.swap(), 0);
}

/** Opens a saved tape, or begins one. To dispose of it closes it; `store.delete` of its name frees the space. */
function openTape(store: Store, { name, length }: SavedTape): Tape {
  return tapeOn(store.swap!(name, true), length);
}

/** Makes saved tapes of what `fill` appends to them. */
export function saveTapes(
  store: Store,
  names: readonly string[],
  fill: (tapes: readonly Tape[]) => void,
): SavedTape[] {
  const tapes: Tape[] = [];
  try {
    for (const name of names) tapes.push(openTape(store, { name, length: 0 }));
    fill(tapes);
    return names.map((name, i) => ({ name, length: tapes[i].length }));
  } finally {
    for (const tape of tapes) tape.dispose();
  }
}

/** The result of `use`, to which a saved tape is open. */
export function readTape<T>(store: Store, saved: SavedTape, use: (tape: Tape) => T): T {
  const tape = openTape(store, saved);
  try {
    return use(tape);
  } finally {
    tape.dispose();
  }
}

function tapeOn(swap: Swap, given: number): Tape {
  let length = given;
  return {
    swap,
    get length() {
      return length;
    },
    append(bytes) {
      swap.write(length, bytes);
      length += bytes.length;
    },
    read: (offset, into) => swap.read(offset, into),
    dispose: () => swap.remove(),
  };
}

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
