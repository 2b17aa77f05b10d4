/**
 * The settings that decide how slices are solved, once: the flags of `solve` and `rank`, the keys of job files, the arguments of ranks that
 * `solve` starts, and the type of what a job holds all come from here.
 */
import type { Budget } from '../../operators/core/budget.js';
import { strategies } from '../../pipeline/game/strategy.js';
import { Bounds, Defaults } from './bounds.js';
import { parseMemory, parseSize } from './quantities.js';

/** Where settings are solved: in this process and its threads; or by ranks, child processes that find all in the store. */
const engineNames = ['local', 'processes'] as const;

interface Setting {
  /** The placeholder of the flag's value in the help, such as SIZE; a switch has none. */
  readonly takes?: string;
  /** For the help. */
  readonly what: string;
  /**
   * Its values: text as it stands, one of some words, a size in bytes (of memory: at least 1 MiB), or a whole number; or whether a switch is
   * on, which it is unless `--no-NAME` is given, or off, which it is unless `--NAME` is given.
   */
  readonly value:
    | 'text'
    | 'size'
    | 'memory'
    | 'on'
    | 'off'
    | readonly string[]
    | { readonly least: number; readonly most: number };
  /** Of `solve` alone: ranks are not given it. */
  readonly ofSolve?: true;
}

export const SETTINGS = {
  metric: { takes: 'metric', what: 'what the tables hold', value: 'text' },
  pieces: { takes: 'n', what: 'all endings of at most so many', value: Bounds.pieces, ofSolve: true },
  memory: {
    takes: 'size',
    what: `memory for buffers of all workers, at least 1MiB; of ranks, of each (default: ${Defaults.memory})`,
    value: 'memory',
  },
  propagate: {
    takes: 'strategy',
    what: 'how losses are found: count the moves left of each position, or lookup of all its successors, which takes three to seven times as long (default: count)',
    value: strategies,
  },
  fanIn: { takes: 'n', what: `runs merged at once (default: ${Defaults.fanIn})`, value: Bounds.fanIn },
  batch: { takes: 'rows', what: `rows of a batch (default: ${Defaults.batch})`, value: Bounds.batch },
  partitions: {
    takes: 'n',
    what: 'of ranks: the most partitions that a slice is cut into (default: as many as pay, at most one for each rank)',
    value: Bounds.partitions,
  },
  wholeBelow: {
    takes: 'size',
    what: `of ranks: a slice with fewer bytes of labels is solved by one of them (default: ${Defaults.wholeBelow})`,
    value: 'size',
  },
  atMost: {
    takes: 'n',
    what:
      'of a game of your own with keys, which may be infinite: stop when more positions than this are found; they are kept, and a larger' +
      ' number goes on from them',
    value: { least: 1, most: 2 ** 30 },
  },
  verify: { what: 'do not verify the tables by forward moves', value: 'on' },
  keepRuns: { what: 'keep the runs of all rounds in the store, to look at them', value: 'off' },
  workers: {
    takes: 'n',
    what:
      'threads: independent slices are solved at once, large ones by all of them; with --engine processes,' +
      ' ranks (default: 1)',
    value: Bounds.workers,
    ofSolve: true,
  },
  engine: {
    takes: 'name',
    what: 'local: in this process; processes: by ranks, processes that share nothing but the store (default: local)',
    value: engineNames,
    ofSolve: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Value> = Value extends 'text'
  ? string
  : Value extends 'on' | 'off'
    ? boolean
    : Value extends readonly (infer Word)[]
      ? Word
      : number;
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]['value']> };

/** Settings as flags or a job file give them; sizes in bytes. */
export type Settings = { readonly [Name in SettingName]?: SettingValues[Name] | undefined };

/** What settings are unless given. The first metric is the game's; without a number of partitions, as many as pay. */
export const DEFAULT_SETTINGS = {
  memory: parseMemory(Defaults.memory, 'default'),
  propagate: 'count',
  fanIn: Defaults.fanIn,
  batch: Defaults.batch,
  wholeBelow: parseSize(Defaults.wholeBelow, 'default'),
  verify: true,
  keepRuns: false,
  workers: 1,
  engine: 'local',
} as const satisfies Settings;

export const settings: readonly (readonly [SettingName, Setting])[] = Object.entries(SETTINGS) as [
  SettingName,
  Setting,
][];

/** "--fan-in" */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The settings that were given: a switch that is as it is by itself was not. */
export function settingsIn(values: Settings): Settings {
  const given = settings.filter(
    ([name, { value }]) =>
      values[name] !== undefined && values[name] !== { on: true, off: false }[String(value)],
  );
  return Object.fromEntries(given.map(([name]) => [name, values[name]])) as Settings;
}

/** Arguments of `mergemate rank` for settings. */
export function argumentsOf(values: Settings): string[] {
  return Object.entries(settingsIn(values)).flatMap(([name, value]) => {
    const { value: kind, ofSolve }: Setting = SETTINGS[name as SettingName];
    if (ofSolve) return [];
    if (kind === 'on') return [flagOf(`no-${name}`)];
    return kind === 'off' ? [flagOf(name)] : [flagOf(name), String(value)];
  });
}

/** How memory is divided by settings. */
export function budgetOf(
  memory: number,
  { fanIn = Defaults.fanIn, batch = Defaults.batch }: Pick<Settings, 'fanIn' | 'batch'> = {},
): Budget {
  return { memory, fanIn, batchRows: batch };
}
