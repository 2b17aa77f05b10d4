#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 node
/**
 * The command line: `mergemate COMMAND …`. The settings above have the C library give freed buffers back to the system
 * and keep one heap for all threads; without them everything works and the process holds some 20 MiB more.
 */
import { Command, CommanderError } from 'commander';
import { UserError } from '../operators/core/errors.js';
import { ExitCode, fail, watchProcess } from './exit.js';
import { keepHeapSmall } from './heap.js';
import { versionOf } from './version.js';

/** Loaded when asked for: what the others need, a long run would hold in memory for nothing. */
const commands: Record<string, () => Promise<(root: Command) => void>> = {
  solve: async () => (await import('./commands/solve.js')).addSolve,
  step: async () => (await import('./commands/step.js')).addStep,
  status: async () => (await import('./commands/status.js')).addStatus,
  gc: async () => (await import('./commands/gc.js')).addGc,
  stats: async () => (await import('./commands/stats.js')).addStats,
  probe: async () => (await import('./commands/probe.js')).addProbe,
  line: async () => (await import('./commands/line.js')).addLine,
  verify: async () => (await import('./commands/verify.js')).addVerify,
  report: async () => (await import('./commands/report.js')).addReport,
  positions: async () => (await import('./commands/positions.js')).addPositions,
  export: async () => (await import('./commands/export.js')).addExport,
  check: async () => (await import('./commands/check.js')).addCheck,
  compare: async () => (await import('./commands/compare.js')).addCompare,
  publish: async () => (await import('./commands/publish.js')).addPublish,
  syzygy: async () => (await import('./commands/syzygy.js')).addSyzygy,
  graph: async () => (await import('./commands/graph.js')).addGraph,
  plan: async () => (await import('./commands/plan.js')).addPlan,
  serve: async () => (await import('./commands/serve.js')).addServe,
};

async function program(asked: string | undefined): Promise<Command> {
  const root = new Command('mergemate')
    .description(
      'Perfect-play endgame databases larger than memory, built by external sorting and merge joins',
    )
    .version(versionOf());
  const one = asked === undefined ? undefined : commands[asked];
  for (const load of one ? [one] : Object.values(commands)) (await load())(root);
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

/** "help solve" asks what "solve --help" does; an unknown command is an error, whatever else is asked of it. */
function wordsOf([first = '', ...rest]: readonly string[]): string[] {
  if (first === 'help' && rest[0] !== undefined) return wordsOf([rest[0], '--help']);
  const isUnknown = !first.startsWith('-') && first !== 'help' && !(first in commands);
  return isUnknown ? [first] : [first, ...rest];
}

async function main(): Promise<void> {
  keepHeapSmall();
  watchProcess();
  try {
    if (process.argv.length <= 2)
      throw new UserError('no command given; "mergemate --help" lists the commands');
    const words = wordsOf(process.argv.slice(2));
    await (await program(words[0])).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(error);
    if (error.exitCode === 0) process.exit(ExitCode.ok);
    fail(new UserError(error.message.replace(/^error: /, '')));
  }
}

await main();
