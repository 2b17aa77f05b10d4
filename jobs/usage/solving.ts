/** The options of the commands that solve, or say what solving takes: solve, rank, plan. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { Bounds, Defaults } from '../cli/bounds.js';
import { parseSize } from '../cli/quantities.js';
import {
  describe,
  onlyWith,
  pliesOption,
  size,
  wholeNumber,
  withJob,
  withMemory,
  withMetric,
  withPieces,
  withWorkers,
} from './options.js';

export function addSolve(program: Command): void {
  const command = describe(
    withRoot(withJob(program.command('solve <job...>'), false)),
    'solve endings, games and graphs, with all they lead to',
    'Solves endings and all they convert to, games of your own by their modules, graphs in JSON or JSON Lines (also .gz, or from a pipe with --name), or what a job file names, which flags override; run again, it continues.',
    `solve chess KQKR KRKN --workers 2
     solve chess --from "8/8/8/KP6/1p6/1k6/5P2/8 b - - 0 1"
     solve samples/town.jsonl`,
  )
    .option('--again', 'delete its tables first: needed when a file or the rules of a game have changed')
    .option('--ignore-forecast', 'begin without a forecast, even if the disk could not hold the tables')
    .option('--logs <folder>', 'of ranks: a folder for what they write')
    .option('--explain-memory', 'print how --memory is divided among buffers, and solve nothing')
    .option(
      '--to <uri>',
      'of chess under the metric dtz: write the Syzygy files of each ending there when it is solved, and verify them',
    )
    .option(
      '--syzygy <uri>',
      'with --from: Syzygy files in which positions are looked up where solving stops (repeat it for several places)',
      collect,
    )
    .addOption(pliesOption())
    .option(
      '--free-tables',
      'with --to: delete tables of the set that no ending still to be done converts to',
    )
    .option(
      '--disk <size>',
      'with --to: put a step off while its forecast exceeds this size, tables, scratch and files together',
      size('--disk'),
    )
    .option(
      '--ledger <file>',
      'with --to: write what each ending took, and how it was verified, there after each ending (.md, .html or .json)',
    )
    .option(
      '--from-published <uri>',
      'under the metric wdl: use the published tables there for smaller endings instead of solving them',
    )
    .action(async (words, flags) => (await import('../commands/solve.js')).runSolve(words, flags));
  onlyWith(command, ['--to'], ['--plies', '--free-tables', '--disk', '--ledger']);
}

/** Values of an option that may be given several times. */
const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** The value of an option that says all in one text: of two, one would be left out without a word. */
const once = (flag: string) => (value: string, before?: string) => {
  if (before === undefined) return value;
  throw new UserError(`${flag} was given twice: ${JSON.stringify(before)} and ${JSON.stringify(value)}`);
};

/** The options of a position whose tables are made for it alone. */
function withRoot(command: Command): Command {
  onlyWith(command, ['--from'], ['--stop-at', '--most-pieces', '--promote', '--never']);
  return command
    .option(
      '--from <position>',
      'of chess: tables for this position alone, a FEN or the last position of a PGN file: for the pawn structures that can be reached from it',
      once('--from'),
    )
    .option(
      '--stop-at <men>',
      'with --from: positions with so many men or fewer are looked up in the store, or are unknown if it has no table of them',
      wholeNumber('--stop-at', { least: 2, most: 31 }),
    )
    .option(
      '--most-pieces <n>',
      'with --from: the same for positions with more pieces, kings and pawns not counted, so that promotions end the search',
      wholeNumber('--most-pieces', { least: 0, most: 5 }),
    )
    .option(
      '--promote <letters>',
      'with --from: the pieces that pawns become, such as q; a player who promotes to another one loses (default: qrbn)',
    )
    .option(
      '--never <moves>',
      'with --from: moves that one side does not make, such as "white: e1, a1, Rxc1": where a man of that side stands, none of them leaves,' +
        ' any other square none enters; what this side still wins or draws is true',
      once('--never'),
    );
}

