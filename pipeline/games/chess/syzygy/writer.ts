/**
 * The memory of the threads that write the files of an ending. Five eighths of it are one arena for the lists of pairs of long sequences,
 * which threads use by turns. Of the rest each thread has its share, for outcomes of smaller endings, for values on their way, and, if there
 * are several threads, for pairing what is small.
 */
import type { Scratch } from '../../../../operators/storage/scratch.js';
import { arenaOf, type Kernels, newKernels } from './kernels.js';
import { Pairer } from './pairing.js';
import { newSharedArena, type SharedArena } from './pairing-arena.js';

const LISTS = 5 / 8;
/** Parts of what a thread has of the rest. */
const OUTCOMES = { alone: 1 / 2, together: 1 / 4 } as const;
const PAIRING = 9 / 16;

export interface WritingMemory {
  /** Bytes of all threads together. */
  readonly memory: number;
  readonly threads: number;
  /** The arena that threads share. */
  readonly lists: SharedArena;
}

export function newWritingMemory(memory: number, threads: number): WritingMemory {
  return { memory, threads, lists: newSharedArena(arenaOf(LISTS * memory)) };
}

/** The kernels of a thread that writes. */
export interface Writer extends Kernels {
  readonly pairer: Pairer;
  /** Bytes for outcomes of smaller endings. */
  readonly outcomes: number;
}

/** @param scratch of this thread alone. */
export function newWriter({ memory, threads, lists }: WritingMemory, scratch: Scratch): Writer {
  const own = (memory * (1 - LISTS)) / threads;
  const isAlone = threads === 1;
  const outcomes = Math.floor(own * OUTCOMES[isAlone ? 'alone' : 'together']);
  const pairing = isAlone ? 0 : Math.floor(own * PAIRING);
  const pairer = new Pairer(lists, isAlone ? null : newSharedArena(pairing));
  return { ...newKernels(own - outcomes - pairing, scratch), pairer, outcomes };
}
