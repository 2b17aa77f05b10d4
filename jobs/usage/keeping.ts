/** The commands that find faults, and keep stores in order. */
import { UserError } from '../../operators/core/errors.js';
import { Bounds, Defaults } from '../cli/bounds.js';
import { didYouMean } from '../cli/did-you-mean.js';
import { parseMemory } from '../cli/quantities.js';
import { devices } from '../compare/device-model.js';
import { solverNames } from '../compare/solvers.js';
import { ioModes } from '../compare/task.js';
import {
  json,
  memory,
  metric,
  option,
  pieces,
  scratch,
  store,
  tables,
  type Usage,
  workers,
} from './options.js';

export const verify: Usage = {
  operands: '<what> [endings...]',
  summary: 'derive every solved value again by forward moves',
  text: 'Derives every value of solved tables, published files or Syzygy files again by forward moves, and names a wrong one with exit code 1.',
  examples: ['verify chess KQKR --workers 2', 'verify ~/syzygy KQvKR'],
  options: [
    ...tables(),
    option(
      '--published <uri>',
      'of chess, checkers and games by slices: every value of the published files there, by the published values that its moves lead to',
    ),
    option('--rules', "of keyed games: compare every stored move with what the game's functions return now"),
    workers('threads: slices are verified at once, large ones by all of them'),
    memory().fits(({ workers }) => ({ kind: 'solve', workers })),
    scratch('in the store or the folder of the files if it can be written to'),
  ],
  load: async () => (await import('../commands/verify.js')).runVerify,
};

export const check: Usage = {
  operands: '<game> [endings...]',
  summary: 'check that a game of your own keeps the contract',
  text: 'Compares the functions or kernels of a game with each other in many positions, and names the simplest position in which one breaks the contract of games, with exit code 1.',
  examples: ['check ./my-game.ts', 'check chess KQK --positions 5000'],
  options: [
    pieces(),
    option(
      '--positions <n>',
      'positions to compare closely; of a game of kernels, from each side of each slice',
    )
      .number(Bounds.checked.least, Bounds.checked.most)
      .default(1000),
    option('--seed <n>', 'seed of the random samples')
      .number(0, 2 ** 32 - 1)
      .default(1),
    json(),
    option('--store <uri>', '').hideHelp(),
  ],
  load: async () => (await import('../commands/check.js')).runCheck,
};

const deviceNames = devices.map(({ name }) => name);

export const compare: Usage = {
  operands: '<game> <ending>',
  summary: 'solve one ending by sorting and by two classic designs',
  text: 'Solves an ending by sorting, by paging and by bit-parallel sets, each in a process of its own with the same memory, and reports time and I/O; exit code 1 names the first position in which the tables differ. What the ending converts to is solved first and kept in the store.',
  examples: [
    'compare chess KRKN --memory 1MiB,64MiB',
    'compare chess KQKR --solvers sort,paged --html kqkr.html',
  ],
  options: [
    store(),
    json(),
    metric(),
    option(
      '--solvers <names>',
      `which of ${solverNames.join(', ')}, with commas between them (default: all that can solve the slice; bitboard: chess without pawns)`,
    ).argParser((text) => listOf('--solvers', text, solverNames)),
    option('--memory <sizes>', 'budgets, with commas between them')
      .default(
        [8, 64, 1024].map((n) => n * 2 ** 20),
        '8MiB,64MiB,1GiB',
      )
      .argParser(readMemories)
      // Each run is a process, one after the other.
      .fits(() => ({ kind: 'solve', workers: 1 })),
    option('--io <mode>', 'direct: the solvers bypass the page cache (O_DIRECT)')
      .choices(ioModes)
      .default('cached'),
    option('--device <names>', `devices to model the time for: ${deviceNames.join(', ')}`)
      .default([...devices], 'all')
      .argParser((text) =>
        listOf('--device', text, deviceNames).map((name) => devices.find((device) => device.name === name)),
      ),
    option('--html <file>', 'write the report as one page with charts, too'),
    option('--scratch <folder>', 'where the runs work (default: in the store)'),
  ],
  load: async () => (await import('../commands/compare.js')).runCompare,
};

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

export const status: Usage = {
  operands: '[game] [ending]',
  summary: 'list what is solved, and how far running work has come',
  text: 'Lists what is solved in a store and how far running work has come (phase, round, positions labelled, the rank that others wait for), on any machine; "status graph" lists graphs and keyed games, "status graph NAME" one of them.',
  examples: ['status', 'status chess KQKR --watch 5', 'status graph town', 'status --syzygy ./syzygy'],
  options: [
    store(),
    json(),
    option(
      '--syzygy <uri>',
      'the set of Syzygy files that "solve --to" makes there: what each ending took, and the time left',
    ),
    option(
      '--watch [seconds]',
      `repeat every so many seconds (${Defaults.watchSeconds}) until interrupted; with --json, a line each time`,
    ),
  ],
  load: async () => (await import('../commands/status.js')).runStatus,
};

export const scrub: Usage = {
  operands: '[games...]',
  summary: 'find damage and garbage in a store, and mend it',
  text: 'Checks every checksum in the store, publication or folder of Syzygy files that --store names, and names what is damaged and the command that mends it (exit code 1), or lists what killed processes left. Name games of your own and files of graphs, so that theirs are checked, too.',
  examples: ['scrub --repair', 'scrub --collect --older-than 2h --delete'],
  options: [
    store(),
    json(),
    option(
      '--repair',
      'delete damaged tables and records, and solve those tables again (graphs and games of your own: from the files that are named)',
    ).conflicts(['collect', 'remove']),
    option('--collect', 'list files that nothing in the store needs any more'),
    option(
      '--older-than <duration>',
      'only what is older, as in 30m, 2h, 1d (default: 1h); while ranks solve, name an age longer than their slowest step',
    ).needs('--collect'),
    option('--delete', 'delete what is listed').needs('--collect', '--remove'),
    option(
      '--remove <what...>',
      'list the tables of these instead, and delete them with --delete: graphs by name or file, games of your own by their modules,' +
        ' endings as chess/KRK or chess/dtm/KRK',
    ),
    memory()
      .fits(({ repair, workers }) => (repair === true ? { kind: 'solve', workers } : null))
      .needs('--repair'),
    workers('threads').needs('--repair'),
    scratch(),
  ],
  load: async () => (await import('../commands/scrub.js')).runScrub,
};
