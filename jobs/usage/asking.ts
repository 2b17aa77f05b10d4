/** The options of the commands that answer questions about what is solved: probe, stats, export, study. */
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS } from '../export/formats.js';
import {
  describe,
  onlyWith,
  wholeNumber,
  withCache,
  withLookup,
  withMemory,
  withMetric,
  withStore,
  withTables,
} from './options.js';

export function addProbe(program: Command): void {
  const command = describe(
    withLookup(
      withCache(
        withMetric(
          withStore(program.command('probe <game> [position]')),
          'of endings all that are solved, else the first that the game has',
        ),
      ),
    ),
    'look a position up, with all its moves or the best line',
    'Prints the value of a position and of all its moves, best first, or the line of best play ("mergemate help positions").',
    `probe chess "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1"
     probe samples/town.jsonl a --line`,
  )
    .option('--line', 'the line of best play; of a problem, all solutions')
    .option(
      '--limit <n>',
      'with --line: at most so many solutions (default: 20)',
      wholeNumber('--limit', { least: 1, most: 100_000 }),
    )
    .option('--file <path>', 'a file with one position a line, FEN or EPD; "-" is standard input')
    .action(async (gameName, position, flags) =>
      (await import('../commands/probe.js')).runProbe(gameName, position, flags),
    );
  onlyWith(command, ['--line'], ['--limit']);
}

export function addStats(program: Command): void {
  const command = describe(
    withTables(program.command('stats <game> [endings...]')),
    'count wins, draws and losses by ply; write a report',
    'Counts the positions of solved endings, of a keyed game or a graph by outcome and plies, problems by stipulation and solutions; of several endings, a row for each and for each with its sides exchanged.',
    `stats chess KQKR
     stats chess --men 3 --metric dtz --html report`,
  )
    .option(
      '--html <folder>',
      'write a page there (made if it is not there) with boards and best play of the longest wins, and the figures as CSV: endings, plies, zugzwangs; of a game or graph results, plies',
    )
    .option('--force', 'with --html: overwrite the files if they are there')
    .action(async (gameName, names, flags) =>
      (await import('../commands/stats.js')).runStats(gameName, names, flags),
    );
  onlyWith(command, ['--html'], ['--force']);
}

export function addExport(program: Command): void {
  const command = describe(
    withMemory(withTables(program.command('export <game> [endings...]')), () => ({ kind: 'export' })),
    'write the values for other programs, all or some',
    'Writes a row for each position of what is solved, or for those that --where chooses ("mergemate help columns").',
    `export chess KQKR --out kqkr.parquet
     export chess KPK --where "result=win plies=55" --format epd`,
  )
    .addOption(
      new Option(
        '--format <format>',
        'file format (default: as the name of the file ends; jsonl on standard output)',
      ).choices(EXPORT_FORMATS),
    )
    .option('--out <path>', 'the file or folder to write; "-" is standard output (lines of text)', '-')
    .option('--where <conditions>', 'only positions that meet these conditions: see "mergemate help where"')
    .option('--limit <n>', 'at most so many rows', wholeNumber('--limit', { least: 1, most: 2 ** 40 }))
    .option('--moves', 'with the best moves, which are looked up: the column best')
    .option('--columns <names>', 'columns, with commas between them: see "mergemate help columns"')
    .option('--force', 'overwrite files that are there')
    .action(async (gameName, names, flags) =>
      (await import('../commands/export.js')).runExport(gameName, names, flags),
    );
  onlyWith(command, ['--out'], ['--force']);
}

export function addStudy(program: Command): void {
  const command = describe(
    withLookup(
      withCache(
        withMetric(withStore(program.command('study <file>')), 'of each position the first that is solved'),
      ),
    ),
    'check studies and games against the tables',
    'Judges the moves of studies and games by the tables, whether a study or problem is sound, and the claims of its text; the file is PGN, FEN, EPD or input for Popeye, "-" is standard input.',
    `study samples/studies.pgn
     study samples/studies.pgn --replies
     study games.pgn --syzygy ~/syzygy --out annotated.pgn`,
  )
    .addOption(new Option('--game <game>', 'their game').choices(['chess', 'checkers']).default('chess'))
    .option(
      '--out <path>',
      'write the games as PGN or PDN there, with what was found as comments; "-" is standard output, in place of the report',
    )
    .option('--force', 'overwrite that file')
    .option('--replies', 'judge the moves of both sides, not only of the one that has to win or draw')
    .option(
      '--men <n>',
      'look up positions of at most so many men',
      wholeNumber('--men', { least: 2, most: 10 }),
      7,
    )
    .action(async (path, options) => (await import('../commands/study.js')).runStudy(path, options));
  onlyWith(command, ['--out'], ['--force']);
}
