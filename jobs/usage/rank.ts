/** The options of `mergemate rank`. */
import type { Command } from 'commander';
import { withJob, withRank } from './job.js';

export function addRank(program: Command): void {
  withRank(withJob(program.command('rank <job...>')))
    .summary('be one of several processes that solve together')
    .description(
      'One of several processes that solve what "solve" would, and share nothing but the store: start as many as there are\n' +
        'ranks, with the same arguments, and start a lost one again. Its number, how many there are and the name of the job\n' +
        'come from the flags, or from Slurm (srun), Open MPI (mpirun), a Kubernetes Indexed Job or an array job of AWS Batch.\n' +
        'Exit code 75: the store did not answer; start the rank again.',
    )
    .action(async (words, flags) => (await import('../commands/rank.js')).runRankCommand(words, flags));
}
