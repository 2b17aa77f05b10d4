/**
 * The kernels of the writer (assembly/), but for pairing, with an arena that is a share of the budget. A step of the work lays its buffers out
 * in the arena again; steps follow each other. So the arena is all that they take together.
 */
import {
  allocatorOf,
  growHeap,
  KernelModule,
  type LinearMemory,
  writeWords,
} from '../../../../operators/core/wasm.js';
import type { Scratch } from '../../../../operators/storage/scratch.js';
import { SYMMETRY } from '../geometry.js';
import { BINOMIAL } from '../index-space.js';
import { KINGS_OF, KINGS_SQUARES, ROOM, ROOM_SQUARE, TRIPLE_OF, TRIPLE_SQUARES } from './numbering.js';
import { type WasmExports, type WasmGlobal, wasmCode } from './wasm-code.js';

/** Functions that kernels call while they run; set by the step that runs them. */
interface Host {
  spill(bucket: number, rows: number): void;
  drain(symbols: number): void;
  recall(bucket: number): void;
}

export interface Kernels {
  readonly wasm: LinearMemory & WasmExports;
  readonly host: Host;
  readonly scratch: Scratch;
  /** Bytes of buffers. */
  readonly arena: number;
}

const MOST_ARENA = 2 ** 30;
/** Arrays of fixed size need so much, however little memory there is. */
const LEAST_ARENA = 5 << 17;

const module = new KernelModule<WasmExports>(wasmCode);

/** The kernels with the tables of numbers. @param host may be set while kernels do not run. */
export function instance(host: Host = newHost()): Kernels['wasm'] {
  const wasm = module.instance({
    spill: (bucket: number, rows: number) => host.spill(bucket, rows),
    drain: (symbols: number) => host.drain(symbols),
    recall: (bucket: number) => host.recall(bucket),
  });
  bytesAt({ wasm }, wasm.SYMMETRY.value, SYMMETRY.length).set(SYMMETRY);
  const tables = { BINOMIAL, TRIPLE_OF, TRIPLE_SQUARES, KINGS_OF, KINGS_SQUARES, ROOM, ROOM_SQUARE };
  for (const [name, table] of Object.entries(tables)) writeWords(wasm, name as WasmGlobal, table);
  return wasm;
}

function newHost(): Host {
  const idle = (): never => {
    throw new Error('no step of the work is under way');
  };
  return { spill: idle, drain: idle, recall: idle };
}

/** Bytes of an arena of so many bytes, within what kernels need and what they can reach. */
export function arenaOf(bytes: number): number {
  return Math.max(LEAST_ARENA, Math.floor(Math.min(bytes, MOST_ARENA)));
}

/** @param bytes of buffers. */
export function newKernels(bytes: number, scratch: Scratch): Kernels {
  const host = newHost();
  const wasm = instance(host);
  const arena = arenaOf(bytes);
  growHeap(wasm, arena);
  return { wasm, host, scratch, arena };
}

interface Module {
  readonly wasm: LinearMemory;
}

export function bytesAt({ wasm }: Module, address: number, length: number): Uint8Array {
  return new Uint8Array(wasm.memory.buffer, address, length);
}

export function symbolsAt({ wasm }: Module, address: number, length: number): Uint16Array {
  return new Uint16Array(wasm.memory.buffer, address, length);
}

/** Returns what gives addresses in the arena, from its beginning on; those given before are free. */
export function layOut({ wasm, arena }: Kernels): (bytes: number) => number {
  return allocatorOf(wasm, arena);
}

/** Bytes that are read or written at once, a multiple of 64. */
export const ioBytes = ({ arena }: Kernels) => ioBytesOf(arena);

/** The same of an arena of so many bytes. */
export function ioBytesOf(arena: number): number {
  return Math.max(1 << 13, Math.min(1 << 20, Math.floor(arena / 80) & ~63));
}
