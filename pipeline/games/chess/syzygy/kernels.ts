/**
 * The kernels of the writer (assembly/) with an arena that is a share of the budget. A step of the work lays its buffers out
 * in the arena again; steps follow each other. So the arena is all that they take together.
 */
import {
  allocatorOf,
  type Exported,
  growHeap,
  type Heap,
  KernelModule,
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
  | `IS_${'FIRST' | 'SECOND'}`
  | 'BINOMIAL'
  | 'BOARD'
  | 'CARRIES'
  | 'CELL_OF'
  | 'FIRST_BUCKET'
  | 'HELD'
  | 'HISTOGRAM'
  | 'INDICES'
  | 'LENGTH'
  | 'MIRROR'
  | 'RANK'
  | 'ROOM'
  | 'ROOM_SQUARE'
  | 'SYMMETRY'
  | 'TAKEN';

/** Parameters as in assembly/. */
interface Exports extends Heap, Exported<Table | 'carries' | 'isBeyond' | 'pairedFirst' | 'pairedSecond'> {
  setPages(address: number, rows: number, bits: number): void;
  setSlice(digits: number, placements: number, rotation: number): void;
  placeBoard(value: number): void;
  placeValues(
    pair: number,
    placement: number,
    values: number,
    byCapture: number,
    count: number,
    broken: number,
  ): void;
  placeQuiet(pair: number, keys: number, count: number): void;
  placeCells(file: number, from: bigint, raw: number, count: number, usual: number): void;
  fileOfBoard(index: number): number;
  indexOfBoard(index: number): number;
  translate(file: number, from: bigint, count: number, into: number): void;
  gatherRaw(rows: number, count: number, raw: number, there: number): void;
  countRaw(raw: number, count: number): void;
  gatherCells(rows: number, count: number, cells: number): void;
  beginSettling(address: number, symbols: number): void;
  settle(cells: number, count: number): void;
  endSettling(): number;
  setPairing(input: number, output: number, symbols: number, counts: number): void;
  countPairs(from: number, rows: number, bits: number): void;
  replacePairs(from: number, rows: number, bits: number): void;
  clearReplacements(): void;
  addReplacement(first: number, second: number, symbol: number): void;
  greatestCount(): number;
  pairsFrom(least: number, into: number, most: number, isFirst: boolean): number;
  setPairLists(
    ...of: [
      sequence: number,
      symbols: number,
      places: number,
      records: number,
      recordCount: number,
      table: number,
      tableBits: number,
      buckets: number,
      bucketCount: number,
    ]
  ): void;
  listPairs(leastCount: number, symbols: number): void;
  replaceBest(symbol: number): number;
  closeGaps(): number;
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
  refill(): number;
  drain(symbols: number): void;
  recall(bucket: number): void;
}

export interface Kernels {
  readonly wasm: Exports;
  readonly host: Host;
  readonly scratch: Scratch;
  /** Bytes that buffers of the writer may take; the arena is a share of these. */
  readonly memory: number;
  readonly arena: number;
}

/** The arena's share of the memory. */
const SHARE = 5 / 8;
const MOST_ARENA = 2 ** 30;
/** Arrays of fixed size need so much, however little memory there is. */
const LEAST_ARENA = 5 << 17;

const module = new KernelModule(wasmCode);

/** The kernels with the tables of numbers. @param host may be set while kernels do not run. */
export function instance(host: Host = newHost()): Exports {
  const wasm = module.instance<Exports>({
    spill: (bucket: number, rows: number) => host.spill(bucket, rows),
    refill: () => host.refill(),
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
  return { spill: idle, refill: idle, drain: idle, recall: idle };
}

export function newKernels(memory: number, scratch: Scratch): Kernels {
  const host = newHost();
  const wasm = instance(host);
  const arena = Math.max(LEAST_ARENA, Math.floor(Math.min(memory * SHARE, MOST_ARENA)));
  growHeap(wasm, arena);
  return { wasm, host, scratch, memory, arena };
}

export function bytesAt({ wasm }: Pick<Kernels, 'wasm'>, address: number, length: number): Uint8Array {
  return new Uint8Array(wasm.memory.buffer, address, length);
}

export function symbolsAt({ wasm }: Kernels, address: number, length: number): Uint16Array {
  return new Uint16Array(wasm.memory.buffer, address, length);
}

/** Returns what gives addresses in the arena, from its beginning on; those given before are free. */
export function layOut({ wasm, arena }: Kernels): (bytes: number) => number {
  return allocatorOf(wasm, arena);
}

/** Bytes that are read or written at once, a multiple of 64. */
export function ioBytes({ memory }: Kernels): number {
  return Math.max(1 << 13, Math.min(1 << 20, (memory >> 7) & ~63));
}
