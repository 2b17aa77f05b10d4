/** What `solve` is asked to do: a job file, flags, defaults, in one checked shape. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../operators/core/errors.js';
import { WHOLE_BELOW } from '../pipeline/cut.js';
import type { Ending, Game } from '../pipeline/game.js';
import { type Strategy, strategies } from '../pipeline/phases/context.js';
import type { Metric } from '../pipeline/value.js';
import { Bounds, Defaults } from './bounds.js';
import { type EngineName, engineNames } from './engines/names.js';
import { readJson } from './json-file.js';
import { askEndings, metricOf } from './options.js';
import { findGame } from './registry.js';
import { parseSize } from './sizes.js';
import { isGameModule } from './user-game.js';

const within = ({ least, most }: { least: number; most: number }) => z.int().min(least).max(most).optional();

const JobFile = z.strictObject({
  game: z.string(),
  endings: z.array(z.string()).min(1).optional(),
  pieces: within(Bounds.pieces),
  metric: z.string().optional(),
  memory: z.union([z.string(), z.int().positive()], { error: 'expected a size such as "64MiB"' }).optional(),
  propagate: z.enum(strategies as [Strategy, ...Strategy[]]).optional(),
  workers: within(Bounds.workers),
  fanIn: within(Bounds.fanIn),
  batch: within(Bounds.batch),
  verify: z.boolean().optional(),
  engine: z.enum(engineNames).optional(),
  partitions: within(Bounds.partitions),
  wholeBelow: z
    .union([z.string(), z.int().nonnegative()], { error: 'expected a size such as "64MiB"' })
    .optional(),
});
type JobFile = z.infer<typeof JobFile>;

/** The settings of a job file, or of flags, which win over it. */
export type Settings = Partial<Omit<JobFile, 'game' | 'endings'>>;

export interface Job {
  readonly game: Game;
  readonly endings: readonly Ending[];
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly memory: number;
  /** Undefined: one, or, on a cluster, what it has room for. */
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

/** Throws UserError that names the file and the key, StorageError if the file cannot be read. */
export async function readJobFile(path: string, flags: Settings): Promise<Job> {
  const parsed = JobFile.safeParse(await readJson(path));
  if (!parsed.success) throw new UserError(`job file ${path}: ${describeIssue(parsed.error.issues[0])}`);
  const { game, endings = [], ...settings } = parsed.data;
  try {
    // A module is where the job file says it is.
    const found = isGameModule(game) ? resolve(dirname(path), game) : game;
    return await makeJob(found, endings, { ...settings, ...flags });
  } catch (error) {
    throw error instanceof UserError ? new UserError(`job file ${path}: ${error.message}`) : error;
  }
}

export async function makeJob(
  gameName: string,
  endings: readonly string[],
  settings: Settings,
): Promise<Job> {
  const game = await findGame(gameName);
  const memory = sizeOf(settings.memory ?? Defaults.memory, 'memory');
  if (memory < Bounds.memory.least)
    throw new UserError(`memory: ${memory} bytes are too few, at least 1MiB is needed`);
  const engine = settings.engine ?? 'local';
  return {
    game,
    endings: askEndings(game, endings, settings.pieces),
    metric: metricOf(game, settings.metric),
    strategy: settings.propagate ?? 'count',
    memory,
    workers: settings.workers,
    fanIn: settings.fanIn ?? Defaults.fanIn,
    batch: settings.batch ?? Defaults.batch,
    verify: settings.verify ?? true,
    engine,
    partitions: settings.partitions,
    wholeBelow: sizeOf(settings.wholeBelow ?? WHOLE_BELOW, 'wholeBelow'),
  };
}

function sizeOf(size: number | string, what: string): number {
  return typeof size === 'number' ? size : parseSize(size, what);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return `unknown key ${unknown} (known: ${Object.keys(JobFile.shape).join(', ')})`;
  }
  const where = issue.path.map((step, i) =>
    typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + String(step),
  );
  if (issue.path.length === 0)
    return `expected an object with "game" and "endings" or "pieces": ${issue.message}`;
  return `${where.join('')}: ${issue.message}`;
}
