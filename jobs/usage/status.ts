import type { Command } from 'commander';
import { Defaults } from '../bounds.js';
import { withStore } from './options.js';

export function addStatus(program: Command): void {
  withStore(program.command('status [game] [ending]'))
    .summary('say how far the work in a store has come')
    .description(
      'Tells what is solved in a store and how far what was begun has come: phase and round, positions labelled; where ranks\n' +
        'solve together, which partitions have done the step at hand and whom all wait for. All of it is read from the store, so\n' +
        'it works from any machine. How many rounds a slice will have is not known before the last.\n' +
        '"status graph" is about graphs and keyed games, "status graph NAME" about one of them.\n' +
        'The exit code is 0 if the store could be read, whatever is in it, else 2.',
    )
    .option(
      '--watch [seconds]',
      `look again every so many seconds (${Defaults.watchSeconds}), until interrupted; with --json, a line each time`,
    )
    .action(async (first, second, flags) =>
      (await import('../commands/status.js')).runStatus(first, second, flags),
    );
}
