/** The conditions of `--where`: "result=win plies=10..19 longest on=Kg1 pa". */
import { UserError } from '../../operators/core/errors.js';
import { WDL_WORDS } from '../../pipeline/analysis/columns.js';
import type { Wdl } from '../../pipeline/game/value.js';
import { didYouMean } from '../cli/did-you-mean.js';
import { readPlies } from './ply-range.js';
import type { PositionsQuery } from './query.js';

/** With the name of a player in place of a colour. */
export type Conditions = Omit<PositionsQuery, 'side'> & { readonly side?: string };

/** How each condition is written, and what meets it. */
export const CONDITIONS: Readonly<Record<string, readonly [form: string, words: string]>> = {
  result: ['result=…', `the outcome for the side to move: ${WDL_WORDS.join(', ')}`],
  plies: ['plies=N or N..M', 'the plies of the value, such as plies=19 or plies=10..19'],
  solutions: [
    'solutions=…',
    'of problems: how many solutions there are, a number or a range; 255 stands for more, too',
  ],
  starts: ['starts=…', 'of problems: how many different moves the solutions begin with'],
  ends: ['ends=…', 'of problems: how many different moves the solutions end with'],
  side: ['side=…', 'the player to move: white, black or the name of a player'],
  longest: [
    'longest',
    'the most plies, of each ending and side to move; of wins unless the result says otherwise',
  ],
  zugzwang: [
    'zugzwang',
    'mutual zugzwangs: with neither king in check, the side to move does worse than if the other were to move',
  ],
  on: [
    'on=…',
    'men on squares, files or ranks: on=Kg1 pa R8, in checkers on=W18 BK3; any rotated or mirrored version counts',
  ],
};
const NAMES = Object.keys(CONDITIONS);
const EACH = Object.values(CONDITIONS)
  .map(([form]) => form)
  .join(', ');
/** Columns of rows that a condition of another name selects by. */
const OF_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['outcome', 'result'],
  ['mover', 'side'],
  ['position', 'on'],
]);
/** Those that a number or a range follows. */
const RANGES = ['plies', 'solutions', 'starts', 'ends'];
/** A condition begins a word; the words behind it that begin none belong to its value. */
const CONDITION =
  /(?:^|\s+)(?=(?:result|plies|solutions|starts|ends|side|on)=|(?:longest|zugzwang)(?:\s|$)|[a-z]+=)/i;

/** Throws UserError for text that is no list of conditions, and for values that a condition cannot have. */
export function readWhere(text: string | undefined): Conditions {
  if (text === undefined) return {};
  const found = new Map<string, unknown>();
  for (const each of text.trim().split(CONDITION)) {
    const [, name, value] = /^([a-z]+)(?:=(.*))?$/is.exec(each.trim()) ?? [];
    const condition = name?.toLowerCase();
    if (condition === undefined || found.has(condition)) throw problem(each, condition);
    found.set(condition, valueIn(condition, value?.trim(), each));
  }
  return Object.fromEntries(found);
}

function valueIn(condition: string, value: string | undefined, each: string): unknown {
  if (condition === 'longest' || condition === 'zugzwang') {
    if (value === undefined) return true;
  } else if (value !== undefined && value !== '') {
    if (RANGES.includes(condition)) return readPlies(value, condition);
    if (condition === 'side' || condition === 'on') return value;
    if (condition === 'result') {
      const result = value.toLowerCase().replaceAll('-', ' ') as Wdl;
      if (WDL_WORDS.includes(result)) return result;
      throw new UserError(
        `--where: ${JSON.stringify(value)} is not a result (there are: ${WDL_WORDS.join(', ')})${didYouMean(value, WDL_WORDS)}`,
      );
    }
  }
  throw problem(each, undefined);
}

function problem(each: string, twice: string | undefined): UserError {
  if (twice !== undefined) return new UserError(`--where: ${twice} is given twice`);
  const [named] = each.trim().split('=', 1);
  const [form] = Object.hasOwn(CONDITIONS, named) ? CONDITIONS[named] : [null];
  if (form !== null)
    return new UserError(`--where: ${JSON.stringify(each.trim())} is not a condition: expected ${form}`);
  const column = OF_COLUMNS.get(named);
  return new UserError(
    `--where: ${JSON.stringify(each.trim())} is not a condition (there are: ${EACH})${column === undefined ? didYouMean(named, NAMES) : ` (${column}= selects by the column ${named})`}`,
  );
}
