/** The job that `solve` and `rank` are asked for: a game, some of its endings, and the settings by which they are solved. */
import { extname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { requireStrategy } from '../../pipeline/game/labelling.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import type { Metric } from '../../pipeline/game/value.js';
import { didYouMean } from '../cli/did-you-mean.js';
import { fittingBudget, type Worked } from '../cli/memory-limit.js';
import { askEndings, type CommonOptions, metricOf, requireStreaming } from '../cli/options.js';
import { DEFAULT_SETTINGS, type Settings, type SettingValues, settingsIn } from '../cli/settings.js';
import { findGame, gameNames } from '../registry.js';
import { isGameModule } from '../user-game.js';

export interface Job extends Pick<SettingValues, keyof typeof DEFAULT_SETTINGS> {
  readonly game: Game;
  readonly endings: readonly Ending[];
  readonly metric: Metric;
  /** Undefined: as many as the sizes of the slices ask for. */
  readonly partitions?: number | undefined;
}

/** Flags of `solve` and `rank`. */
export interface JobFlags extends CommonOptions, Settings {
  readonly scratch?: string;
  readonly verify: boolean;
  /** Of a graph. */
  readonly name?: string;
}

/** Throws UserError. */
async function makeJob(
  gameName: string,
  endings: readonly string[],
  { pieces, metric: named, ...settings }: Settings,
  isRank: boolean,
): Promise<Job> {
  const found = await findGame(gameName);
  const metric = metricOf(found, named);
  const game = namedFor(found, metric);
  const job = {
    ...DEFAULT_SETTINGS,
    ...settings,
    game,
    metric,
    endings: askEndings(game, endings, pieces),
    memory: memoryOf(settings, isRank ? { kind: 'rank' } : undefined),
  } as Job;
  if (settings.atMost !== undefined)
    throw new UserError(
      `--at-most is for games with keys: how many positions ${game.name} has is known before`,
    );
  if (job.propagate !== 'count') requireStreaming(metric, `--propagate ${job.propagate}`);
  requireStrategy(metric, job.propagate);
  if (job.keepRuns) requireStreaming(metric, '--keep-runs');
  return job;
}

/**
 * The memory of a solve by its settings, or of one rank; as much of the default as fits the limit of the process. Throws UserError for
 * more than fits.
 * @param worked unless the settings say how many workers there are.
 */
export function memoryOf(
  { memory, workers = DEFAULT_SETTINGS.workers, engine }: Settings,
  worked: Worked = { kind: engine === 'processes' ? 'ranks' : 'solve', workers },
): number {
  return fittingBudget({ flag: '--memory', asked: memory, preferred: DEFAULT_SETTINGS.memory }, worked);
}

/**
 * The job of `game endings…`, `module endings…` or `job.json`; flags win over a file. Throws UserError.
 * @param isRank whether this process is a rank of it.
 */
export async function readJob(words: readonly string[], flags: JobFlags, isRank = false): Promise<Job> {
  if (flags.name !== undefined) throw new UserError('--name is for graphs: games have names of their own');
  const settings = settingsIn(flags);
  const [first, ...endings] = words as [string, ...string[]];
  if (gameNames.includes(first) || isGameModule(first)) return makeJob(first, endings, settings, isRank);
  if (endings.length === 0 && /[./\\]/.test(first)) {
    requireReadable(first);
    return jobOfFile(first, settings, isRank);
  }
  if (endings.length > 0) return makeJob(first, endings, settings, isRank);
  throw new UserError(
    `${JSON.stringify(first)} is neither a job file (name.json) nor a game (games: ${gameNames.join(', ')}, or the path of a module with one)${didYouMean(first, gameNames)}`,
  );
}

/** Throws UserError for files of other kinds than are solved. */
function requireReadable(path: string): void {
  const kind = extname(path).toLowerCase();
  if (kind === '' || kind === '.json') return;
  const python = kind === '.py' ? '; docs/python.md has rules in Python' : '';
  throw new UserError(
    `${path}: what is solved is a job file (.json), a graph (.json or .jsonl, or these with .gz) or a module with the rules of a game (.ts, .mts, .js, .mjs)${python}`,
  );
}

/** The job of a file; `flags` win over it. Throws UserError that names the file, StorageError if it cannot be read. */
export async function jobOfFile(path: string, flags: Settings, isRank = false): Promise<Job> {
  const { readJobFile } = await import('./job-file.js');
  const { game, endings, settings } = await readJobFile(path);
  try {
    return await makeJob(game, endings, { ...settings, ...flags }, isRank);
  } catch (error) {
    throw error instanceof UserError ? new UserError(`job file ${path}: ${error.message}`) : error;
  }
}
