/** Sorts rows that fit the processor's cache, in WebAssembly (assembly/): copying them in and out costs less than passes over separate columns. */

import { type Columns, copyRows } from '../core/columns.js';
import { assert } from '../core/errors.js';
import { KernelModule } from '../core/wasm.js';
import { type WasmExports, wasmCode } from './wasm-code.js';

/** The arena of a thread, as far as it is used. */
const ARENA_BYTES = 2 ** 22;
/** Columns begin at multiples of so many bytes. */
const ALIGNED = 16;

/** The most rows that fit the arena, by payload columns: it holds them once in columns and twice as words of 4, 8 or 16 bytes. */
export const PACKED_ROWS = [4, 8, 16].map((word, payload) =>
  Math.floor((ARENA_BYTES - ALIGNED * (1 + payload)) / (4 * (1 + payload) + 2 * word)),
);

interface PackedSort {
  readonly buffer: ArrayBuffer;
  readonly arena: number;
  readonly sorts: readonly WasmExports[`sort${0 | 1 | 2}`][];
}

/** The instance of this thread, made at the first use. */
let opened: PackedSort | undefined;

function open(): PackedSort {
  const wasm = new KernelModule<WasmExports>(wasmCode).instance();
  assert(wasm.ARENA_BYTES.value === ARENA_BYTES, 'packed sort: the arena');
  return {
    buffer: wasm.memory.buffer,
    arena: wasm.ARENA.value,
    sorts: [wasm.sort0, wasm.sort1, wasm.sort2],
  };
}

/**
 * Sorts rows [from, to) in place by minor, at most {@link PACKED_ROWS}; stable. `passes` digits, 1 to 4, of `width` bits have all
 * bits of minor - min.
 */
export function sortPacked(
  rows: Columns,
  from: number,
  to: number,
  min: number,
  width: number,
  passes: number,
): void {
  opened ??= open();
  const { buffer, arena, sorts } = opened;
  const n = to - from;
  const bytes = Math.ceil((4 * n) / ALIGNED) * ALIGNED;
  const column = (c: number) => new Uint32Array(buffer, arena + c * bytes, n);
  const packed = { minor: column(0), payload: rows.payload.map((_, c) => column(1 + c)) };
  copyRows(rows, from, to, packed, 0);
  sorts[rows.payload.length](n, min, width, passes);
  copyRows(packed, 0, n, rows, from);
}
