/** One command: words in, text on the standard streams. Its exit code is that of `fail`, or process.exitCode. */
import { Command, CommanderError } from 'commander';
import { UserError } from '../operators/core/errors.js';
import { ExitCode, fail } from './exit.js';
import { hasPlaceForOperand, operandsLast } from './operands.js';
import { addCheck } from './usage/check.js';
import { addCompare } from './usage/compare.js';
import { addExport } from './usage/export.js';
import { addGc } from './usage/gc.js';
import { addGraph } from './usage/graph.js';
import { addLine } from './usage/line.js';
import { addPlan } from './usage/plan.js';
import { addPositions } from './usage/positions.js';
import { addProbe } from './usage/probe.js';
import { addPublish } from './usage/publish.js';
import { addRank } from './usage/rank.js';
import { addReport } from './usage/report.js';
import { addScrub } from './usage/scrub.js';
import { addServe } from './usage/serve.js';
import { addSolve } from './usage/solve.js';
import { addStats } from './usage/stats.js';
import { addStatus } from './usage/status.js';
import { addStudy } from './usage/study.js';
import { addSyzygy } from './usage/syzygy.js';
import { addVerify } from './usage/verify.js';
import { version } from './version.js';

export { tidyUp } from './exit.js';

/** Each module gives the name and options of a command; the code that the command needs is loaded when it is run. */
const usages: Readonly<Record<string, (root: Command) => void>> = {
  solve: addSolve,
  rank: addRank,
  status: addStatus,
  gc: addGc,
  scrub: addScrub,
  stats: addStats,
  probe: addProbe,
  line: addLine,
  study: addStudy,
  verify: addVerify,
  report: addReport,
  positions: addPositions,
  export: addExport,
  check: addCheck,
  compare: addCompare,
  publish: addPublish,
  syzygy: addSyzygy,
  graph: addGraph,
  plan: addPlan,
  serve: addServe,
};

function program(asked: string | undefined): Command {
  const root = new Command('mergemate')
    .description(
      'Perfect-play endgame databases larger than memory, built by external sorting and merge joins',
    )
    .version(version);
  const one = asked === undefined ? undefined : usages[asked];
  for (const add of one ? [one] : Object.values(usages)) add(root);
  for (const command of [root, ...root.commands, ...root.commands.flatMap(({ commands }) => commands)]) {
    // Line breaks of the source are not those of a terminal, whose width is known when the text is printed.
    command.description(command.description().replace(/(?<!\n)\n(?!\n)/g, ' '));
    // Usage errors go the way of all others: one line, exit code 2.
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .showSuggestionAfterError(true);
  }
  return root;
}

/** "help solve" means "solve --help"; an unknown command is an error, with or without --help. */
function wordsOf([first = '', ...rest]: readonly string[]): string[] {
  if (first === 'help' && rest[0] !== undefined) return wordsOf([rest[0], '--help']);
  const isUnknown = !first.startsWith('-') && first !== 'help' && !(first in usages);
  return isUnknown ? [first] : [first, ...rest];
}

const OPERAND_HINT = '; a position or name that begins with "-" goes behind "--"';

function mayBeOperand(args: readonly string[]): boolean {
  const words = wordsOf(args);
  return hasPlaceForOperand(program(words[0]), words);
}

export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    if (args.length === 0) throw new UserError('no command given; "mergemate --help" lists the commands');
    const words = wordsOf(args);
    const root = program(words[0]);
    await root.parseAsync(operandsLast(root, words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(error);
    if (error.exitCode === 0) process.exit(ExitCode.ok);
    const isUnknown = error.code === 'commander.unknownOption' && !error.message.includes('Did you mean');
    const hint = isUnknown && mayBeOperand(args) ? OPERAND_HINT : '';
    fail(new UserError(error.message.replace(/^error: /, '') + hint));
  }
}
