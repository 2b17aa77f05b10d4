/**
 * Modules of kernels in WebAssembly: their instances, the tables in the linear memory of an instance, and an arena behind these. Tables are
 * exported by their names, as addresses; the arena begins at `heapBase`.
 */
import { fromBase64 } from './bytes-as-text.js';
import { assert } from './errors.js';

/** Addresses and numbers that an instance exports by these names. */
export type Exported<Name extends string> = Readonly<Record<Name, { readonly value: number }>>;

export interface LinearMemory {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

export interface Heap extends LinearMemory {
  heapBase(): number;
}

/**
 * A module that is compiled when its first instance is made. @param code as base64. `Exports` is the type that is compiled with it.
 */
export class KernelModule<Exports> {
  #compiled: WebAssembly.Module | undefined;

  constructor(private readonly code: string) {}

  /**
   * @param imports functions that kernels call, by name; the module of these imports is named `host`.
   * @param memory linear memory of modules that import theirs.
   */
  instance(
    imports: Record<string, (...numbers: number[]) => unknown> = {},
    memory?: WebAssembly.Memory,
  ): LinearMemory & Exports {
    this.#compiled ??= new WebAssembly.Module(fromBase64(this.code));
    const env = memory === undefined ? {} : { memory };
    return new WebAssembly.Instance(this.#compiled, { host: imports, env })
      .exports as object as LinearMemory & Exports;
  }
}

const PAGE = 1 << 16;
/** As WebAssembly's vectors are aligned best. */
const ALIGNMENT = 16;

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Pages of linear memory that so many bytes take. */
export function pagesOf(bytes: number): number {
  return Math.ceil(bytes / PAGE);
}

/** Grows the memory to so many bytes. Views made before are detached and must not be used any more. */
export function growTo({ memory }: LinearMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(pagesOf(missing));
}

/** Grows the memory so that so many bytes can be allocated behind the tables. */
export function growHeap(wasm: Heap, bytes: number): void {
  growTo(wasm, aligned(wasm.heapBase()) + bytes);
}

/** A bump allocator of `bytes` bytes behind the tables: returns a function that hands out addresses. */
export function allocatorOf(wasm: Heap, bytes: number): (size: number) => number {
  let next = aligned(wasm.heapBase());
  const end = next + bytes;
  return (size) => {
    const at = next;
    next += aligned(size);
    assert(next <= end, `at most ${bytes} bytes are allocated`);
    return at;
  };
}

/** Writes words of 32 bits to a table, from its word `at` on. */
export function writeWords<Table extends string>(
  wasm: LinearMemory & Exported<Table>,
  table: Table,
  words: ArrayLike<number>,
  at = 0,
): void {
  new Int32Array(wasm.memory.buffer, wasm[table].value + 4 * at, words.length).set(words);
}
