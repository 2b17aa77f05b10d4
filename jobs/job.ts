import type { Ending, Game } from '../pipeline/game/game.js';
import type { Strategy } from '../pipeline/game/strategy.js';
import type { Metric } from '../pipeline/game/value.js';
import { Defaults } from './bounds.js';
import type { EngineName } from './engines/engine-names.js';
import { askEndings, metricOf, requireStreaming } from './options.js';
import { findGame } from './registry.js';
import { parseMemory, parseSize } from './sizes.js';

/** Settings that a job file or flags may give; flags win. */
export interface Settings {
  readonly pieces?: number | undefined;
  readonly metric?: string | undefined;
  /** Bytes, or as people write them. */
  readonly memory?: string | number | undefined;
  readonly propagate?: Strategy | undefined;
  readonly workers?: number | undefined;
  readonly fanIn?: number | undefined;
  readonly batch?: number | undefined;
  readonly verify?: boolean | undefined;
  readonly engine?: EngineName | undefined;
  readonly partitions?: number | undefined;
  /** Bytes, in the same forms as `memory`. */
  readonly wholeBelow?: string | number | undefined;
}

export interface Job {
  readonly game: Game;
  readonly endings: readonly Ending[];
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly memory: number;
  /** Undefined: one, or, on a cluster, as many as it has room for. */
  readonly workers: number | undefined;
  readonly fanIn: number;
  readonly batch: number;
  readonly verify: boolean;
  readonly engine: EngineName;
  /** Undefined: as many as the sizes of the slices ask for. */
  readonly partitions: number | undefined;
  /** Bytes of labels; slices with fewer are one task. */
  readonly wholeBelow: number;
}

export async function makeJob(
  gameName: string,
  endings: readonly string[],
  settings: Settings,
): Promise<Job> {
  const game = await findGame(gameName);
  const engine = settings.engine ?? 'local';
  const metric = metricOf(game, settings.metric);
  const strategy = settings.propagate ?? 'count';
  if (strategy !== 'count') requireStreaming(metric, `--propagate ${strategy}`);
  return {
    game,
    endings: askEndings(game, endings, settings.pieces),
    metric,
    strategy,
    memory: parseMemory(settings.memory ?? Defaults.memory, 'memory'),
    workers: settings.workers,
    fanIn: settings.fanIn ?? Defaults.fanIn,
    batch: settings.batch ?? Defaults.batch,
    verify: settings.verify ?? true,
    engine,
    partitions: settings.partitions,
    wholeBelow: parseSize(settings.wholeBelow ?? Defaults.wholeBelow, 'wholeBelow'),
  };
}
