/**
 * Engines that do the work: this process and its threads, which keep rounds in memory; or ranks, each a process that finds all
 * in the store, started here or by Slurm.
 */
export const engineNames = ['local', 'processes', 'slurm'] as const;
export type EngineName = (typeof engineNames)[number];
