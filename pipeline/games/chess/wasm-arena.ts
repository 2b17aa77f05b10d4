/** Instances with memory behind their tables, for what kernels by rows work on. */
import { type ChessMemory, grown, type Instance, instantiate } from './wasm-instance.js';

/**
 * The instance that was used last: what a slice does next likely wants as much memory. It grows in place, for memory that an instance
 * has given up is collected late.
 */
let spare: Instance<ChessMemory> | undefined;

/** An instance with so many bytes to be allocated behind its tables. @param Exports what the caller calls; all instances are of one module. */
export function takeArena<Exports extends ChessMemory>(bytes: number): Instance<Exports> {
  const taken = (spare as Instance<Exports> | undefined) ?? instantiate<Exports>();
  spare = undefined;
  return grown(taken, bytes);
}

export function giveBack(arena: Instance<ChessMemory>): void {
  spare = arena;
}

/** Gives the memory up, where what comes next has other uses for it. */
export function dropArena(): void {
  spare = undefined;
}
