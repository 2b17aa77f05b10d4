/**
 * The options that the engine declares. Clients refuse to set what an engine does not declare, and set the usual ones unasked. Those of
 * engines that search are declared so that such clients start, and have no effect: a lookup takes no time and no threads worth setting.
 */
import { delimiter } from 'node:path';
import { UserError } from '../../operators/core/errors.js';

/** The settings of the options that have an effect. */
export interface Settings {
  /** Memory for what was read of tables and files, in MiB. */
  hash: number;
  /** How many moves are listed. */
  multipv: number;
  showWdl: boolean;
  /** False: a win that the 50-move rule makes a draw counts as a win. */
  rule50: boolean;
  /** Folders of Syzygy files, as text of the option. */
  syzygyPath: string;
  /** The store of tables; empty: none. */
  store: string;
}

interface Spin {
  readonly type: 'spin';
  readonly default: number;
  readonly min: number;
  readonly max: number;
}
interface Check {
  readonly type: 'check';
  readonly default: boolean;
}
interface Text {
  readonly type: 'string';
  readonly default: string;
}
type Option = { readonly name: string; readonly sets?: keyof Settings } & (
  | Spin
  | Check
  | Text
  | { readonly type: 'button' }
);

/** Moves of a position that `MultiPV` may ask for: more than any position has. */
const MOST_LINES = 256;
/** Stockfish's limit, in MiB. */
const MOST_HASH = 1 << 25;

/** @param settings those that the command line gave, which are the defaults. */
export function optionsOf(settings: Settings): readonly Option[] {
  const spin = (name: string, value: number, min: number, max: number, sets?: keyof Settings): Option => ({
    name,
    type: 'spin',
    default: value,
    min,
    max,
    ...(sets && { sets }),
  });
  const check = (name: string, value: boolean, sets?: keyof Settings): Option => ({
    name,
    type: 'check',
    default: value,
    ...(sets && { sets }),
  });
  return [
    spin('Hash', settings.hash, 1, MOST_HASH, 'hash'),
    spin('MultiPV', settings.multipv, 1, MOST_LINES, 'multipv'),
    check('UCI_ShowWDL', settings.showWdl, 'showWdl'),
    check('Syzygy50MoveRule', settings.rule50, 'rule50'),
    { name: 'SyzygyPath', type: 'string', default: settings.syzygyPath, sets: 'syzygyPath' },
    { name: 'Store', type: 'string', default: settings.store, sets: 'store' },
    { name: 'Clear Hash', type: 'button' },
    // Without effect.
    spin('Threads', 1, 1, 1024),
    spin('Move Overhead', 10, 0, 5000),
    spin('Contempt', 0, -100, 100),
    spin('SyzygyProbeDepth', 1, 1, 100),
    spin('SyzygyProbeLimit', 7, 0, 7),
    check('Ponder', false),
    check('OwnBook', false),
    check('UCI_AnalyseMode', false),
    check('UCI_Chess960', false),
    { name: 'UCI_Opponent', type: 'string', default: '' },
  ];
}

/** As `uci` declares an option. */
export function declared(option: Option): string {
  const line = `option name ${option.name} type ${option.type}`;
  if (option.type === 'button') return line;
  const value = option.default === '' ? '<empty>' : option.default;
  return option.type === 'spin'
    ? `${line} default ${value} min ${option.min} max ${option.max}`
    : `${line} default ${value}`;
}

/** Names are compared without a difference of case and spaces, as the protocol requires. */
const plain = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Reads the rest of a line behind "setoption". Throws UserError for an option that is not declared, or a value that it cannot have.
 * @returns the option, and what it is set to: null of a button.
 */
export function readOption(
  text: string,
  options: readonly Option[],
): { readonly option: Option; readonly value: number | boolean | string | null } {
  const [, name, given = ''] = /^\s*name\s+(.*?)(?:\s+value(?:\s+(.*?))?)?\s*$/is.exec(text) ?? [];
  if (name === undefined)
    throw new UserError('setoption needs "name", the name of an option, "value" and the value');
  const option = options.find((each) => plain(each.name) === plain(name));
  if (option === undefined) throw new UserError(`there is no option ${JSON.stringify(name)}: it is ignored`);
  return { option, value: settingOf(option, given) };
}

function settingOf(option: Option, given: string): number | boolean | string | null {
  switch (option.type) {
    case 'button':
      return null;
    case 'spin': {
      const { name, min, max } = option;
      const value = Number(given);
      if (given === '' || !Number.isInteger(value) || value < min || value > max)
        throw new UserError(`${name} must be a whole number from ${min} to ${max}, not "${given}"`);
      return value;
    }
    case 'check':
      if (!/^(?:true|false)$/i.test(given))
        throw new UserError(`${option.name} must be true or false, not "${given}"`);
      return given.toLowerCase() === 'true';
    case 'string':
      return given === '<empty>' ? '' : given;
  }
}

/**
 * The folders of SyzygyPath: separated as in the system's PATH, ":" or on Windows ";", like Stockfish's. The colons of s3://bucket/prefix,
 * https://host:8080/folder and file:path separate nothing.
 */
export function foldersOf(path: string, separator: string = delimiter): string[] {
  const pieces = path.split(separator);
  const folders: string[] = [];
  for (const piece of pieces) {
    const before = folders.at(-1);
    const isRest =
      separator === ':' &&
      before !== undefined &&
      (/^(?:https?|s3|file)$/i.test(before) ||
        (/^https?:\/\/[^/:]+$/i.test(before) && /^\d+(?:\/|$)/.test(piece)));
    if (isRest) folders[folders.length - 1] = `${before}:${piece}`;
    else folders.push(piece);
  }
  return folders.map((folder) => folder.trim()).filter((folder) => folder !== '');
}
