/** The options of `mergemate solve`. */
import type { Command } from 'commander';
import { againOption, withEngine, withJob } from './job.js';
import { pliesOption, size } from './options.js';

export function addSolve(program: Command): void {
  withEngine(withJob(program.command('solve <job...>')))
    .summary('solve endings and all they convert to')
    .description(
      'Solves endings and all they convert to, each slice by a table in the store: "solve chess KQKR KRKN",\n' +
        '"solve chess --pieces 4", "solve ./my-game.ts", "solve job.json", or a graph in JSON: "solve town.jsonl".\n' +
        'Each metric (see --metric) of an ending, game or graph has a table of its own. "export --help" lists the columns that tables\n' +
        'of every kind have as rows.\n' +
        'Run again after an interruption, it continues with the last finished step. Flags override the job file.',
    )
    .addOption(againOption())
    .option('--explain-memory', 'say how --memory is divided among buffers, and solve nothing')
    .option(
      '--syzygy <uri>',
      "of chess under the metric dtz: write Syzygy's files of each ending there when it is solved, and verify them",
    )
    .addOption(pliesOption())
    .option('--free-tables', 'with --syzygy: delete tables that no ending still to be done converts to')
    .option('--disk <size>', 'with --syzygy: do not begin if more space is forecast', size('--disk'))
    .option(
      '--from-published <uri>',
      'under the metric wdl: do not solve what is published there; tables are made of the published files that moves lead to',
    )
    .action(async (words, flags) => (await import('../commands/solve.js')).runSolve(words, flags));
}
