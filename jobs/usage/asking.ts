/** The options of the commands that answer questions about what is solved: probe, stats, export, study. */
import { type Command, Option } from 'commander';
import { COLUMNS_OF } from '../export/columns.js';
import { EXPORT_FORMATS } from '../export/formats.js';
import {
  describe,
  wholeNumber,
  withCache,
  withLookup,
  withMemory,
  withMetric,
  withStore,
  withTables,
} from './options.js';

export function addProbe(program: Command): void {
  describe(
    withLookup(withCache(withMetric(withStore(program.command('probe <game> [position]'))))),
    'look a position up, with all its moves or the best line',
    'Looks a position up, with all its moves, best first; values are for the side to move, plies count from the position.\n' +
      'A position of chess is a FEN or EPD (hmvc is its half-move clock), one of checkers a FEN of PDN, ranges included\n' +
      '("W:W21-24:BK3"). Of a graph in JSON it is a node; a name that is text of digits is quoted twice: \'"7"\'. A\n' +
      'keyed game, or a graph that lists roots, without a position or --file answers for its roots.\n' +
      'Without --metric, a position of an ending has the values under all metrics that are solved, side by side.\n' +
      'With --line, the line of best play to the end of the game. Under dtc each section of it is a shortest way to a conversion\n' +
      '(to other pieces), under dtz to a capture or a move of a pawn, where the next table takes over; "plies" counts to the end\n' +
      'of the first section. Cursed wins are played on to mate. Not for wdl.\n' +
      'Under help, self and their likes the value is a stipulation and the number of its solutions ("h#6, 3 solutions"), each move has\n' +
      'what it leads to, set play is named where the other side to move has a solution, and --line has all solutions, Black first\n' +
      'in helpmates.\n' +
      'With --file, prints a JSON line for each position of a file, in order, as --json does for one; a line that is not a position is\n' +
      'answered with its error, and the exit code is 2 at the end.\n' +
      '--json: position (and slice of endings, id of keyed games and graphs), mover, over, winner, outcome and plies for the player to move, and\n' +
      'moves, each with move (its name), the position that follows, outcome and plies (those of chess and checkers also have uci and\n' +
      'san). Without --metric, metrics has the same under each metric, and the rest is that of the first. Where unknown positions\n' +
      'can be reached (tables of "solve --from"), outcome and plies are what the player is sure of, most has what the unknown may make\n' +
      'of it, and known says it in words.',
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
}

export function addStats(program: Command): void {
  describe(
    withTables(program.command('stats <game> [endings...]')),
    'count wins, draws and losses by ply; write a report',
    'Counts the positions of a solved ending: wins, draws, losses, positions without moves, wins by plies, longest wins.\n' +
      'Under dtz, wins that the 50-move rule makes draws are counted apart, as cursed wins and blessed losses. Under help, self and their\n' +
      'likes positions are counted by stipulation and by number of solutions, with the longest problem and the longest sound one;\n' +
      'of several endings, one row for each and the counts of all together, without --html.\n' +
      'Colours are those of the name: in chess White has its first group, and KNKR is KRKN with the colours exchanged.\n' +
      '"placements" count boards, "orbits" count them up to the symmetries of the board.\n' +
      'Of several endings, or with --pieces, one row for each and for each with its sides exchanged (KQK and KKQ): the boards in\n' +
      'which the side that begins the game is to move, in chess White.\n' +
      'Of a keyed game or graph: positions by player to move and by winner, and wins by the moves they take.\n' +
      'With --html, a page (index.html) with boards and best play of the longest wins, and the figures as CSV: endings.csv,\n' +
      'plies.csv (not for wdl), zugzwangs.csv (chess); of a keyed game or graph results.csv and plies.csv.',
    `stats chess KQKR
     stats chess --men 3 --metric dtz --html report`,
  )
    .option('--html <folder>', 'write the figures as a page and CSV files there; made if it is not there')
    .option('--force', 'with --html: overwrite the files if they are there')
    .action(async (gameName, names, flags) =>
      (await import('../commands/stats.js')).runStats(gameName, names, flags),
    );
}

export function addExport(program: Command): void {
  const columns = Object.entries(COLUMNS_OF)
    .map(([kind, names]) => `${kind} have ${names.join(', ')}`)
    .join('; ');
  describe(
    withMemory(withTables(program.command('export <game> [endings...]')), () => ({ kind: 'export' })),
    'write the values for other programs, all or some',
    'Writes a row for each legal position of a solved game, each once up to symmetry. Games of every kind have the columns\n' +
      'position (as "probe" reads it), mover (who is to move), outcome and plies for the mover (plies to the end or, by the metric,\n' +
      'to a conversion; null for draws), and weight, how many positions the row stands for: count(*) counts positions up to\n' +
      'symmetry, sum(weight) all of them. Endings have slice, too; keyed games have layer (moves from the nearest root), and tables of\n' +
      'the metric score have score, the points by which the mover wins, negative if it loses. Of a graph the mover is the owner\n' +
      'that its file gives to the node or, where the play is over and it gives none, the player who has lost. Parquet is compressed by Snappy.\n' +
      'Others must be named by --columns: index (endings: the number of the position for its mover), id (keyed games: the key),\n' +
      'move (keyed games and graphs: the move to follow, null where the play is over), best (the moves that keep the value, which --moves\n' +
      'adds), ending, and with --where zugzwang zugzwang (the kind), passed and passed_plies (what the other would get). Endings come with the positions in which\n' +
      'the side that begins the game is to move first, keyed games by layer, graphs in the order of their file.\n\n' +
      '--where chooses positions by conditions with spaces between them: result=win (cursed win, draw, blessed loss, loss),\n' +
      'plies=19 or plies=10..19, side=white (or the name of a player), longest (of each ending and side to move; wins unless the\n' +
      'result says otherwise), solutions=1, starts=1 and ends=1 or ranges (under help, self and their likes: how many solutions there are,\n' +
      'and how many different moves they begin and end with), zugzwang (mutual zugzwangs: with neither king in check, the side to move does worse than if the\n' +
      'other were), on=Kg1 pa R8 (men on squares, files or ranks; any rotated or mirrored version counts; checkers: W18 BK3).\n' +
      'Columns are the same whatever is chosen. Positions of chess can also be epd (with the operations id, c0 the result, c1 the kind\n' +
      'of zugzwang, dm, and bm with --moves) and pgn (a game without moves each).\n\n' +
      'All rows go to one file. --out that is a folder or ends in "/", or has no ending while there are several\n' +
      'endings, is a set: a folder with a file for each slice, ending=KQK/KQK.parquet, which data tools read as one table with\n' +
      'the column ending besides. Parquet and Arrow files of a set that are there and complete are kept, so that the same\n' +
      'command goes on after an interruption. Most of the time and space goes to position: --columns leaves it out.',
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
    .option('--where <conditions>', 'only positions that meet all of these conditions')
    .option('--limit <n>', 'at most so many rows', wholeNumber('--limit', { least: 1, most: 2 ** 40 }))
    .option('--moves', 'with the best moves, which are looked up: the column best')
    .option(
      '--columns <names>',
      `columns, with commas between them (default: those that need not be named); ${columns}`,
    )
    .option('--force', 'overwrite files that are there')
    .action(async (gameName, names, flags) =>
      (await import('../commands/export.js')).runExport(gameName, names, flags),
    );
}

export function addStudy(program: Command): void {
  describe(
    withLookup(withCache(withMetric(withStore(program.command('study <file>'))))),
    'check studies and games against the tables',
    'Judges the moves of studies and games by the tables (only moves, duals, mistakes), whether a study or a problem is sound, and whether the\n' +
      'claims of its text are right. The file is PGN, or has positions as FEN or EPD, or is input for Popeye; "-" is standard input.',
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
    .option('--replies', 'judge the moves of the other side, too, which has nothing to reach')
    .option(
      '--men <n>',
      'look up positions of at most so many men',
      wholeNumber('--men', { least: 2, most: 10 }),
      7,
    )
    .action(async (path, options) => (await import('../commands/study.js')).runStudy(path, options));
}
