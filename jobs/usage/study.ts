/** The options of `mergemate study`. */
import type { Command } from 'commander';
import { wholeNumber, withCache, withLookup, withMetric, withStore } from './options.js';

export function addStudy(program: Command): void {
  withLookup(withCache(withMetric(withStore(program.command('study <file>')))))
    .summary('check chess studies and games against the tables')
    .description(
      'Holds every move of a PGN file, variations included, against the tables: only moves, other moves that keep the\n' +
        'outcome (duals), moves that give it away, and what refutes them. A line may also be a position, as FEN or EPD: its\n' +
        'outcome is told, and the moves that keep it. "-" is standard input. With --json, a JSON line for each study. A game\n' +
        'that cannot be read is named, and the exit code is 2 at the end.',
    )
    .option('--out <path>', 'write the games as PGN there, with what was found as comments')
    .option('--force', 'overwrite that file')
    .option('--men <n>', 'look up positions of at most so many men', wholeNumber('--men', 2, 7), 7)
    .action(async (path, options) => (await import('../commands/study.js')).runStudy(path, options));
}
