/**
 * Linear memory in which sequences are paired. The lists of the longest sequences take most of the writer's memory. So threads that write
 * the subtables of an ending have one arena for these together, which they use by turns, whatever their number. A file therefore does not
 * depend on the number of threads.
 */
import { allocatorOf, KernelModule, type LinearMemory, pagesOf } from '../../../../operators/core/wasm.js';
import { type WasmExports, wasmCode } from './pairing/wasm-code.js';

/** Functions that kernels call while they run; set by the step that runs them. */
interface Host {
  refill(): number;
  drain(symbols: number): void;
}

/** The kernels on an arena, for the turn of a thread. */
export interface PairingKernels {
  readonly wasm: LinearMemory & WasmExports;
  readonly host: Host;
  /** Bytes that can be allocated. */
  readonly bytes: number;
  /** Returns what gives addresses, from the beginning of the arena on. */
  layOut(): (bytes: number) => number;
}

/** What threads share of an arena. Messages between threads may hold it. */
export interface SharedArena {
  readonly memory: WebAssembly.Memory;
  /** 1 while a thread uses the memory. */
  readonly turn: Int32Array;
  readonly bytes: number;
}

/** Bytes of the tables before the arena. */
const TABLES = 2 ** 19;

/** An arena for any number of threads. The system gives it space as it is written to. */
export function newSharedArena(bytes: number): SharedArena {
  const pages = pagesOf(TABLES + bytes);
  return {
    memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }),
    turn: new Int32Array(new SharedArrayBuffer(4)),
    bytes,
  };
}

const module = new KernelModule<WasmExports>(wasmCode);

/** An arena as a thread uses it. */
export class PairingArena {
  readonly bytes: number;
  readonly #turn: Int32Array;
  readonly #kernels: PairingKernels;

  constructor({ memory, turn, bytes }: SharedArena) {
    this.bytes = bytes;
    this.#turn = turn;
    const host: Host = { refill: idle, drain: idle };
    const functions = { refill: () => host.refill(), drain: (symbols: number) => host.drain(symbols) };
    const wasm = module.instance(functions, memory);
    this.#kernels = { wasm, host, bytes, layOut: () => allocatorOf(wasm, bytes) };
  }

  /** The result of `use`, which has the arena to itself until it returns. Waits as long as another thread has it. */
  use<T>(use: (kernels: PairingKernels) => T): T {
    while (Atomics.compareExchange(this.#turn, 0, 0, 1) !== 0) Atomics.wait(this.#turn, 0, 1);
    try {
      return use(this.#kernels);
    } finally {
      Atomics.store(this.#turn, 0, 0);
      Atomics.notify(this.#turn, 0, 1);
    }
  }
}

function idle(): never {
  throw new Error('no step of the work is under way');
}
