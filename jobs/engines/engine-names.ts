/**
 * Engines that do the work. One is this process and its threads, which keep rounds in memory. The others are ranks,
 * started here or by Slurm: processes that find all in the store.
 */
export const engineNames = ['local', 'processes', 'slurm'] as const;
export type EngineName = (typeof engineNames)[number];
