/**
 * A codec turns symbols into blocks that are decoded one at a time, each by itself, from its bytes and the codebook.
 */
import type { RunList } from './run-list.js';
import { BYTE_VALUES, WDL_VALUES, type WdlSymbol } from './symbols.js';

/** A block is at most this long, so that it is one small read (Lake, Schaeffer & Lu 1994, section 4). */
export const BLOCK_BYTES = 1024;

/** A block has no more positions than this, so that the ends of its runs fit 32 bits. */
export const BLOCK_POSITIONS = 2 ** 30;

/** The order is that of their numbers in files: append only. */
export const codecs = ['packed', 'huffman', 'rows', 'bytes'] as const;
export type CodecName = (typeof codecs)[number];

/** How many values the symbols of a codec have: this number is the symbol of a don't-care. */
export function valuesOfCodec(codec: CodecName): number {
  return codec === 'bytes' ? BYTE_VALUES : WDL_VALUES;
}

/** Facts about a file that precede its symbols; stored in it. */
export interface FileFacts {
  /** The value that most positions of the slice have. Codecs of bytes do not use it. */
  readonly dominant: WdlSymbol;
  /**
   * Distances at which the values of the index resemble each other, ascending. They are the sizes of its least
   * digits. So position i - d differs from i in one digit only, or by as much as a rank of the board. A codec takes
   * those that it can use, the first ones first.
   */
  readonly periods: readonly number[];
}

/** Takes a finished block: `bytes` is valid during the call only, `runs` is how many it decodes to. */
export type Emit = (bytes: Uint8Array, positions: number, runs: number) => void;

export interface BlockEncoder {
  /** Takes the next symbols, any number of them. The blocks do not depend on how the symbols are cut into calls. */
  add(symbols: Uint8Array): void;
  end(): void;
}

/** A codec with all it needs to code and decode: for those that are trained, the codebook. */
export interface Coder {
  readonly codec: CodecName;
  /** Names the codebook in files: 8 hexadecimal digits; empty where nothing is trained. */
  readonly digest: string;
  newEncoder(shape: FileFacts, emit: Emit): BlockEncoder;
  /** The runs of a block, valid until the next call; null if the bytes are no block of that many positions. */
  decode(bytes: Uint8Array, positions: number, shape: FileFacts): RunList | null;
}

/** A coder that was trained. */
export interface Codebook extends Coder {
  /** The result of {@link Training}, to be stored; `digest` is taken over it. */
  readonly payload: Uint8Array;
}

/** Collects frequencies over any number of files. */
export interface Training {
  /** Begins a file; its `end` must be called before the next begins. */
  file(shape: FileFacts): BlockEncoder;
  /** The payload of the codebook that suits the symbols seen. */
  payload(): Uint8Array;
}
