/** `mergemate solve`: solves endings and all they convert to. */

import { UserError } from '../../operators/core/errors.js';
import { processIdentity } from '../../operators/storage/process-identity.js';
import type { Store } from '../../operators/storage/store.js';
import type { SliceSummary } from '../../pipeline/engine/crew/solve.js';
import type { Game } from '../../pipeline/game/game.js';
import { byWave, lookedUpBehind, type PlannedSlice, planSlices } from '../../pipeline/game/plan.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { PUBLISHED_METRIC } from '../../pipeline/game/stipulation.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { type Job, type JobFlags, readJob } from '../asked/job.js';
import { metricOf, slicesOf } from '../cli/options.js';
import { note } from '../cli/output.js';
import { argumentsOf } from '../cli/settings.js';
import { coordinate } from '../engines/coordinator.js';
import { processMeter } from '../engines/meter.js';
import type { CrewTask } from '../engines/protocol.js';
import { nameOfJob } from '../engines/rank-identity.js';
import { crewTask, rankTask } from '../engines/tasks.js';
import { findGame, referenceOf } from '../registry.js';
import type { AskedRoot } from '../roots/asked-root.js';
import { isOfRoot, type RootFlags, requireRoot } from '../roots/root-flags.js';
import { undoneSlices } from '../run/claimed.js';
import { printSolved } from '../run/print-solved.js';
import { watchedSolve } from '../run/watched-solve.js';
import { giveRulesRoom } from '../runtime/heap.js';
import { findGraphToSolve } from '../solved/asked-graph.js';
import { openStore, storeFolder } from '../stores.js';
import { isGameModule } from '../user-game.js';

interface SolveFlags extends JobFlags, RootFlags {
  readonly logs?: string;
  readonly explainMemory?: boolean;
  /** Where Syzygy files are written. */
  readonly to?: string;
  /** Where Syzygy files are read, of a root. */
  readonly syzygy?: readonly string[];
  readonly plies?: Plies;
  readonly freeTables?: boolean;
  readonly disk?: number;
  readonly ledger?: string;
  readonly fromPublished?: string;
  readonly again?: boolean;
  readonly ignoreForecast?: boolean;
}

export async function runSolve(words: string[], flags: SolveFlags): Promise<void> {
  const graph = await findGraphToSolve(words[0]);
  if (graph !== null) return (await import('./graph-solve.js')).solveGraph(graph, words.slice(1), flags);
  const root = await rootOf(words, flags);
  const job = await readJob(root === null ? words : [words[0], root.name], flags);
  const isRoot = await isOfRoot(job);
  const { to } = flags;
  if (!isRoot && flags.syzygy !== undefined)
    throw new UserError(
      `--syzygy names files to read, with --from; what is written goes to "--to ${flags.syzygy[0]}"`,
    );
  requireFitting(job, flags);
  if (flags.fromPublished !== undefined) requireUnpackable(job);
  if (flags.explainMemory) return (await import('./explain-memory.js')).explain(job, flags.json === true);
  if (to !== undefined) {
    if (isRoot) throw new UserError('--to: Syzygy files are of whole endings, not of a root');
    await sayForecast(job, flags, openStore(flags.store));
    return (await import('./solve-set.js')).solveSet(job, { ...flags, to });
  }
  const store = openStore(flags.store);
  if (root !== null) await beginRoot(root, store);
  await prepareTables(job, words[0], flags, store);
  const plan =
    flags.fromPublished === undefined
      ? planSlices(job.game, slicesOf(job.endings))
      : await planFromPublished(job, flags.fromPublished);
  const { game, metric, verify } = job;
  await sayForecast(job, flags, store);
  const slices = plan.map(({ slice }) => slice);
  const began = performance.now();
  const { summaries, cpuMs } = await watchedSolve<Solved>(
    {
      store: flags.store,
      scratch: flags.scratch,
      slices: byWave(plan).map(({ slice }) => slice),
      quiet: flags.json === true,
      recorded: job,
      undone: undoneSlices(flags.store, game.name, metric, slices, verify),
    },
    async (listen, scratchFolder) => {
      if (isRoot) {
        const { lookUpLeaves } = await import('../roots/leaves.js');
        await lookUpLeaves({ ...job, slices, store, syzygy: flags.syzygy }, listen);
      }
      return job.engine === 'local'
        ? solveHere(job, flags, scratchFolder, listen)
        : launch(job, flags, slices, listen);
    },
  );
  const run = { wallMs: performance.now() - began, cpuMs };
  await printSolved({ ...job, store, json: flags.json === true }, summaries, run);
}

/** The root that `--from` asks for; null without it. Throws UserError. */
async function rootOf(words: readonly string[], flags: SolveFlags): Promise<AskedRoot | null> {
  const { from } = flags;
  requireRoot(flags, words.slice(1));
  if (from === undefined) return null;
  const game = await findGame(words[0]);
  const metric = metricOf(game, flags.metric);
  const { askedRoot } = await import('../roots/asked-root.js');
  return askedRoot(game.name, { ...flags, from }, openStore(flags.store), metric);
}

/** Says what can be reached from a root, and notes in the store that there are tables of it. */
async function beginRoot(root: AskedRoot, store: Store): Promise<void> {
  const [{ rootText }, { noteRoot }] = await Promise.all([
    import('../roots/root-text.js'),
    import('../roots/stored-roots.js'),
  ]);
  note(rootText(root).trimEnd());
  await noteRoot(store, root);
}

