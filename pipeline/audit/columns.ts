/** The positions of slices that are audited, and values of theirs in scratch, by index. */
import type { Swap } from '../../operators/storage/swap.js';
import type { Side, Slice } from '../game/game.js';
import { chess } from '../games/chess/chess.js';
import { formatFen } from '../games/chess/fen.js';

type Values = Uint8Array | Int16Array;

export class Column {
  /** @param swap null: all values are `value`. */
  constructor(
    readonly slice: Slice,
    private readonly swap: Swap | null,
    private readonly value = 0,
  ) {}

  read(part: number, first: number, into: Values): void {
    if (this.swap === null) into.fill(this.value);
    else this.swap.read(this.#offset(part, first, into), bytesOf(into));
  }

  write(part: number, first: number, values: Values): void {
    this.swap?.write(this.#offset(part, first, values), bytesOf(values));
  }

  remove(): void {
    this.swap?.remove();
  }

  #offset(part: number, first: number, { BYTES_PER_ELEMENT: bytes }: Values): number {
    return bytes * (part * this.slice.width + first);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Values): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function partsInOrder({ parts, rowMoves }: Slice, side: Side): Iterable<number> {
  return rowMoves?.inOrder(side) ?? Array.from({ length: parts }, (_, part) => part);
}

/** A position whose value in a file is not that of its moves. */
export interface Wrong {
  readonly fen: string;
  /** "win in 5", "draw". */
  readonly says: string;
  readonly derived: string;
}

export function fenOf({ name }: Slice, side: Side, part: number, key: number): string {
  return formatFen(chess.board({ slice: name, side, part, key }));
}
