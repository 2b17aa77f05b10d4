/** The options of `mergemate study`. */
import { type Command, Option } from 'commander';
import { wholeNumber, withCache, withLookup, withMetric, withStore } from './options.js';

export function addStudy(program: Command): void {
  withLookup(withCache(withMetric(withStore(program.command('study <file>')))))
    .summary('check studies and games of chess or checkers against the tables')
    .description(
      'Holds every move of a PGN file, variations included, against the tables: only moves, other moves that keep the\n' +
        'outcome (duals, told from losses of time and transposed moves), moves that give it away, and what refutes them. The\n' +
        'result that the game claims is held against its first position. A line may also be a position, as FEN or EPD: its\n' +
        'outcome is listed, the moves that keep it, and whether bm, am and dm are right. "-" is standard input. With --json, a\n' +
        'JSON line for each study. Without --metric a position is looked up under the first metric that has it. A game that\n' +
        'cannot be read is named, and the exit code is 2 at the end. With --game checkers, games are PDN and positions are its FENs,\n' +
        'ranges included ("W:W21-24:BK3").',
    )
    .addOption(new Option('--game <game>', 'their game').choices(['chess', 'checkers']).default('chess'))
    .option('--out <path>', 'write the games as PGN or PDN there, with what was found as comments')
    .option('--force', 'overwrite that file')
    .option('--men <n>', 'look up positions of at most so many men', wholeNumber('--men', 2, 10), 7)
    .action(async (path, options) => (await import('../commands/study.js')).runStudy(path, options));
}
