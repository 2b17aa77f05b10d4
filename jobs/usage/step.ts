import type { Command } from 'commander';
import { Bounds, Defaults } from '../bounds.js';
import { wholeNumber, withMemory } from './options.js';

export function addStep(program: Command): void {
  const { workers, fanIn, batch } = Bounds;
  withMemory(program.command('step <uri>'))
    .summary('do one task of a phase')
    .description(
      'Does one task of a phase of a slice that is solved by steps; what the engines start. The URI is that of the phase in\n' +
        'the store, as in file:/tables/chess/dtm/KBNKN/steps/count/round-00012. A task that is done already is left as it is.',
    )
    .requiredOption('--task <n>', 'which of its tasks, from 0 on', wholeNumber('--task', 0, 2 ** 31))
    .option(
      '--workers <n>',
      'threads, for a slice that is one task',
      wholeNumber('--workers', workers.least, workers.most),
      1,
    )
    .option(
      '--fan-in <n>',
      'runs merged at once',
      wholeNumber('--fan-in', fanIn.least, fanIn.most),
      Defaults.fanIn,
    )
    .option(
      '--batch <rows>',
      'rows of a batch',
      wholeNumber('--batch', batch.least, batch.most),
      Defaults.batch,
    )
    .option('--game <module>', 'the module of a game that is not built in')
    .option('--scratch <folder>', 'where runs that do not outlive the process go')
    .option('--log <folder>', 'append what happens to HOST.jsonl there, one JSON object a line')
    .action(async (uri, flags) => (await import('../commands/step.js')).runStep(uri, flags));
}
