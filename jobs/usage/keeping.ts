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
    'Derives every value again, by the forward moves of each position and the values of the positions they lead to, and\n' +
      'compares: of solved endings, keyed games and graphs; of published files; or of Syzygy files of any origin, in a folder or\n' +
      's3://bucket/prefix (all files there, or those of some endings; it needs those of all that an ending converts to, and\n' +
      'values that no program reads are not checked). A wrong value is named, and the exit code is 1.\n' +
      'Keyed games and graphs are verified by the moves that were stored when they were solved; --rules also calls the\n' +
      'functions of the game again for every move, as it is always done for games by slices.',
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
    'Checks a game, one of your own for instance, against the contract that it is solved by. It names the simplest\n' +
      'position found for each broken rule, with the line of your module; the exit code is then 1.\n' +
      'Games of forward moves (keyedGame, numberedGame) are compared whole if they have at most 20,000 positions and 200,000\n' +
      'moves, or 20 and 200 times --positions if that is less; of larger ones the positions nearest to the roots, and random\n' +
      'games to their ends. Of other games the kernels\n' +
      'are held against the rules, and against each other, in the endings of the fewest pieces or those that are named.',
    `check ./my-game.ts
     check chess KQK --positions 5000`,
  )
    .option(
      '--positions <n>',
      'positions to compare closely (kernels: indices of a side of a slice)',
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
    'Solves the same ending by sorting, by paging and by bit-parallel sets, each in a process of its own with the same\n' +
      'memory, checks that the tables are identical, and reports time and I/O. What the ending converts to is solved first\n' +
      'and kept in the store. Ends with exit code 1 if tables differ, naming the first position where they do.',
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
    'Lists what is solved in a store and how far what was begun has come: phase and round, positions labelled; where ranks\n' +
      'solve together, which partitions have done the step at hand and which all wait for. All of it is read from the store, so\n' +
      'it works from any machine. How many rounds a slice will have is not known before the last.\n' +
      '"status graph" is about graphs and keyed games, "status graph NAME" about one of them.',
    `status
     status chess KQKR --watch 5
     status --syzygy ./syzygy`,
  )
    .option(
      '--syzygy <uri>',
      'the set of Syzygy files that "solve --to" makes there: what each ending took, and the time left',
    )
    .option(
      '--watch [seconds]',
      `look again every so many seconds (${Defaults.watchSeconds}), until interrupted; with --json, a line each time`,
    )
    .action(async (first, second, flags) =>
      (await import('../commands/status.js')).runStatus(first, second, flags),
    );
}

export function addScrub(program: Command): void {
  const command = describe(
    withStore(program.command('scrub [games...]')),
    'find damage and garbage in a store, and mend it',
    'Reads everything in a store, a publication or a folder of Syzygy files: checks every checksum, that every file is what\n' +
      'its manifest names and lies where it was written to, and that nothing is missing. Names what is damaged, what was made\n' +
      'from it, and what to run. The exit code is 0 if all is sound or was repaired, 1 if something is damaged, 2 if the store\n' +
      'cannot be read. Games that are not built in are looked at if their files are named. "mergemate verify"\n' +
      'checks the values.\n' +
      'With --collect it lists what killed processes left instead: runs that no manifest names, runs that later rounds replaced,\n' +
      'manifests of finished slices and graphs, claims of ranks on them, parts of objects, scratch folders. It deletes that with\n' +
      '--delete only, and neither objects that mergemate did not make nor what a running process has claimed. Ranks that job\n' +
      'files start have no claims: give --older-than an age longer than your slowest step, or stop all solves first.',
    `scrub --repair
     scrub --collect --older-than 2h --delete`,
  )
    .option(
      '--repair',
      'delete damaged tables and records, and solve those tables again; graphs from the files that are named',
    )
    .option('--collect', 'list what nothing in the store needs any more')
    .option('--older-than <duration>', 'with --collect: only what is older, as in 30m, 2h, 1d (default: 1h)')
    .option('--delete', 'with --collect or --remove: delete what is listed')
    .option(
      '--remove <what...>',
      'list what is solved of these instead, and delete it with --delete: graphs by name or file, games of your own by their modules,' +
        ' endings as chess/KRK or chess/dtm/KRK',
    );
  const repairs = withMemory(
    command,
    ({ repair, workers }) => (repair === true ? { kind: 'solve', workers } : null),
    'to repair: memory for buffers',
  );
  withScratch(withWorkers(repairs, 'to repair: threads')).action(async (games, flags) =>
    flags.collect === true || flags.remove !== undefined
      ? (await import('../commands/gc.js')).runGc(games, flags)
      : (await import('../commands/scrub.js')).runScrub(games, flags),
  );
}
