/** Names of records, and their parsing from a listing. No metric is called "runs", so no slice is taken for a run. */

import type { Metric } from '../../game/value.js';
import { slicePrefix } from '../table-names.js';

export function runsFolder(game: string): string {
  return `${game}/runs`;
}

/** Names of one process; `run` sorts by the time at which it began. */
export function runObject(game: string, run: string, name: string): string {
  return `${runsFolder(game)}/${run}/${name}`;
}

export function progressName(number: number): string {
  return `progress-${String(number).padStart(9, '0')}.json`;
}

/** The objects of a run that are there. */
export interface RunObjects {
  readonly game: string;
  readonly run: string;
  /** Full names. */
  readonly record: string | null;
  /** The last; those before it are about to go. */
  readonly progress: string | null;
  readonly end: string | null;
}

/** The runs in a listing, ascending, of each game one after the other. */
export function runsAmong(names: readonly string[]): RunObjects[] {
  const found = new Map<string, { -readonly [K in keyof RunObjects]: RunObjects[K] }>();
  for (const name of [...names].sort()) {
    const match = /^([^/]+)\/runs\/([^/]+)\/(run|progress-\d+|end)\.json$/.exec(name);
    if (match === null) continue;
    const [, game, run, what] = match as unknown as string[];
    const key = `${game}/${run}`;
    const objects = found.get(key) ?? { game, run, record: null, progress: null, end: null };
    objects[what === 'run' ? 'record' : what === 'end' ? 'end' : 'progress'] = name;
    found.set(key, objects);
  }
  return [...found.values()];
}

const RECORD = /^record-(\d+)\.json$/;

/** Full name of the `number`th record of a slice. */
export function sliceRecordName(game: string, metric: Metric, slice: string, number: number): string {
  return `${slicePrefix(game, metric, slice)}/record-${number}.json`;
}

/** The numbers of the records among the last parts of the names of a slice's objects, ascending. */
export function recordNumbers(names: readonly string[]): number[] {
  return names
    .flatMap((name) => RECORD.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}
