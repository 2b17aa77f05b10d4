/** Options that several commands share, and how their values are read. */
import { type Command, Help, Option, type OptionValues } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { Bounds, Defaults } from '../cli/bounds.js';
import { fittingBudget, type Worked } from '../cli/memory-limit.js';
import { parseMemory, parseSize } from '../cli/quantities.js';
import { flagOf, settings } from '../cli/settings.js';

/** Text of a command's help: what it does, and commands to copy. */
export function describe(command: Command, summary: string, text: string, examples: string): Command {
  const lines = examples.trim().split('\n');
  const shown = `Examples:\n${lines.map((line) => `  mergemate ${line.trim()}\n`).join('')}`;
  return command
    .summary(summary)
    .description(text)
    .configureHelp({
      formatHelp(described, helper) {
        return new Help().formatHelp
          .call(this, described, helper)
          .replace('\nOptions:\n', `\n${shown}\nOptions:\n`);
      },
    });
}

/** `--store`, and `--json` for what is printed. */
export function withStore(command: Command): Command {
  return withStoreOnly(command).option('--json', 'print JSON');
}

export function withStoreOnly(command: Command): Command {
  return command.addOption(
    new Option(
      '--store <uri>',
      'where the tables are: a folder, file:path, file:///path or s3://bucket/prefix',
    )
      .env('MERGEMATE_STORE')
      .default(Defaults.store),
  );
}

/** @param otherwise what a command takes where no metric is named. */
export function withMetric(command: Command, otherwise = 'the first that the game has'): Command {
  return command.option(
    '--metric <metric>',
    `what the tables hold, such as dtm or wdl: "mergemate help metrics" lists them (default: ${otherwise})`,
  );
}

export function withPieces(command: Command): Command {
  return command.option(
    '--men, --pieces <n>',
    'all endings of at most so many pieces; kings and pawns are pieces',
    wholeNumber('--pieces', Bounds.pieces),
  );
}

/** A game's tables: the store, the metric, and all endings up to a number of pieces. */
export const withTables = (command: Command, otherwise?: string): Command =>
  withPieces(withMetric(withStore(command), otherwise));

/** What a command works with by its flags; null if this call needs no budget, or the budget is not one of this machine. */
type WorkedBy = (flags: OptionValues) => Worked | null;

/**
 * `--memory` with its default, or as much of it as the limit of the process leaves. More than fits is refused before the command begins.
 * @param whose names what shares it, for the help.
 */
export function withMemory(command: Command, worked: WorkedBy, whose = 'memory for buffers'): Command {
  command.addOption(
    new Option('--memory <size>', `${whose}, at least 1MiB`)
      .argParser((text) => parseMemory(text, '--memory'))
      .default(parseMemory(Defaults.memory, 'default'), Defaults.memory),
  );
  return fitted(command, 'memory', worked);
}

/** Holds the option, whose default it may lower, against the limit of the process. */
function fitted(command: Command, option: 'memory' | 'cache', worked: WorkedBy): Command {
  return command.hook('preAction', () => {
    const work = worked(command.opts());
    if (work === null) return;
    const value = command.getOptionValue(option) as number;
    const isDefault = command.getOptionValueSource(option) === 'default';
    const asked = isDefault ? undefined : value;
    const fitting = fittingBudget({ flag: flagOf(option), asked, preferred: value }, work);
    if (fitting !== value) command.setOptionValueWithSource(option, fitting, 'default');
  });
}

export function withScratch(command: Command, where = 'in the store if it is a folder'): Command {
  return command.option('--scratch <folder>', `folder for temporary files (default: ${where})`);
}

export function withWorkers(command: Command, what: string): Command {
  return command.option('--workers <n>', what, wholeNumber('--workers', Bounds.workers), 1);
}

/** `--plies` of Syzygy's files. */
export function pliesOption(): Option {
  return new Option(
    '--plies <how>',
    'of Syzygy files: exact (the default): every ply to the 100 of the rule; halved: as in the published files, where an odd number of plies may stand for the even one above it',
  ).choices(['exact', 'halved'] satisfies Plies[]);
}

