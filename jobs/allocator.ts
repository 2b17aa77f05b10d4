/** Environment of child processes, as the first line of cli.ts has it: the C library gives freed buffers back. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' } as const;
