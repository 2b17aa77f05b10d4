/** `mergemate solve`: solves endings and all they convert to. */

import { UserError } from '../../operators/core/errors.js';
import type { Strategy } from '../../pipeline/phases/context.js';
import { byWave, planSlices } from '../../pipeline/plan.js';
import type { ProgressListener } from '../../pipeline/progress.js';
import type { SliceSummary } from '../../pipeline/solve.js';
import { claimed, undoneSlices } from '../claimed.js';
import { lead } from '../engines/lead.js';
import type { EngineName } from '../engines/names.js';
import { type Job, makeJob, type Settings } from '../job.js';
import { type CommonOptions, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { openRecorder } from '../recorder/recorder.js';
import { gameNames, referenceOf } from '../registry.js';
import { stepSolve } from '../step-solve.js';
import { openStore } from '../stores.js';
import { newDisplay } from '../ui/progress.js';
import { endingsInWords, runTimeJson, summaryJson, summaryTable, timeOf } from '../ui/solve-summary.js';
import { isGameModule } from '../user-game.js';
import { prepareRun, watchRun } from '../watched-run.js';

interface SolveFlags extends CommonOptions {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory?: number;
  readonly propagate?: Strategy;
  readonly workers?: number;
  readonly fanIn?: number;
  readonly batch?: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly engine?: EngineName;
  readonly partitions?: number;
  readonly wholeBelow?: number;
  readonly sbatchArg?: string[];
  readonly logs?: string;
}

export async function runSolve(words: string[], flags: SolveFlags): Promise<void> {
  const job = await readJob(words, flags);
  const store = openStore(flags.store);
  const slices = slicesOf(job.endings);
  const scratch = prepareRun(flags.store, flags.scratch);
  const planned = byWave(planSlices(job.game, slices)).map(({ slice }) => slice);
  const local = job.engine === 'local';
  const display = await newDisplay(planned, flags.json === true, local ? job.workers : 1);
  const { engine, game, metric, memory, workers = 1, verify } = job;
  const recorder = openRecorder(flags.store, {
    ...{ kind: 'solve', engine, game, metric, memory, workers, verify },
    ...{ endings: job.endings, solves: local },
  });
  const began = performance.now();
  try {
    const work = () =>
      watchRun({ display, recorder }, (listen) =>
        local
          ? crewSolve(job, flags.store, slices, scratch.folder, listen)
          : stepSolve(job, flags, slices, listen),
      );
    // Tasks of engines write runs of their own names: any number of processes may share their work.
    const undone = undoneSlices(flags.store, game.name, metric, planned, verify);
    const summaries = await (local ? claimed(flags.store, { game: game.name, undone }, work) : work());
    const run = {
      wallMs: performance.now() - began,
      cpuMs: local ? cpuOfProcess() : timeOf(summaries).cpuMs,
    };
    if (flags.json) {
      const solved = summaries.map((summary) => summaryJson(summary, game));
      await printJson({ game: game.name, metric, store: store.uri, ...runTimeJson(run), slices: solved });
    } else {
      const words = endingsInWords(job.game, job.endings, summaries, job.metric);
      await print(`${summaryTable(job.game, job.endings, summaries, run)}\n${words}`);
    }
  } finally {
    scratch.release();
  }
}

function cpuOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function crewSolve(
  job: Job,
  store: string,
  slices: readonly string[],
  scratchFolder: string,
  listen: ProgressListener,
): Promise<SliceSummary[]> {
  return lead(
    {
      kind: 'solve',
      game: referenceOf(job.game),
      store,
      scratchFolder,
      slices,
      metric: job.metric,
      strategy: job.strategy,
      verify: job.verify,
      budget: { memory: job.memory, fanIn: job.fanIn, batchRows: job.batch },
      workers: job.workers ?? 1,
    },
    listen,
  );
}

async function readJob(words: readonly string[], flags: SolveFlags): Promise<Job> {
  const { metric, pieces, memory, propagate, workers, fanIn, batch } = flags;
  const { engine, partitions, wholeBelow } = flags;
  const given = {
    metric,
    pieces,
    memory,
    propagate,
    workers,
    fanIn,
    batch,
    engine,
    partitions,
    wholeBelow,
    verify: flags.verify ? undefined : false,
  };
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Settings;
  const [first, ...endings] = words;
  if (gameNames.includes(first) || isGameModule(first)) return makeJob(first, endings, settings);
  if (endings.length === 0 && /[./\\]/.test(first)) {
    const { readJobFile } = await import('../job-file.js');
    return readJobFile(first, settings);
  }
  if (endings.length > 0) return makeJob(first, endings, settings);
  throw new UserError(
    `${JSON.stringify(first)} is neither a job file (name.json) nor a game (games: ${gameNames.join(', ')}, or the path of a module with one)`,
  );
}
