/** A job of ranks for Slurm: a script for sbatch, whose tasks are the ranks. */
import { srunCommand } from '../engines/slurm-script.js';
import { processMebibytes, type RankJob } from './rank-job.js';

export function slurmScript(job: RankJob): string {
  const settings = {
    'job-name': job.name,
    ntasks: job.ranks,
    'cpus-per-task': 1,
    'mem-per-cpu': `${processMebibytes(job)}M`,
  };
  return [
    '#!/bin/sh',
    ...Object.entries(settings).map(([name, value]) => `#SBATCH --${name}=${value}`),
    // When a node is lost, Slurm runs the job again, and the ranks go on from the store.
    '#SBATCH --requeue',
    '#SBATCH --open-mode=append',
    srunCommand(job.command),
    '',
  ].join('\n');
}
