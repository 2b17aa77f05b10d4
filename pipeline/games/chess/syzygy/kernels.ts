/**
 * The kernels of the writer (assembly/), but for pairing, with an arena that is a share of the budget. A step of the work lays its buffers out
 * in the arena again; steps follow each other. So the arena is all that they take together.
 */
import {
  allocatorOf,
  type Exported,
  growHeap,
  type Heap,
  KernelModule,
  type LinearMemory,
  writeWords,
} from '../../../../operators/core/wasm.js';
import type { Scratch } from '../../../../operators/storage/scratch.js';
import { SYMMETRY } from '../geometry.js';
import { BINOMIAL } from '../index-space.js';
import { KINGS_OF, KINGS_SQUARES, ROOM, ROOM_SQUARE, TRIPLE_OF, TRIPLE_SQUARES } from './numbering.js';
import { wasmCode } from './wasm-code.js';

type Table =
  | `SLICE_${'BLACK' | 'COUNT' | 'LOWEST' | 'MAN' | 'STRIDE' | 'WHITE'}`
  | `${'KINGS' | 'TRIPLE'}_${'OF' | 'SQUARES'}`
  | 'BINOMIAL'
  | 'BOARD'
  | 'CELL_OF'
  | 'FIRST_BUCKET'
  | 'HELD'
  | 'HISTOGRAM'
  | 'INDICES'
  | 'MIRROR'
  | 'OUTCOME'
  | 'RANK'
  | 'ROOM'
  | 'ROOM_SQUARE'
  | 'SYMMETRY'
  | 'TAKEN';

/** Parameters as in assembly/. */
interface Exports extends Heap, Exported<Table | 'isBeyond'> {
  setPages(address: number, rows: number, bits: number): void;
  setSlice(digits: number, placements: number, rotation: number): void;
  placeBoard(value: number): void;
  placeValues(
    pair: number,
    placement: number,
    values: number,
    captures: number,
    count: number,
    broken: number,
  ): void;
  placeQuiet(pair: number, keys: number, count: number): void;
  placeCells(file: number, from: bigint, raw: number, count: number, usual: number): void;
  fileOfBoard(index: number): number;
  indexOfBoard(index: number): number;
  translate(file: number, from: bigint, count: number, into: number): void;
  sortByBlock(
    indices: number,
    count: number,
    bits: number,
    ends: number,
    blocks: number,
    sorted: number,
  ): void;
  cellsOfBlock(
    indices: number,
    numbers: number,
    count: number,
    bits: number,
    raw: number,
    cells: number,
  ): void;
  gatherRaw(rows: number, count: number, raw: number, there: number): void;
  countRaw(raw: number, count: number): void;
  gatherCells(rows: number, count: number, cells: number): void;
  beginSettling(address: number, symbols: number): void;
  settle(cells: number, count: number): void;
  endSettling(): number;
  takeCells(buckets: number, count: number, into: number): void;
  askCells(
    pair: number,
    placement: number,
    wanted: number,
    count: number,
    files: number,
    into: number,
  ): number;
}

/** Functions that kernels call while they run; set by the step that runs them. */
interface Host {
  spill(bucket: number, rows: number): void;
  drain(symbols: number): void;
  recall(bucket: number): void;
}

export interface Kernels {
  readonly wasm: Exports;
  readonly host: Host;
  readonly scratch: Scratch;
  /** Bytes of buffers. */
  readonly arena: number;
}

const MOST_ARENA = 2 ** 30;
/** Arrays of fixed size need so much, however little memory there is. */
const LEAST_ARENA = 5 << 17;

const module = new KernelModule(wasmCode);

/** The kernels with the tables of numbers. @param host may be set while kernels do not run. */
export function instance(host: Host = newHost()): Exports {
  const wasm = module.instance<Exports>({
    spill: (bucket: number, rows: number) => host.spill(bucket, rows),
    drain: (symbols: number) => host.drain(symbols),
    recall: (bucket: number) => host.recall(bucket),
  });
  bytesAt({ wasm }, wasm.SYMMETRY.value, SYMMETRY.length).set(SYMMETRY);
  const tables = { BINOMIAL, TRIPLE_OF, TRIPLE_SQUARES, KINGS_OF, KINGS_SQUARES, ROOM, ROOM_SQUARE };
  for (const [name, table] of Object.entries(tables)) writeWords(wasm, name as Table, table);
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
