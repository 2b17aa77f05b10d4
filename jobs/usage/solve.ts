/** The options of `mergemate solve`. */
import type { Command } from 'commander';
import { withEngine, withJob } from './job.js';

export function addSolve(program: Command): void {
  withEngine(withJob(program.command('solve <job...>')))
    .summary('solve endings and all they convert to')
    .description(
      'Solves endings and all they convert to, each slice by a table in the store: "solve chess KQKR KRKN",\n' +
        '"solve chess --pieces 4", "solve ./my-game.ts", or "solve job.json".\n' +
        'Run again after an interruption, it continues with the last finished step. Flags override the job file.',
    )
    .option('--explain-memory', 'say how --memory is divided among buffers, and solve nothing')
    .action(async (words, flags) => (await import('../commands/solve.js')).runSolve(words, flags));
}
