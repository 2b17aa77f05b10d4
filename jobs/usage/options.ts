/** The table of a command: its options, which of them go together, how their values are read. Rows that several commands share. */
import { type Command, Help, Option, type OptionValues } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { Bounds, Defaults } from '../cli/bounds.js';
import { fittingBudget, type Worked } from '../cli/memory-limit.js';
import { parseMemory, parseSize } from '../cli/quantities.js';
import { flagOf, settings } from '../cli/settings.js';

/** What a command works with by its flags; null if this call needs no budget, or the budget is not one of this machine. */
type WorkedBy = (flags: OptionValues) => Worked | null;

/** A row of the table: an option of commander, with what it needs beside it. */
class Row extends Option {
  private needed: readonly string[] = [];
  private worked: WorkedBy = () => null;

  /**
   * The option means nothing without one of these, with its value if it needs a certain one, such as "--as syzygy": it is refused without,
   * and its help begins with them.
   */
  needs(...flags: string[]): this {
    this.needed = flags;
    this.description = `with ${flags.join(' or ')}: ${this.description}`;
    return this;
  }

  /** Its value is a whole number between bounds. */
  number(least: number, most: number): this {
    return this.argParser((text) => {
      const value = Number(text);
      if (/^\d+$/.test(text) && value >= least && value <= most) return value;
      throw new UserError(
        `${this.long}: ${JSON.stringify(text)} is not a whole number from ${least} to ${most}`,
      );
    });
  }

  /** Its value is a size in bytes. @param usual its default, as help has it. */
  size(usual?: string, read = parseSize): this {
    if (usual !== undefined) this.default(read(usual, 'default'), usual);
    return this.argParser((text) => read(text, this.long!));
  }

  /** Its value says all in one text: of two, one would be left out without a word. */
  once(): this {
    return this.argParser((value, before?: string) => {
      if (before === undefined) return value;
      throw new UserError(
        `${this.long} was given twice: ${JSON.stringify(before)} and ${JSON.stringify(value)}`,
      );
    });
  }

  /** It may be given several times. */
  repeatable(): this {
    return this.argParser((value, before: readonly string[] = []) => [...before, value]);
  }

  /** Its sizes must fit the limit of the process, and a default that does not is lowered. More is refused before the command begins. */
  fits(worked: WorkedBy): this {
    this.worked = worked;
    return this;
  }

  /** Throws UserError if the option is given without what it needs. */
  requireNeeds(command: Command): void {
    const isMet = this.needed.length === 0 || this.needed.some((flag) => isGiven(command, flag));
    if (!isMet && isGiven(command, this.long!))
      throw new UserError(`${this.long} goes with ${this.needed.join(' or ')}`);
  }

  /** Compares its value with the limit of the process. Throws UserError. */
  fit(command: Command): void {
    const work = this.worked(command.opts());
    if (work === null) return;
    const name = this.attributeName();
    const source = command.getOptionValueSource(name)!;
    const value = command.getOptionValue(name) as number | readonly number[];
    const fitting = (size: number) =>
      fittingBudget(
        { flag: this.long!, asked: source === 'default' ? undefined : size, preferred: size },
        work,
      );
    const all = typeof value === 'number' ? fitting(value) : [...new Set(value.map(fitting))];
    command.setOptionValueWithSource(name, all, source);
  }
}

/** @param flags as commander reads them, such as "--limit <n>". @param what a sentence of help. */
export const option = (flags: string, what: string): Row => new Row(flags, what);

/** @param text of a flag, with its value if a certain one is meant. */
function isGiven(command: Command, text: string): boolean {
  const [flag, value] = text.split(' ');
  const name = command.options.find(({ long }) => long === flag)!.attributeName();
  const source = command.getOptionValueSource(name);
  return value === undefined
    ? source !== undefined && source !== 'default' && source !== 'env'
    : command.getOptionValue(name) === value;
}

/** A command, as a table: parsing, refusals, help and completion follow from it. */
export interface Usage {
  /** Behind its name, such as "<game> [position]". */
  readonly operands: string;
  readonly summary: string;
  /** A sentence. */
  readonly text: string;
  /** Command lines to copy, without the name of the program. */
  readonly examples: readonly string[];
  readonly options: readonly Row[];
  /** Left out of the list of commands. */
  readonly hidden?: boolean;
  /** Loads the code that takes the operands and the flags. */
  load(): Promise<(...given: never[]) => Promise<unknown>>;
}