/** Prints what a large solve will take. Throws UserError if the disk cannot hold it. */
async function sayForecast(
  { game, endings, metric, verify, memory }: Job,
  { fromPublished, ignoreForecast, to, freeTables = false, store: uri }: SolveFlags,
  store: Store,
): Promise<void> {
  // What is unpacked takes a fraction of what is solved.
  if (fromPublished !== undefined || ignoreForecast === true) return;
  const { forecastBefore, freeBytes } = await import('../plan/cost.js');
  const folder = storeFolder(uri);
  const free = folder === null ? null : freeBytes(folder);
  const line = await forecastBefore({
    game,
    slices: slicesOf(endings),
    metric,
    verify,
    memory,
    store,
    // Tables that are freed do not add up, and --disk knows what they take.
    disk: folder === null || free === null || freeTables ? null : { folder, free },
    files: to !== undefined,
  });
  if (line !== null) note(line);
}

/** Deletes the tables that are to be solved again, and holds a user's game against those that remain. */
async function prepareTables(job: Job, asked: string, { again }: SolveFlags, store: Store): Promise<void> {
  const { game, metric, endings } = job;
  const reference = referenceOf(game);
  const isModule = isGameModule(reference);
  if (!isModule && again !== true) return;
  const [{ isSameText, recordRules }, { gameRemoval, remove, sliceRemoval }] = await Promise.all([
    import('../game-module/same-rules.js'),
    import('../run/removal.js'),
  ]);
  const lookedUp = lookedUpBehind(game, planSlices(game, slicesOf(endings)));
  const loaded = { game, path: isGameModule(asked) ? asked : reference };
  if (again === true) {
    const isStale = isModule && !(await isSameText(loaded, store));
    const removal = isStale
      ? await gameRemoval(store, game.name)
      : await sliceRemoval(store, game.name, [...slicesOf(endings), ...lookedUp], metric);
    await remove(store, removal);
  }
  if (isModule) await recordRules(loaded, store);
}

/** Throws UserError for flags that say nothing of the engine that was chosen. */
function requireFitting({ engine, partitions, workers, keepRuns }: Job, { logs }: SolveFlags): void {
  if (engine !== 'local') return;
  if (logs !== undefined)
    throw new UserError('--logs is for what ranks write: choose another engine than local');
  if (partitions !== undefined && !keepRuns)
    throw new UserError('--partitions are for ranks: choose another engine than local');
  if (keepRuns && workers > 1)
    throw new UserError('--keep-runs has one rank solve here: with more workers, choose --engine processes');
}

/** The slices that published files do not hold. */
async function planFromPublished({ game, endings }: Job, uri: string): Promise<readonly PlannedSlice[]> {
  const { planUnpacking } = await import('../engines/plan-unpacking.js');
  return (await planUnpacking(game, slicesOf(endings), uri)).plan;
}

/** Throws UserError for flags that do not go with published tables. */
function requireUnpackable({ engine, metric, keepRuns }: Job): void {
  if (metric !== PUBLISHED_METRIC)
    throw new UserError(
      'published wins, draws and losses become tables of wdl alone: --from-published needs --metric wdl',
    );
  if (engine !== 'local') throw new UserError('--from-published goes with --engine local only');
  if (keepRuns) throw new UserError('--from-published cannot be combined with --keep-runs');
}

interface Solved {
  readonly summaries: readonly SliceSummary[];
  readonly cpuMs: number | null;
}

async function launch(
  job: Job,
  flags: SolveFlags,
  slices: readonly string[],
  listen: ProgressListener,
): Promise<Solved> {
  const [{ launchedSolve }, { ranksWithTasks }] = await Promise.all([
    import('../run/launched-solve.js'),
    import('../engines/ranks-with-tasks.js'),
  ]);
  const { game, metric } = job;
  const ranks = await ranksWithTasks({ ...job, slices, store: openStore(flags.store), ranks: job.workers });
  const folders = [`${game.name}/${metric}/`];
  const names = job.endings.map(({ name }) => name);
  const args = ['rank', referenceOf(game), ...names, ...argumentsOf(job)];
  return launchedSolve({ ...job, ranks, args, slices, folders }, flags, listen);
}

/** A rank that keeps its runs has partitions that send each other some. */
const KEPT_PARTITIONS = 2;

async function solveHere(
  job: Job,
  { store, fromPublished }: SolveFlags,
  scratchFolder: string,
  listen: ProgressListener,
): Promise<Solved> {
  const { keepRuns, partitions = KEPT_PARTITIONS } = job;
  const asked = { ...job, store, slices: slicesOf(job.endings), partitions, wholeBelow: 0, fromPublished };
  const alone = { rank: 0, ranks: 1, job: nameOfJob(`kept-${processIdentity}`, 1) };
  const summaries = keepRuns
    ? await coordinate({ ...rankTask(asked, alone), scratchFolder }, listen)
    : await solveSlices({ ...crewTask('solve', asked), scratchFolder }, job, listen);
  return { summaries, cpuMs: processMeter.cpu() };
}

/** Indices of all slices of a user's game that is solved in this thread. */
const MOST_INDICES = 2 ** 15;

/** To start another thread, which loads the program and the game again, takes longer than to solve a small game. */
async function solveSlices(
  task: CrewTask & { readonly kind: 'solve' },
  { game }: Job,
  listen: ProgressListener,
): Promise<SliceSummary[]> {
  const isSmall =
    task.workers === 1 && isGameModule(task.game) && indicesOf(game, task.slices) <= MOST_INDICES;
  if (!isSmall) return coordinate(task, listen);
  giveRulesRoom();
  const { runGameTask } = await import('../engines/game-task.js');
  return (await runGameTask(task, listen)) as SliceSummary[];
}

function indicesOf(game: Game, slices: readonly string[]): number {
  return planSlices(game, slices).reduce((sum, { slice }) => sum + game.slice(slice).size, 0);
}
