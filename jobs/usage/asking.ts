/** The commands that answer questions about what is solved. */
import { EXPORT_FORMATS } from '../export/formats.js';
import { cache, json, lookup, memory, metric, option, store, tables, type Usage } from './options.js';

export const probe: Usage = {
  operands: '<game> [position]',
  summary: 'look a position up, with all its moves or the best line',
  text: 'Prints the value of a position and of all its moves, best first, or the line of best play ("mergemate help positions").',
  examples: ['probe chess "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1"', 'probe samples/town.jsonl a --line'],
  options: [
    store(),
    json(),
    metric('of endings all that are solved, else the first that the game has'),
    cache(),
    ...lookup(),
    option('--line', 'the line of best play; of a problem, all solutions'),
    option('--limit <n>', 'at most so many solutions (default: 20)').number(1, 100_000).needs('--line'),
    option('--file <path>', 'a file with one position a line, FEN or EPD; "-" is standard input').conflicts(
      'line',
    ),
  ],
  load: async () => (await import('../commands/probe.js')).runProbe,
};

export const stats: Usage = {
  operands: '<game> [endings...]',
  summary: 'count wins, draws and losses by ply; write a report',
  text: 'Counts the positions of solved endings, of a keyed game or a graph by outcome and plies, problems by stipulation and solutions; of several endings, a row for each and for each with its sides exchanged.',
  examples: ['stats chess KQKR', 'stats chess --men 3 --metric dtz --html report'],
  options: [
    ...tables(),
    option(
      '--html <folder>',
      'write a page there (made if it is not there) with boards and best play of the longest wins, and the figures as CSV: endings, plies, zugzwangs; of a game or graph results, plies',
    ),
    option('--force', 'overwrite the files if they are there').needs('--html'),
  ],
  load: async () => (await import('../commands/stats.js')).runStats,
};

export const exportRows: Usage = {
  operands: '<game> [endings...]',
  summary: 'write the values for other programs, all or some',
  text: 'Writes a row for each position of what is solved, or for those that --where chooses ("mergemate help columns").',
  examples: [
    'export chess KQKR --out kqkr.parquet',
    'export chess KPK --where "result=win plies=55" --format epd',
  ],
  options: [
    ...tables(),
    memory().fits(() => ({ kind: 'export' })),
    option(
      '--format <format>',
      'file format (default: as the name of the file ends; jsonl on standard output)',
    ).choices(EXPORT_FORMATS),
    option('--out <path>', 'the file or folder to write; "-" is standard output (lines of text)').default(
      '-',
    ),
    option('--where <conditions>', 'only positions that meet these conditions: see "mergemate help where"'),
    option('--limit <n>', 'at most so many rows').number(1, 2 ** 40),
    option('--moves', 'with the best moves, which are looked up: the column best'),
    option('--columns <names>', 'columns, with commas between them: see "mergemate help columns"'),
    option('--force', 'overwrite files that are there').needs('--out'),
  ],
  load: async () => (await import('../commands/export.js')).runExport,
};

export const study: Usage = {
  operands: '<file>',
  summary: 'check studies and games against the tables',
  text: 'Judges the moves of studies and games by the tables, whether a study or problem is sound, and the claims of its text; the file is PGN, FEN, EPD or input for Popeye, "-" is standard input.',
  examples: [
    'study samples/studies.pgn',
    'study samples/studies.pgn --replies',
    'study games.pgn --syzygy ~/syzygy --out annotated.pgn',
  ],
  options: [
    store(),
    json(),
    metric('of each position the first that is solved'),
    cache(),
    ...lookup(),
    option('--game <game>', 'their game').choices(['chess', 'checkers']).default('chess'),
    option(
      '--out <path>',
      'write the games as PGN or PDN there, with what was found as comments; "-" is standard output, in place of the report',
    ),
    option('--force', 'overwrite that file').needs('--out'),
    option('--replies', 'judge the moves of both sides, not only of the one that has to win or draw'),
    option('--men <n>', 'look up positions of at most so many men').number(2, 10).default(7),
  ],
  load: async () => (await import('../commands/study.js')).runStudy,
};
