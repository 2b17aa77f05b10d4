/** Node has it; its declarations, which belong to browsers', are not among the types compiled against. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer };
};
const WASM_PAGE = 65536;

/**
 * `length` zero bytes that begin on a page boundary, as direct I/O needs them. An ArrayBuffer gives no such promise
 * (Node puts its bytes at 16 past a boundary); a WebAssembly memory is mapped by itself and always does. It also keeps
 * gigabytes of addresses to itself: to be asked for seldom, and used again.
 */
export function alignedBytes(length: number): Uint8Array<ArrayBuffer> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(length / WASM_PAGE) });
  return new Uint8Array(memory.buffer, 0, length);
}
