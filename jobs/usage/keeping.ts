/** The options of the commands that find faults, and keep stores in order: verify, check, compare, status, scrub. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { Bounds, Defaults } from '../cli/bounds.js';
import { didYouMean } from '../cli/did-you-mean.js';
import { fittingBudget } from '../cli/memory-limit.js';
import { parseMemory } from '../cli/quantities.js';
import { devices } from '../compare/device-model.js';
import { solverNames } from '../compare/solvers.js';
import { ioModes } from '../compare/task.js';
import {
  describe,
  onlyWith,
  wholeNumber,
  withMemory,
  withMetric,
  withPieces,
  withScratch,
  withStore,
  withTables,
  withWorkers,
} from './options.js';

export function addVerify(program: Command): void {
  const command = describe(
    withTables(program.command('verify <what> [endings...]')),
    'derive every solved value again by forward moves',
    'Derives every value of solved tables, published files or Syzygy files again by forward moves, and names a wrong one with exit code 1.',
    `verify chess KQKR --workers 2
     verify ~/syzygy KQvKR`,
  ).option(
    '--published <uri>',
    'of chess, checkers and games by slices: every value of the published files there, by the published values that its moves lead to',
  );
  command.option(
    '--rules',
    "of keyed games: compare every stored move with what the game's functions return now",
  );
  withScratch(
    withMemory(
      withWorkers(command, 'threads: slices are verified at once, large ones by all of them'),
      ({ workers }) => ({ kind: 'solve', workers }),
    ),
    'in the store or the folder of the files if it can be written to',
  ).action(async (what, names, flags) =>
    (await import('../commands/verify.js')).runVerify(what, names, flags),
  );
}

export function addCheck(program: Command): void {
  describe(
    withPieces(program.command('check <game> [endings...]')),
    'check that a game of your own keeps the contract',
    'Compares the functions or kernels of a game with each other in many positions, and names the simplest position in which one breaks the contract of games, with exit code 1.',
    `check ./my-game.ts
     check chess KQK --positions 5000`,
  )
    .option(
      '--positions <n>',
      'positions to compare closely; of a game of kernels, from each side of each slice',
      wholeNumber('--positions', Bounds.checked),
      1000,
    )
    .option(
      '--seed <n>',
      'seed of the random samples',
      wholeNumber('--seed', { least: 0, most: 2 ** 32 - 1 }),
      1,
    )
    .option('--json', 'print JSON')
    .addOption(new Option('--store <uri>').hideHelp())
    .action(async (gameName, names, flags) =>
      (await import('../commands/check.js')).runCheck(gameName, names, flags),
    );
}

const deviceNames = devices.map(({ name }) => name);

export function addCompare(program: Command): void {
  describe(
    withMetric(withStore(program.command('compare <game> <ending>'))),
    'solve one ending by sorting and by two classic designs',
    'Solves an ending by sorting, by paging and by bit-parallel sets, each in a process of its own with the same memory, and reports time and I/O; exit code 1 names the first position in which the tables differ. What the ending converts to is solved first and kept in the store.',
    `compare chess KRKN --memory 1MiB,64MiB
     compare chess KQKR --solvers sort,paged --html kqkr.html`,
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
      new Option('--io <mode>', 'direct: the solvers bypass the page cache (O_DIRECT)')
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
    .hook('preAction', (command) => {
      const isDefault = command.getOptionValueSource('memory') === 'default';
      const sizes = command.getOptionValue('memory') as number[];
      // Each run is a process, one after the other.
      const fits = (size: number) =>
        fittingBudget(
          { flag: '--memory', asked: isDefault ? undefined : size, preferred: size },
          { kind: 'solve', workers: 1 },
        );
      command.setOptionValueWithSource('memory', [...new Set(sizes.map(fits))], 'default');
    })
    .action(async (gameName, ending, flags) =>
      (await import('../commands/compare.js')).runCompare(gameName, ending, flags),
    );
}

/** Names of a list, each once, in the order given. */
function listOf<Name extends string>(what: string, text: string, known: readonly Name[]): Name[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  for (const name of names) {
    if (!known.includes(name as Name))
      throw new UserError(
        `${what}: there is no ${JSON.stringify(name)} (there are: ${known.join(', ')})${didYouMean(name, known)}`,
      );
  }
  return names as Name[];
}

/** Budgets, each once, from small to large. */
function readMemories(text: string): number[] {
  const sizes = text.split(',').map((each) => parseMemory(each, '--memory'));
  return [...new Set(sizes)].sort((a, b) => a - b);
}

export function addStatus(program: Command): void {
  describe(
    withStore(program.command('status [game] [ending]')),
    'list what is solved, and how far running work has come',
    'Lists what is solved in a store and how far running work has come (phase, round, positions labelled, the rank that others wait for), on any machine; "status graph" lists graphs and keyed games, "status graph NAME" one of them.',
    `status
     status chess KQKR --watch 5
     status graph town
     status --syzygy ./syzygy`,
  )
    .option(
      '--syzygy <uri>',
      'the set of Syzygy files that "solve --to" makes there: what each ending took, and the time left',
    )
    .option(
      '--watch [seconds]',
      `repeat every so many seconds (${Defaults.watchSeconds}) until interrupted; with --json, a line each time`,
    )
    .action(async (first, second, flags) =>
      (await import('../commands/status.js')).runStatus(first, second, flags),
    );
}

export function addScrub(program: Command): void {
  const command = describe(
    withStore(program.command('scrub [games...]')),
    'find damage and garbage in a store, and mend it',
    'Checks every checksum in the store, publication or folder of Syzygy files that --store names, and names what is damaged and the command that mends it (exit code 1), or lists what killed processes left. Name games of your own and files of graphs, so that theirs are checked, too.',
    `scrub --repair
     scrub --collect --older-than 2h --delete`,
  )
    .option(
      '--repair',
      'delete damaged tables and records, and solve those tables again (graphs and games of your own: from the files that are named)',
    )
    .option('--collect', 'list files that nothing in the store needs any more')
    .option(
      '--older-than <duration>',
      'with --collect: only what is older, as in 30m, 2h, 1d (default: 1h); while ranks solve, name an age longer than their slowest step',
    )
    .option('--delete', 'with --collect or --remove: delete what is listed')
    .option(
      '--remove <what...>',
      'list the tables of these instead, and delete them with --delete: graphs by name or file, games of your own by their modules,' +
        ' endings as chess/KRK or chess/dtm/KRK',
    );
  const repairs = withMemory(
    command,
    ({ repair, workers }) => (repair === true ? { kind: 'solve', workers } : null),
    'to repair: memory for buffers',
  );
  onlyWith(repairs, ['--collect'], ['--older-than']);
  onlyWith(repairs, ['--collect', '--remove'], ['--delete']);
  onlyWith(repairs, ['--repair'], ['--memory', '--workers']);
  withScratch(withWorkers(repairs, 'to repair: threads')).action(async (games, flags) =>
    flags.collect === true || flags.remove !== undefined
      ? (await import('../commands/gc.js')).runGc(games, flags)
      : (await import('../commands/scrub.js')).runScrub(games, flags),
  );
}
