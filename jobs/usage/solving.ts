/** The commands that solve, or say what solving takes. */
import { UserError } from '../../operators/core/errors.js';
import { Bounds, Defaults } from '../cli/bounds.js';
import { job, json, memory, metric, option, pieces, plies, type Usage, workers } from './options.js';

/** The options of a position whose tables are made for it alone. */
const root = () => [
  option(
    '--from <position>',
    'of chess: tables for this position alone, a FEN or the last position of a PGN file: for the pawn structures that can be reached from it',
  ).once(),
  option(
    '--stop-at <men>',
    'positions with so many men or fewer are looked up in the store, or are unknown if it has no table of them',
  )
    .number(2, 31)
    .needs('--from'),
  option(
    '--most-pieces <n>',
    'the same for positions with more pieces, kings and pawns not counted, so that promotions end the search',
  )
    .number(0, 5)
    .needs('--from'),
  option(
    '--promote <letters>',
    'the pieces that pawns become, such as q; a player who promotes to another one loses (default: qrbn)',
  ).needs('--from'),
  option(
    '--never <moves>',
    'moves that one side does not make, such as "white: e1, a1, Rxc1": where a man of that side stands, none of them leaves,' +
      ' any other square none enters; what this side still wins or draws is true',
  )
    .once()
    .needs('--from'),
];

/** Files in which a root's positions are looked up. */
const LOOKED_UP =
  'Syzygy files in which positions are looked up where solving stops (repeat it for several places)';

export const solve: Usage = {
  operands: '<job...>',
  summary: 'solve endings, games and graphs, with all they lead to',
  text: 'Solves endings and all they convert to, games of your own by their modules, graphs in JSON or JSON Lines (also .gz, or from a pipe with --name), or what a job file names, which flags override; run again, it continues.',
  examples: [
    'solve chess KQKR KRKN --workers 2',
    'solve chess --from "8/8/8/KP6/1p6/1k6/5P2/8 b - - 0 1"',
    'solve samples/town.jsonl',
  ],
  options: [
    ...job(false),
    ...root(),
    option(
      '--again',
      'delete its tables first: needed when a file or the rules of a game have changed',
    ).conflicts(['to', 'fromPublished']),
    option('--ignore-forecast', 'begin without a forecast, even if the disk could not hold the tables'),
    option('--logs <folder>', 'of ranks: a folder for what they write'),
    option('--explain-memory', 'print how --memory is divided among buffers, and solve nothing'),
    option(
      '--to <uri>',
      'of chess under the metric dtz: write the Syzygy files of each ending there when it is solved, and verify them',
    ),
    // Of a root that is named, not given by --from, too.
    option('--syzygy <uri>', `with --from: ${LOOKED_UP}`).repeatable(),
    plies().needs('--to'),
    option('--free-tables', 'delete tables of the set that no ending still to be done converts to').needs(
      '--to',
    ),
    option(
      '--disk <size>',
      'put a step off while its forecast exceeds this size, tables, scratch and files together',
    )
      .size()
      .needs('--to'),
    option(
      '--ledger <file>',
      'write what each ending took, and how it was verified, there after each ending (.md, .html or .json)',
    ).needs('--to'),
    option(
      '--from-published <uri>',
      'under the metric wdl: use the published tables there for smaller endings instead of solving them',
    ).conflicts('to'),
  ],
  load: async () => (await import('../commands/solve.js')).runSolve,
};

const { ranks } = Bounds;

/** Started by launchers, not by people. */
export const rank: Usage = {
  operands: '<job...>',
  hidden: true,
  summary: 'be one of several processes that solve together',
  text: 'Solves what "solve" would, as one of several processes that share nothing but the store: start as many as there are ranks, with the same arguments. The number of each comes from the flags or from Slurm, Open MPI, Kubernetes or AWS Batch. Exit code 75: the store did not answer, start the rank again.',
  examples: [
    'rank chess KBNKN --rank 0 --ranks 2 --store /shared/tables',
    'rank town.jsonl --rank 1 --ranks 2 --store s3://bucket/tables',
  ],
  options: [
    ...job(true),
    option('--rank <n>', 'the number of this rank, from 0 on').number(0, ranks.most - 1),
    option('--ranks <n>', 'how many ranks there are').number(ranks.least, ranks.most),
    option('--job <name>', 'the name that all ranks of a job have; letters, digits and dashes'),
    option(
      '--syzygy <uri>',
      'of tables for one position, where solving stops: the Syzygy files in which positions are looked up (repeat it for several places)',
    ).repeatable(),
    option('--log <folder>', 'append events to HOST.jsonl there, one JSON object a line'),
    option('--driven', 'print nothing: another process collects what the ranks report'),
  ],
  load: async () => (await import('../commands/rank.js')).runRankCommand,
};

export const plan: Usage = {
  operands: '<game> [endings...]',
  summary: 'forecast what solving would take',
  text: 'Lists the slices that have to be solved, in waves that do not depend on each other, and what that takes; nothing is solved.',
  examples: ['plan chess KRBKNN --estimate --machines 16', 'plan chess --men 5 --metric dtz'],
  options: [
    memory('buffers of a rank'),
    metric(),
    ...root(),
    pieces(),
    workers('threads of a machine'),
    option(
      '--partitions <n>',
      'the most partitions of a slice (default: as many as pay, at most one for each rank)',
    ).number(1, 65_536),
    option('--whole-below <size>', 'slices with fewer bytes of labels are solved by one rank each').size(
      Defaults.wholeBelow,
    ),
    option('--machines <n>', 'ranks that solve together (default: 1)').number(1, 65_536),
    option('--rounds <n>', 'assume so many rounds for every large slice')
      .number(1, 65_535)
      .needs('--estimate'),
    option('--no-verify', 'forecast solving without verification').needs('--estimate'),
    json(),
    option('--estimate', 'forecast work, traffic, disk and time'),
    option('--compare-stops', 'what each --stop-at and --most-pieces would take, and leave unknown').needs(
      '--from',
    ),
    option('--decided <share>', 'assume that this share of the positions is won or lost, 0 to 1')
      .argParser(readShare)
      .needs('--estimate'),
    option('--bandwidth <size>', 'bytes a second between a machine and the store')
      .size('100MB')
      .needs('--estimate'),
    option('--phase-seconds <n>', 'seconds that a barrier takes beside the answers of the store')
      .number(0, 86_400)
      .default(0)
      .needs('--estimate'),
    option('--syzygy <uri>', LOOKED_UP).repeatable().needs('--from'),
    option(
      '--store <uri>',
      'with --estimate or --from: tables that are there cost nothing; their rounds improve the forecast',
    ).env('MERGEMATE_STORE'),
  ],
  load: async () => (await import('../commands/plan.js')).runPlan,
};

function readShare(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new UserError(`--decided must be between 0 and 1, not ${JSON.stringify(text)}`);
}