export function addCommand(root: Command, name: string, usage: Usage): void {
  const { operands, summary, text, examples, options, hidden = false, load } = usage;
  const command = root
    .command(`${name} ${operands}`, { hidden })
    .summary(summary)
    .description(text)
    .configureHelp({
      formatHelp(described, helper) {
        const shown = examples.map((line) => `  mergemate ${line}\n`).join('');
        return new Help().formatHelp
          .call(this, described, helper)
          .replace('\nOptions:\n', `\nExamples:\n${shown}\nOptions:\n`);
      },
    })
    .hook('preAction', () => {
      for (const each of options) each.requireNeeds(command);
      for (const each of options) each.fit(command);
    })
    .action(async (...given: unknown[]) => {
      const run = (await load()) as (...given: unknown[]) => Promise<unknown>;
      // Commander adds the command.
      await run(...given.slice(0, -1));
    });
  for (const each of options) command.addOption(each);
}

/** Throws UserError for a value without text, and for an address where a folder or a file of this machine is needed. */
export function requireValues(command: Command): void {
  const operands = command.registeredArguments.map((argument, i) => [
    `argument '${argument.name()}'`,
    // The name of a node may be empty.
    argument.name() === 'position' ? undefined : command.processedArgs[i],
  ]);
  const values = command.options.map((each) => {
    const name = each.attributeName();
    const isOfMachine = command.getOptionValueSource(name) === 'env';
    return [isOfMachine ? each.envVar : each.long, command.getOptionValue(name), each.flags];
  });
  for (const [what, value, takes] of [...operands, ...values])
    for (const text of [value].flat()) {
      if (text === '') throw new UserError(`${what} must not be empty`);
      if (/<(?:file|folder|path)>/.test(takes) && /^[a-z][a-z0-9+.-]*:\/\//i.test(text))
        throw new UserError(`${what} takes a path, not an address: ${text}`);
    }
}

export const json = (): Row => option('--json', 'print JSON');

export const store = (): Row =>
  option('--store <uri>', 'where the tables are: a folder, file:path, file:///path or s3://bucket/prefix')
    .env('MERGEMATE_STORE')
    .default(Defaults.store);

/** @param otherwise what a command takes where no metric is named. */
export const metric = (otherwise = 'the first that the game has'): Row =>
  option(
    '--metric <metric>',
    `what the tables hold, such as dtm or wdl: "mergemate help metrics" lists them (default: ${otherwise})`,
  );

export const pieces = (): Row =>
  option('--men, --pieces <n>', 'all endings of at most so many pieces; kings and pawns are pieces').number(
    Bounds.pieces.least,
    Bounds.pieces.most,
  );

/** A game's tables: the store, the metric, and all endings up to a number of pieces. */
export const tables = (otherwise?: string): Row[] => [store(), json(), metric(otherwise), pieces()];

/** @param whose names what shares it, for the help. */
export const memory = (whose = 'memory for buffers'): Row =>
  option('--memory <size>', `${whose}, at least 1MiB`).size(Defaults.memory, parseMemory);

export const cache = (): Row =>
  option('--cache <size>', 'memory for what was read of tables').size(Defaults.cache);

export const scratch = (where = 'in the store if it is a folder'): Row =>
  option('--scratch <folder>', `folder for temporary files (default: ${where})`);

export const workers = (what: string): Row =>
  option('--workers <n>', what).number(Bounds.workers.least, Bounds.workers.most).default(1);

/** Of Syzygy's files. */
export const plies = (): Row =>
  option(
    '--plies <how>',
    'exact (the default): every ply to the 100 of the rule; halved: as in the published files, where an odd number of plies may stand for the even one above it',
  ).choices(['exact', 'halved'] satisfies Plies[]);

/** Options of the source of positions, in place of the store. */
export const lookup = (): Row[] => [
  option(
    '--published <uri>',
    'look it up in the files there that "publish" made (of endings: wins, draws and losses, and problems)',
  ),
  option(
    '--syzygy <uri>',
    'look chess up in Syzygy files there: a folder, s3://bucket/prefix or https://… (values of the metric dtz)',
  ),
];

/** The options that say which slices are solved, and how; for `rank`, without those of `solve` alone. */
export const job = (isRank: boolean): Row[] => [
  ...tables(),
  scratch(),
  ...settings.flatMap(([name, { takes, what, value, ofSolve }]) => {
    // Their help is that of all commands.
    if (name === 'metric' || name === 'pieces' || (isRank && ofSolve)) return [];
    const flag = flagOf(value === 'on' ? `no-${name}` : name);
    const row = option(takes === undefined ? flag : `${flag} <${takes}>`, what);
    if (value === 'memory') row.size(undefined, parseMemory);
    else if (value === 'size') row.size();
    else if (typeof value === 'object')
      'least' in value ? row.number(value.least, value.most) : row.choices(value);
    return [row];
  }),
  option('--name <name>', 'what a graph is called in the store (default: the name of its file)'),
];
