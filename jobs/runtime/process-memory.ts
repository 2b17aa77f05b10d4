/** The memory of processes: how the C library manages it, and how much a process took. */
import { peakOfProgram } from './platform.js';

/**
 * Environment of child processes, as the first line of cli.ts has it. The C library gives freed buffers back, and keeps one
 * heap, not one for each thread.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' } as const;

/**
 * The greatest resident set of this process so far, in bytes. The system's record of it survives `fork` and `exec`.
 * So a program inherits the record of the process that started it, if that was larger. Linux reports the peak of the
 * program itself apart.
 */
export function peakRss(): number {
  return peakOfProgram() ?? process.resourceUsage().maxRSS * 1024;
}
