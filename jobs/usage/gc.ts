/** The options of `mergemate gc`. */
import type { Command } from 'commander';
import { withStore } from './options.js';

export function addGc(program: Command): void {
  withStore(program.command('gc [games...]'))
    .summary('find and delete what nothing in a store needs any more')
    .description(
      'Finds what killed processes left in a store: runs that no manifest names, runs that later rounds replaced,\n' +
        'manifests of finished slices and graphs, claims of ranks on them, parts of objects, scratch folders. Deletes nothing\n' +
        'unless asked to. Objects that mergemate did not make are not touched, nor those of games that are not built in, unless\n' +
        'their modules are named, nor what a process has claimed and is at. Ranks that job files start have no claims: there\n' +
        '--older-than must be longer than a rank may go without finishing another run, unless none is at work.',
    )
    .option('--older-than <duration>', 'only what is older, as in 30m, 2h, 1d', '1h')
    .option('--delete', 'delete what is found')
    .option(
      '--remove <what...>',
      'list what is solved of these instead, and delete it with --delete: graphs by name or file, games of your own by their modules,' +
        ' endings as chess/KRK or chess/dtm/KRK',
    )
    .option('--scratch <folder>', 'where scratch folders are (default: in the store if it is a folder)')
    .action(async (modules, flags) => (await import('../commands/gc.js')).runGc(modules, flags));
}