/** Started by launchers, not by people: the list of commands leaves it out. */
export function addRank(program: Command): void {
  const { ranks } = Bounds;
  describe(
    withJob(program.command('rank <job...>', { hidden: true }), true),
    'be one of several processes that solve together',
    'Solves what "solve" would, as one of several processes that share nothing but the store: start as many as there are ranks, with the same arguments. The number of each comes from the flags or from Slurm, Open MPI, Kubernetes or AWS Batch. Exit code 75: the store did not answer, start the rank again.',
    `rank chess KBNKN --rank 0 --ranks 2 --store /shared/tables
     rank town.jsonl --rank 1 --ranks 2 --store s3://bucket/tables`,
  )
    .option(
      '--rank <n>',
      'the number of this rank, from 0 on',
      wholeNumber('--rank', { least: 0, most: ranks.most - 1 }),
    )
    .option('--ranks <n>', 'how many ranks there are', wholeNumber('--ranks', ranks))
    .option('--job <name>', 'the name that all ranks of a job have; letters, digits and dashes')
    .option(
      '--syzygy <uri>',
      'of tables for one position, where solving stops: the Syzygy files in which positions are looked up (repeat it for several places)',
      collect,
    )
    .option('--log <folder>', 'append events to HOST.jsonl there, one JSON object a line')
    .option('--driven', 'print nothing: another process collects what the ranks report')
    .action(async (words, flags) => (await import('../commands/rank.js')).runRankCommand(words, flags));
}

export function addPlan(program: Command): void {
  const most = { least: 1, most: 65_536 };
  const command = describe(
    withPieces(
      withRoot(
        withMetric(withMemory(program.command('plan <game> [endings...]'), () => null, 'buffers of a rank')),
      ),
    ),
    'forecast what solving would take',
    'Lists the slices that have to be solved, in waves that do not depend on each other, and what that takes; nothing is solved.',
    `plan chess KRBKNN --estimate --machines 16
     plan chess --men 5 --metric dtz`,
  );
  withWorkers(command, 'threads of a machine')
    .option(
      '--partitions <n>',
      'the most partitions of a slice (default: as many as pay, at most one for each rank)',
      wholeNumber('--partitions', most),
    )
    .addOption(
      new Option('--whole-below <size>', 'slices with fewer bytes of labels are solved by one rank each')
        .argParser(size('--whole-below'))
        .default(parseSize(Defaults.wholeBelow, 'default'), Defaults.wholeBelow),
    )
    .option('--machines <n>', 'ranks that solve together (default: 1)', wholeNumber('--machines', most))
    .option(
      '--rounds <n>',
      'assume so many rounds for every large slice',
      wholeNumber('--rounds', { least: 1, most: 65_535 }),
    )
    .option('--no-verify', 'forecast solving without verification')
    .option('--json', 'print JSON')
    .option('--estimate', 'forecast work, traffic, disk and time')
    .option(
      '--compare-stops',
      'with --from: what each --stop-at and --most-pieces would take, and leave unknown',
    )
    .option('--decided <share>', 'assume that this share of the positions is won or lost, 0 to 1', readShare)
    .addOption(
      new Option('--bandwidth <size>', 'bytes a second between a machine and the store')
        .argParser(size('--bandwidth'))
        .default(1e8, '100MB'),
    )
    .option(
      '--phase-seconds <n>',
      'seconds that a barrier takes beside the answers of the store',
      wholeNumber('--phase-seconds', { least: 0, most: 86_400 }),
      0,
    )
    .option(
      '--syzygy <uri>',
      'with --from: Syzygy files in which positions are looked up where solving stops (repeat it for several places)',
      collect,
    )
    .option(
      '--store <uri>',
      'with --estimate or --from: tables that are there cost nothing; their rounds improve the forecast',
    )
    .action(async (gameName, names, given) =>
      (await import('../commands/plan.js')).runPlan(gameName, names, given),
    );
  onlyWith(command, ['--from'], ['--compare-stops', '--syzygy']);
  onlyWith(
    command,
    ['--estimate'],
    ['--rounds', '--no-verify', '--decided', '--bandwidth', '--phase-seconds'],
  );
}

function readShare(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new UserError(`--decided must be between 0 and 1, not ${JSON.stringify(text)}`);
}
