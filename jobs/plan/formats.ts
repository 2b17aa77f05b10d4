/** The batch engines that a job of ranks can be written for. */
export const jobFormats = ['slurm', 'k8s', 'aws-batch'] as const;
export type JobFormat = (typeof jobFormats)[number];
