import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { devices } from '../compare/device-model.js';
import { solverNames } from '../compare/solvers.js';
import { ioModes } from '../compare/task.js';
import { parseMemory } from '../sizes.js';
import { withMetric, withStore } from './options.js';

const deviceNames = devices.map(({ name }) => name);

export function addCompare(program: Command): void {
  withMetric(withStore(program.command('compare <game> <ending>')))
    .summary('compare the solvers on one ending')
    .description(
      'Solves the same ending by sorting, by paging and by bit-parallel sets, each in a process of its own with the same\n' +
        'memory, checks that the tables are identical, and reports time and I/O. What the ending converts to is solved first\n' +
        'and kept in the store. Ends with exit code 2 if tables differ, naming the first position where they do.',
    )
    .addOption(
      new Option(
        '--solvers <names>',
        `which of ${solverNames.join(', ')}, with commas between them (default: all that can solve the slice; bitboard: chess without pawns)`,
      ).argParser((text) => listOf('--solvers', text, solverNames)),
    )
    .addOption(
      new Option('--memory <sizes>', 'budgets, with commas between them')
        .default(
          [8, 64, 1024].map((n) => n * 2 ** 20),
          '8MiB,64MiB,1GiB',
        )
        .argParser(readMemories),
    )
    .addOption(
      new Option('--io <mode>', "direct: all reads and writes of the solvers pass the system's cache by")
        .choices(ioModes)
        .default('cached'),
    )
    .addOption(
      new Option('--device <names>', `devices to model the time for: ${deviceNames.join(', ')}`)
        .default([...devices], 'all')
        .argParser((text) =>
          listOf('--device', text, deviceNames).map((name) => devices.find((device) => device.name === name)),
        ),
    )
    .option('--html <file>', 'write the report as one page with charts, too')
    .option('--scratch <folder>', 'where the runs work (default: in the store)')
    .action(async (gameName, ending, flags) =>
      (await import('../commands/compare.js')).runCompare(gameName, ending, flags),
    );
}

/** Names of a list, each once, in the order given. */
function listOf<Name extends string>(what: string, text: string, known: readonly Name[]): Name[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  for (const name of names) {
    if (!known.includes(name as Name))
      throw new UserError(`${what}: there is no ${JSON.stringify(name)} (there are: ${known.join(', ')})`);
  }
  return names as Name[];
}

/** Budgets, each once, from small to large. */
function readMemories(text: string): number[] {
  const sizes = text.split(',').map((each) => parseMemory(each, '--memory'));
  return [...new Set(sizes)].sort((a, b) => a - b);
}
