/**
 * Environment of child processes, as the first line of cli.ts has it. The C library gives freed buffers back, and keeps one
 * heap, not one for each thread.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' } as const;
