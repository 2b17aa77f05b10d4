/** The job that `solve` and `rank` ask for. */
import { UserError } from '../operators/core/errors.js';
import type { Strategy } from '../pipeline/game/strategy.js';
import { type Job, makeJob, type Settings } from './job.js';
import type { CommonOptions } from './options.js';
import { gameNames } from './registry.js';
import { settingsIn } from './settings.js';
import { isGameModule } from './user-game.js';

export interface JobFlags extends CommonOptions {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory?: number;
  readonly propagate?: Strategy;
  readonly fanIn?: number;
  readonly batch?: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly partitions?: number;
  readonly wholeBelow?: number;
  readonly keepRuns?: boolean;
  /** Of a graph. */
  readonly name?: string;
}

/** Settings that are flags of one of the commands only. */
export type MoreSettings = Pick<Settings, 'workers' | 'engine'>;

/** The job of `game endings…`, `module endings…` or `job.json`; flags win over a file. Throws UserError. */
export async function readJob(
  words: readonly string[],
  flags: JobFlags,
  more: MoreSettings = {},
): Promise<Job> {
  const given = {
    ...settingsIn(flags),
    pieces: flags.pieces,
    ...more,
    verify: flags.verify ? undefined : false,
  };
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Settings;
  const [first, ...endings] = words as [string, ...string[]];
  if (gameNames.includes(first) || isGameModule(first)) return makeJob(first, endings, settings);
  if (endings.length === 0 && /[./\\]/.test(first)) {
    const { readJobFile } = await import('./job-file.js');
    return readJobFile(first, settings);
  }
  if (endings.length > 0) return makeJob(first, endings, settings);
  throw new UserError(
    `${JSON.stringify(first)} is neither a job file (name.json) nor a game (games: ${gameNames.join(', ')}, or the path of a module with one)`,
  );
}
