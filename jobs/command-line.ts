/** One command: words in, text out, an exit code. */
import { Command, CommanderError } from 'commander';
import { UserError } from '../operators/core/errors.js';
import { own } from '../operators/core/own.js';
import { remedyOf } from '../pipeline/game/remedy.js';
import { didYouMean } from './cli/did-you-mean.js';
import { beginCommand, decidedCode, ExitCode, fail } from './cli/exit.js';
import { type CommandIo, io } from './cli/io.js';
import { hasPlaceForOperand, operandsLast, unquotedPosition, withGame } from './cli/operands.js';
import { version } from './cli/version.js';
import { GROUPS, usages } from './usage/commands.js';
import { newNameOf } from './usage/old-names.js';
import { addCommand, requireValues } from './usage/options.js';
import { topicLines, topicText } from './usage/topics.js';

const END_OF_HELP = `"mergemate COMMAND --help" describes a command, with examples. GAME is chess, which may be left out before a FEN or an
ending such as KQKR; checkers; the module of a game of your own (.ts, .js); or the file of a graph (.jsonl, .json).
Exit codes: 0 done; 1 a check failed (wrong table, broken contract, damage, tables differ); 2 wrong use, wrong input
or a missing resource; 70 a bug.
`;

/** Help that fits one screen. */
function helpOfAll(root: Command): string {
  const groups = Object.entries(GROUPS).map(([title, commands]) =>
    Object.entries(commands).map(
      ([name, { summary }], i) => `  ${(i === 0 ? title : '').padEnd(8)}${name.padEnd(10)}${summary}\n`,
    ),
  );
  return `${root.description()}\n\nUsage: mergemate COMMAND [options]\n\n${groups.flat().join('')}\n${topicLines()}\n${END_OF_HELP}`;
}

/** @param asked the command that is asked for; all, if it is undefined or there is none of this name. */
export function program(asked?: string): Command {
  const root = new Command('mergemate')
    .description(
      'Perfect-play endgame databases larger than memory, built by external sorting and merge joins',
    )
    .version(version);
  const isOne = asked !== undefined && own(usages, asked) !== undefined;
  for (const name of isOne ? [asked] : Object.keys(usages)) addCommand(root, name, usages[name]);
  root.helpInformation = () => helpOfAll(root);
  for (const command of [root, ...root.commands]) {
    // Line breaks of the source are not those of a terminal, whose width is known when the text is printed.
    command.description(command.description().replace(/(?<!\n)\n(?!\n)/g, ' '));
    // Usage errors go the way of all others: one line, exit code 2.
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => void io.out.write(text),
        writeErr: () => {},
        // 80 is the width that commander itself takes where there is no terminal.
        getOutHelpWidth: () => (io.out.isTTY && io.out.columns) || 80,
      })
      .showSuggestionAfterError(true);
  }
  return root;
}

/** The page of help that "help metrics" asks for; undefined for all other words. */
const pageOf = async ([first, topic, word]: readonly string[]): Promise<string | undefined> =>
  first === 'help' && topic !== undefined ? topicText(topic, word, program) : undefined;

/** "help solve" means "solve --help"; an unknown command is an error, with or without --help. */
function wordsOf([first = '', ...rest]: readonly string[]): string[] {
  if (first === 'help' && rest[0] !== undefined) return wordsOf([rest[0], '--help']);
  const isUnknown = !first.startsWith('-') && first !== 'help' && own(usages, first) === undefined;
  return isUnknown ? [first] : [first, ...rest];
}

const OPERAND_HINT = '; a position or name that begins with "-" goes behind "--"';

/** What may have been meant, where commander has nothing to say of it. */
function hintFor({ code, message }: CommanderError, args: readonly string[]): string {
  switch (code) {
    case 'commander.unknownOption':
      if (commandBehind(args) !== undefined)
        return `; options go behind the command "${commandBehind(args)}"`;
      return !message.includes('Did you mean') && mayBeOperand(args) ? OPERAND_HINT : '';
    case 'commander.excessArguments': {
      const words = wordsOf(args);
      const position = unquotedPosition(program(words[0]), words);
      return position === null ? '' : ` Put the position in quotes: ${JSON.stringify(position)}`;
    }
    case 'commander.invalidArgument': {
      const [, word, allowed] =
        /argument '(.*)' is invalid. Allowed choices are (.*)\.$/s.exec(message) ?? [];
      return word === undefined ? '' : didYouMean(word, allowed.split(', '));
    }
    default:
      return '';
  }
}

/** The command behind options that come first. */
function commandBehind([first = '', ...rest]: readonly string[]): string | undefined {
  return first.startsWith('-') ? rest.find((word) => own(usages, word) !== undefined) : undefined;
}

function mayBeOperand(args: readonly string[]): boolean {
  const words = wordsOf(args);
  return hasPlaceForOperand(program(words[0]), words);
}

/** A command as it was read. */
export interface Asked {
  readonly command: string;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/**
 * Runs a command to its end. @param args its words, without the program. @param given what it reads, writes to and ends by: an error ends
 * it through `exit`. @param before is called when the words are read, before the command's own code is loaded. @returns its exit code; a
 * command that serves until it is stopped still serves then.
 */
export async function run(
  args: readonly string[],
  given: CommandIo,
  before?: (asked: Asked) => void,
): Promise<number> {
  beginCommand(given);
  try {
    if (args.every((word) => word === '--'))
      throw new UserError('no command given; "mergemate --help" lists the commands');
    const renamed = newNameOf(args);
    if (renamed !== null) throw new UserError(renamed);
    const page = await pageOf(args);
    if (page !== undefined) {
      io.out.write(page);
      return ExitCode.ok;
    }
    const words = wordsOf(args.filter((word, i) => i > 0 || word !== '--'));
    const root = program(words[0]);
    root.hook('preAction', (_, one) => {
      requireValues(one);
      before?.({ command: one.name(), words: one.args, flags: one.opts() });
    });
    await root.parseAsync(operandsLast(root, withGame(root, words)), { from: 'user' });
    return decidedCode();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      // Of other errors nothing has a cost, and where files or memory have run out, no more of the program can be loaded.
      if (error instanceof Error && remedyOf(error)?.task === 'solve')
        await (await import('./plan/advice.js')).noteCostOf(error);
      fail(error);
    }
    if (error.exitCode === 0) return ExitCode.ok;
    fail(new UserError(error.message.replace(/^error: /, '') + hintFor(error, args)));
  }
}
