/**
 * Bytes that are read and rewritten in place, in contrast to the immutable objects of a Store. For parts of a
 * working set that pass through memory again and again; lost with the process, and without checksums, like all scratch.
 * Rewriting a file in place needs no new pages of the page cache; writing a new file each time would.
 */
export interface Swap {
  /** Fills `into` with the bytes from `offset` on, which must have been written. */
  read(offset: number, into: Uint8Array): void;
  write(offset: number, bytes: Uint8Array): void;
  /** Frees the space. */
  remove(): void;
}
