/**
 * The settings that decide how slices are solved, once: the flags of `solve` and `rank`, the keys of job files and the arguments of ranks
 * that `solve` starts all come from here.
 */
import { strategies } from '../pipeline/game/strategy.js';
import { Bounds, Defaults } from './bounds.js';

export type SettingName = 'metric' | 'memory' | 'propagate' | 'fanIn' | 'batch' | 'partitions' | 'wholeBelow';

interface Setting {
  /** What stands behind the flag. */
  readonly takes: string;
  /** For the help. */
  readonly what: string;
  /** Its values: text as it stands, one of some words, a size in bytes (of memory: at least 1 MiB), or a whole number. */
  readonly value:
    | 'text'
    | 'size'
    | 'memory'
    | readonly string[]
    | { readonly least: number; readonly most: number };
}

export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  metric: { takes: 'metric', what: 'what the tables hold', value: 'text' },
  memory: {
    takes: 'size',
    what: `memory for buffers of all workers, at least 1MiB; of ranks, of each (default: ${Defaults.memory})`,
    value: 'memory',
  },
  propagate: { takes: 'strategy', what: 'how losses are found (default: count)', value: strategies },
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
};

const names = Object.keys(SETTINGS) as SettingName[];

/** "--fan-in" */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The settings that were given. */
export function settingsIn<Values extends Partial<Record<SettingName, unknown>>>(
  values: Values,
): Pick<Values, SettingName & keyof Values> {
  const given = names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]);
  return Object.fromEntries(given) as Pick<Values, SettingName & keyof Values>;
}

/** Arguments of `mergemate rank` for settings. */
export function argumentsOf(values: Partial<Record<SettingName, unknown>>): string[] {
  return Object.entries(settingsIn(values)).flatMap(([name, value]) => [flagOf(name), String(value)]);
}
