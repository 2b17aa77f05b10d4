/**
 * Words of a command line that begin with a dash and are no options: positions such as "-1,0" or "--x-o----". Commander takes every such
 * word for an option; behind "--" it takes none, so that is where they go.
 */
import type { Argument, Command, Option } from 'commander';
import { whatIs } from './what-is.js';

/** A word that can only be meant as an option: "-f", "--force", "--metric=dtm". */
const OPTION = /^(?:-[A-Za-z]|--[A-Za-z]+(?:-[A-Za-z]+)*(?:=.*)?)$/s;

interface Parts {
  /** The command's name, and that of its command, if it has commands. */
  readonly names: readonly string[];
  readonly options: readonly string[];
  readonly operands: readonly string[];
  readonly command: Command;
  /** The last option has no value, though it needs one: nothing may be put behind it. */
  readonly lacksValue: boolean;
}

function partsOf(root: Command, words: readonly string[]): Parts {
  const [names, options, operands]: [string[], string[], string[]] = [[], [], []];
  let command = root;
  let at = 0;
  let lacksValue = false;
  for (let next = named(root, words[0]); next !== undefined; next = named(command, words[at])) {
    names.push(words[at++]);
    command = next;
  }
  while (at < words.length) {
    const word = words[at++];
    if (word === '--') {
      operands.push(...words.slice(at));
      break;
    }
    const option = optionOf(command, word);
    if (option !== undefined) {
      const count = valuesOf(option, word, words.slice(at));
      options.push(word, ...words.slice(at, at + count));
      lacksValue = at + count > words.length;
      at += count;
    } else if (OPTION.test(word)) options.push(word);
    else operands.push(word);
  }
  return { names, options, operands, command, lacksValue };
}

function optionOf(command: Command, word: string): Option | undefined {
  const [name] = word.split('=', 1);
  return command.options.find(({ short, long }) => name === short || name === long);
}

const named = (command: Command, name: string | undefined): Command | undefined =>
  command.commands.find((each) => each.name() === name || each.aliases().includes(name ?? ''));

/** The words behind an option that are its values. */
function valuesOf({ required, optional, variadic }: Option, word: string, behind: readonly string[]): number {
  if (word.startsWith('--') && word.includes('=')) return 0;
  const next = behind.findIndex((each) => each.startsWith('-') && each.length > 1);
  const values = next < 0 ? behind.length : next;
  if (variadic) return Math.max(values, required ? 1 : 0);
  if (required) return 1;
  return optional ? Math.min(1, values) : 0;
}

/** The words in an order in which commander reads operands with a dash as operands; as they are if there are none such. */
export function operandsLast(root: Command, words: readonly string[]): readonly string[] {
  const { names, options, operands, lacksValue } = partsOf(root, words);
  if (lacksValue || !operands.some((word) => word.startsWith('-') && word !== '-')) return words;
  return [...names, ...options, '--', ...operands];
}

/** The name of an ending of chess, or of one of its slices. */
const ENDING = /^K[QRBNP]*v?K[QRBNP]*(?:[._e]\S*)?$/i;
const RANK = /^[pnbrqk1-9]+$/i;

/** A FEN, whatever follows its board, is one of chess also if some ranks have mistakes, which the reader of FENs then names. */
function isOfChess(text: string): boolean {
  const [board] = text.trim().split(/[\s_,]/, 1);
  const ranks = board.split('/');
  const isBoard =
    ranks.length > 4 &&
    !board.includes('.') &&
    2 * ranks.filter((rank) => RANK.test(rank)).length > ranks.length;
  return isBoard || ENDING.test(text);
}

/**
 * The words with the game that they leave out, if there is a place for it: it is chess where the first operand is a position or an ending of
 * chess, and no file, or where there is `--from` alone.
 */
export function withGame(root: Command, words: readonly string[]): readonly string[] {
  const { names, options, operands, command, lacksValue } = partsOf(root, words);
  const places = command.registeredArguments;
  if (lacksValue || !GAMES_PLACE.includes(places[0]?.name()) || !hasPlace(places, operands)) return words;
  const [first] = operands;
  const isLeftOut =
    first === undefined
      ? options.some((word) => /^--from(?:=|$)/.test(word))
      : isOfChess(first) && whatIs(first) === undefined;
  return isLeftOut ? [...names, ...options, '--', 'chess', ...operands] : words;
}

/** What the places are called where the operands may begin with a game. */
const GAMES_PLACE: readonly (string | undefined)[] = ['game', 'job', 'what'];

/**
 * The operands from the last place of a command on, as one: a position whose words came without quotes. Null if the command's last operand
 * is no position.
 */
export function unquotedPosition(root: Command, words: readonly string[]): string | null {
  const { operands, command } = partsOf(root, words);
  const places = command.registeredArguments;
  if (places.at(-1)?.name() !== 'position') return null;
  // The game may be left out.
  return operands.slice(isOfChess(operands[0] ?? '') ? 0 : places.length - 1).join(' ');
}

/** True if a word that was refused as an option could have been an operand, for which the command still has a place. */
export function hasPlaceForOperand(root: Command, words: readonly string[]): boolean {
  const { operands, command } = partsOf(root, words);
  return hasPlace(command.registeredArguments, operands);
}

function hasPlace(places: readonly Argument[], operands: readonly string[]): boolean {
  return operands.length < places.length || places.at(-1)?.variadic === true;
}
