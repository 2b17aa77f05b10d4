/** What solves: this process and its threads, which keep rounds in memory; or ranks, child processes that find all in the store. */
export const engineNames = ['local', 'processes'] as const;
export type EngineName = (typeof engineNames)[number];
