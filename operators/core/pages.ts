/**
 * Memory in whole pages of the system, of WebAssembly's: each is mapped by itself. It goes back to the system once it is collected,
 * whatever the C library keeps, and takes no room before it is written to. It also keeps gigabytes of addresses to itself: to be asked
 * for seldom, and used again.
 */

const WASM_PAGE = 65536;

/** Fewer bytes are of the heap of the C library. */
const LARGE_BYTES = 2 ** 20;

/**
 * `length` zero bytes that begin on a page boundary, as direct I/O needs them. An ArrayBuffer gives no such promise
 * (Node puts its bytes at 16 past a boundary).
 */
export function alignedBytes(length: number): Uint8Array<ArrayBuffer> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(length / WASM_PAGE) });
  return new Uint8Array(memory.buffer, 0, length);
}

/** Zero words; in pages if they are many. */
export function newWords(words: number): Uint32Array<ArrayBuffer> {
  const bytes = 4 * words;
  if (bytes < LARGE_BYTES || bytes >= 2 ** 32) return new Uint32Array(words);
  return new Uint32Array(alignedBytes(bytes).buffer, 0, words);
}
