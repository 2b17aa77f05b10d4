/** Options that several commands share. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { builtIn } from '../../pipeline/games/built-in.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import { Bounds, Defaults } from '../bounds.js';
import { parseMemory, parseSize } from '../sizes.js';

export function withStore(command: Command): Command {
  return command
    .option(
      '--store <uri>',
      'where the tables are: a folder, file:path, file:///path or s3://bucket/prefix',
      Defaults.store,
    )
    .option('--json', 'print JSON');
}

export function withMetric(command: Command): Command {
  const each = Object.entries(builtIn).map(([name, { metrics }]) => `${name} has ${metrics.join(', ')}`);
  return command.option(
    '--metric <metric>',
    'what the tables hold: wdl, plies to mate (dtm), to the end of the game (dtw), to that or a conversion (dtc),' +
      ' or to that or a capture or move of a pawn, with the 50-move rule (dtz), or to mate with that rule (dtm50);' +
      ` ${each.join('; ')}; graphs and keyed games have ${graphs.metrics.join(', ')} (score, the points of its winner, if the` +
      ' game has scores); numbered games have dtw, wdl; the first by default',
  );
}

export function withPieces(command: Command): Command {
  return command.option(
    '--men, --pieces <n>',
    'all endings of at most so many pieces; kings and pawns are pieces',
    wholeNumber('--pieces', Bounds.pieces.least, Bounds.pieces.most),
  );
}

/** `--memory` with its default. `whose` says who shares it. */
export function withMemory(command: Command, whose = 'memory for buffers'): Command {
  return command.addOption(
    new Option('--memory <size>', `${whose}, at least 1MiB`)
      .argParser((text) => parseMemory(text, '--memory'))
      .default(parseMemory(Defaults.memory, 'default'), Defaults.memory),
  );
}

/** `--plies` of Syzygy's files. */
export function pliesOption(): Option {
  return new Option(
    '--plies <how>',
    'exact: every ply to the 100 of the rule; halved: as in the published files, where an odd number of plies may stand for the even one above it',
  ).choices(['exact', 'halved'] satisfies Plies[]);
}

/** Options of the source of positions, in place of the store. */
export function withLookup(command: Command): Command {
  return command
    .option('--published <uri>', 'look it up in published tables there (wins, draws and losses only)')
    .option(
      '--syzygy <uri>',
      "look chess up in Syzygy's files there: a folder, s3://bucket/prefix or https://… (values of the metric dtz)",
    );
}

/** `--cache` with its default. */
export function withCache(command: Command): Command {
  return command.addOption(
    new Option('--cache <size>', 'memory for what was read of tables')
      .argParser(size('--cache'))
      .default(parseSize(Defaults.cache, 'default'), Defaults.cache),
  );
}

/** A reader of sizes in bytes, for commander. */
export function size(what: string): (text: string) => number {
  return (text) => parseSize(text, what);
}

/** A reader of whole numbers between bounds, for commander. */
export function wholeNumber(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UserError(`${what}: ${JSON.stringify(text)} is no whole number from ${least} to ${most}`);
  };
}

export function withGraphMetric(command: Command): Command {
  const option = new Option('--metric <metric>', 'what its table holds: edges to the end, or who wins only');
  return command.addOption(option.choices(graphs.metrics).default(graphs.metrics[0]));
}

/** Has a group of commands, which does nothing by itself, say what it needs where no command of it is named. */
export function needSubcommand(group: Command): void {
  group.allowExcessArguments(true).action((_, { args: [asked] }: Command) => {
    const names = group.commands.map((command) => `"${group.name()} ${command.name()}"`).join(', ');
    const what =
      asked === undefined
        ? `${group.name()}: no command given`
        : `${group.name()}: unknown command '${asked}'`;
    throw new UserError(
      `${what}: the commands are ${names}; "mergemate ${group.name()} --help" describes them`,
    );
  });
}
