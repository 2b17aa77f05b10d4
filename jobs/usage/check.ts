import { type Command, Option } from 'commander';
import { Bounds } from '../bounds.js';
import { wholeNumber, withPieces } from './options.js';

export function addCheck(program: Command): void {
  withPieces(program.command('check <game> [endings...]'))
    .summary('check that a game keeps the contract')
    .description(
      'Checks a game, one of your own for instance ("check ./my-game.ts"), against the contract that it is solved by. Of each\n' +
        'rule that is broken the simplest position found is named, with the line of your module, and the exit code is 1.\n' +
        'Games of forward moves (keyedGame, numberedGame) are compared whole if they have at most 20,000 positions and 200,000\n' +
        'moves; of larger ones the positions nearest to the roots, and random games to their ends. Of other games the kernels\n' +
        'are held against the rules, and against each other, in the endings of the fewest pieces or those that are named.',
    )
    .option(
      '--positions <n>',
      'positions to look at closely (kernels: indices of a side of a slice)',
      wholeNumber('--positions', Bounds.checked.least, Bounds.checked.most),
      1000,
    )
    .option('--seed <n>', 'what samples depend on', wholeNumber('--seed', 0, 2 ** 32 - 1), 1)
    .option('--json', 'print JSON')
    .addOption(new Option('--store <uri>').hideHelp())
    .action(async (gameName, names, flags) =>
      (await import('../commands/check.js')).runCheck(gameName, names, flags),
    );
}