/** Options of the source of positions, in place of the store. */
export function withLookup(command: Command): Command {
  return command
    .option(
      '--published <uri>',
      'look it up in the files there that "publish" made (of endings: wins, draws and losses, and problems)',
    )
    .option(
      '--syzygy <uri>',
      'look chess up in Syzygy files there: a folder, s3://bucket/prefix or https://… (values of the metric dtz)',
    );
}

/** `--cache` with its default, as {@link withMemory}. */
export function withCache(command: Command, worked: WorkedBy = () => null): Command {
  command.addOption(
    new Option('--cache <size>', 'memory for what was read of tables')
      .argParser(size('--cache'))
      .default(parseSize(Defaults.cache, 'default'), Defaults.cache),
  );
  return fitted(command, 'cache', worked);
}

/**
 * Refuses options that mean nothing without another one. @param needed flags of which one must be given, with its value if it needs a
 * certain one, such as "--as syzygy". @param flags of the options.
 */
export function onlyWith(command: Command, needed: readonly string[], flags: readonly string[]): Command {
  const isGiven = (text: string): boolean => {
    const [flag, value] = text.split(' ');
    const name = command.options.find(({ long }) => long === flag)!.attributeName();
    const source = command.getOptionValueSource(name);
    return value === undefined
      ? source !== undefined && source !== 'default' && source !== 'env'
      : command.getOptionValue(name) === value;
  };
  return command.hook('preAction', () => {
    const flag = needed.some(isGiven) ? undefined : flags.find(isGiven);
    if (flag !== undefined) throw new UserError(`${flag} goes with ${needed.join(' or ')}`);
  });
}

/** Throws UserError for a value without text, and for an address where a folder or a file of this machine is needed. */
export function requireValues(command: Command): void {
  const operands = command.registeredArguments.map((argument, i) => [
    `argument '${argument.name()}'`,
    // The name of a node may be empty.
    argument.name() === 'position' ? undefined : command.processedArgs[i],
  ]);
  const values = command.options.map((option) => {
    const name = option.attributeName();
    const isOfMachine = command.getOptionValueSource(name) === 'env';
    return [isOfMachine ? option.envVar : option.long, command.getOptionValue(name), option.flags];
  });
  for (const [what, value, takes] of [...operands, ...values])
    for (const text of [value].flat()) {
      if (text === '') throw new UserError(`${what} must not be empty`);
      if (/<(?:file|folder|path)>/.test(takes) && /^[a-z][a-z0-9+.-]*:\/\//i.test(text))
        throw new UserError(`${what} takes a path, not an address: ${text}`);
    }
}

/** A reader of sizes in bytes, for commander. */
export function size(what: string): (text: string) => number {
  return (text) => parseSize(text, what);
}

interface Between {
  readonly least: number;
  readonly most: number;
}

/** A reader of whole numbers between bounds, for commander. */
export function wholeNumber(what: string, { least, most }: Between): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UserError(`${what}: ${JSON.stringify(text)} is not a whole number from ${least} to ${most}`);
  };
}

/** The options that say which slices are solved, and how; for `rank`, without those of `solve` alone. */
export function withJob(command: Command, isRank: boolean): Command {
  withScratch(withTables(command));
  for (const [name, { takes, what, value, ofSolve }] of settings) {
    // Their help is that of all commands.
    if (name === 'metric' || name === 'pieces' || (isRank && ofSolve)) continue;
    const flag = flagOf(value === 'on' ? `no-${name}` : name);
    const option = new Option(takes === undefined ? flag : `${flag} <${takes}>`, what);
    if (value === 'memory') option.argParser((text) => parseMemory(text, flag));
    else if (value === 'size') option.argParser(size(flag));
    else if (Array.isArray(value)) option.choices(value);
    else if (typeof value === 'object') option.argParser(wholeNumber(flag, value as Between));
    command.addOption(option);
  }
  return command.option(
    '--name <name>',
    'what a graph is called in the store (default: the name of its file)',
  );
}
