/** The options of `mergemate scrub`. */
import type { Command } from 'commander';
import { Bounds } from '../bounds.js';
import { wholeNumber, withMemory, withStore } from './options.js';

export function addScrub(program: Command): void {
  const { least, most } = Bounds.workers;
  withMemory(withStore(program.command('scrub [games...]')), 'to repair: memory for buffers')
    .summary('read all of a store or publication, and name what is damaged')
    .description(
      'Reads everything in a store, a publication or a folder of Syzygy files: checks every checksum, that every file is what\n' +
        'its manifest names and lies where it was written to, and that nothing is missing. Names what is damaged, what was made\n' +
        'from it, and what to run. The exit code is 0 if all is sound or was repaired, 1 if something is damaged, 2 if the store\n' +
        'cannot be read. Games that are not built in are looked at if their files are named. Whether values are true is for\n' +
        '"mergemate verify" to say.',
    )
    .option(
      '--repair',
      'delete damaged tables and records, and solve those tables again; graphs from the files that are named',
    )
    .option('--workers <n>', 'to repair: threads', wholeNumber('--workers', least, most), 1)
    .option('--scratch <folder>', 'to repair: where runs that do not outlive the process go')
    .action(async (modules, flags) => (await import('../commands/scrub.js')).runScrub(modules, flags));
}
