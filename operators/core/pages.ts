/**
 * Large arrays as memories of WebAssembly, which the system maps one by one. Such an array goes back to the system as soon as it is collected,
 * while the C library keeps freed heap memory for itself, and it takes no memory before it is written to. Each one reserves gigabytes of
 * addresses, so allocate few and use them again.
 */

const WASM_PAGE = 65536;

/** Smaller arrays come from the heap of the C library. */
const LARGE_BYTES = 2 ** 20;

/**
 * `length` zero bytes that begin on a page boundary, as direct I/O needs them. An ArrayBuffer gives no such promise
 * (Node puts its bytes at 16 past a boundary).
 */
export function alignedBytes(length: number): Uint8Array<ArrayBuffer> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(length / WASM_PAGE) });
  return new Uint8Array(memory.buffer, 0, length);
}

/** An array of zeros; a memory of its own if it is large. */
export function newWords(words: number): Uint32Array<ArrayBuffer> {
  const bytes = 4 * words;
  if (bytes < LARGE_BYTES || bytes >= 2 ** 32) return new Uint32Array(words);
  return new Uint32Array(alignedBytes(bytes).buffer, 0, words);
}
