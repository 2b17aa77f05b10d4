import type { Command } from 'commander';
import { Bounds } from '../bounds.js';
import { wholeNumber, withPieces } from './options.js';

export function addCheck(program: Command): void {
  withPieces(program.command('check <game> [endings...]'))
    .summary('check that a game keeps the contract')
    .description(
      'Checks a game, one of your own for instance ("check ./my-game.ts"), against the contract that it is solved by: its\n' +
        'kernels against the rules of the game, and against each other. Small slices are checked wholly, of others a sample.\n' +
        'Of each rule that is broken the simplest position found is named, and the exit code is 1. Without endings, a game\n' +
        'that is solved as a whole is checked wholly, of others the endings of the fewest pieces. A keyed game is checked from its roots on.',
    )
    .option(
      '--positions <n>',
      'indices of a side of a slice to look at',
      wholeNumber('--positions', Bounds.checked.least, Bounds.checked.most),
      1000,
    )
    .option('--seed <n>', 'what samples depend on', wholeNumber('--seed', 0, 2 ** 32 - 1), 1)
    .option('--json', 'print JSON')
    .action(async (gameName, names, flags) =>
      (await import('../commands/check.js')).runCheck(gameName, names, flags),
    );
}
