/** A solve by ranks: this process starts them, shows their progress, and gathers their reports. */

import { createHash, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../operators/storage/store.js';
import type { ProgressListener, SliceSummary } from '../pipeline/game/progress.js';
import type { Strategy } from '../pipeline/game/strategy.js';
import type { EngineName } from './engines/engine-names.js';
import type { Launcher, LaunchOptions } from './engines/launcher.js';
import { processMeter } from './engines/meter.js';
import { followStore } from './ranks/follow-store.js';
import { nameOfJob } from './ranks/identity.js';
import { oneVoice } from './ranks/one-voice.js';
import {
  clearJob,
  cpuOfRanks,
  isSolved,
  type ReportedJob,
  readProblem,
  readReports,
  solvedSlices,
  summariesOf,
} from './ranks/report.js';
import { openStore, storeFolder } from './stores.js';

export interface LaunchFlags {
  readonly store: string;
  readonly scratch?: string;
  readonly sbatchArg?: readonly string[];
  /** A folder. */
  readonly logs?: string;
}

export interface LaunchedJob extends Pick<ReportedJob, 'game' | 'slices' | 'metric' | 'verify'> {
  readonly engine: Exclude<EngineName, 'local'>;
  readonly ranks: number;
  /** Arguments of `mergemate` for all ranks: the command, and the slices to solve. */
  readonly args: readonly string[];
  /** Bytes of buffers of each rank. */
  readonly memory: number;
  readonly strategy: Strategy;
  /** Folders in the store that change when something gets done. */
  readonly folders: readonly string[];
}

export interface Launched {
  /** In the order of the plan. */
  readonly summaries: readonly SliceSummary[];
  /** CPU milliseconds of all processes from their start on; null if a rank left no word. */
  readonly cpuMs: number | null;
}

/** Between looks at the store, where ranks have no channel to this process. */
const LOOK_MS = { folder: 1000, objects: 5000 };

export async function launchedSolve(
  launched: LaunchedJob,
  flags: LaunchFlags,
  listen: ProgressListener,
): Promise<Launched> {
  const { engine, ranks, slices } = launched;
  const store = openStore(flags.store);
  const command = commandOf(launched, flags);
  const isSlurm = engine === 'slurm';
  // The same request to Slurm finds the job that is there.
  const given = `solve-${isSlurm ? digestOf(command) : randomUUID().slice(0, 8)}`;
  const job = nameOfJob(given, ranks);
  const before = await solvedSlices({ ...launched, store });
  const isDone = () => isSolved({ ...launched, store });
  let atWork = slices[0];
  const voice = oneVoice((progress) => {
    if (progress.type === 'slice') atWork = progress.slice;
    listen(progress);
  });
  const options: LaunchOptions = {
    ranks,
    memory: launched.memory,
    logFolder: flags.logs ?? null,
    job,
    isDone,
    command: [...command, '--ranks', String(ranks), '--job', given, '--driven'],
    mark: () => markOf(store, launched.folders),
    problem: () => readProblem(store, job),
    report: (what) => listen({ type: 'trouble', slice: atWork, what }),
    listen: voice,
  };
  const launcher = await openLauncher(launched, options, flags);
  const everyMs = LOOK_MS[storeFolder(flags.store) === null ? 'objects' : 'folder'];
  const unfollow = isSlurm
    ? followStore({ ...launched, store, everyMs }, (progress) => voice([progress]))
    : () => {};
  const wasDone = await isDone();
  try {
    if (!wasDone) await launcher.run();
  } finally {
    unfollow();
    await launcher.close();
  }
  const reports = await readReports(store, { job, ranks });
  const summaries = await summariesOf({ ...launched, store, before }, reports);
  await clearJob(store, job);
  const cpuOfAll = wasDone && reports.length === 0 ? 0 : cpuOfRanks(reports, ranks);
  return { summaries, cpuMs: cpuOfAll === null ? null : cpuOfAll + processMeter.cpu() };
}

async function openLauncher(
  { engine }: LaunchedJob,
  options: LaunchOptions,
  { sbatchArg = [] }: LaunchFlags,
): Promise<Launcher> {
  if (engine === 'processes') return (await import('./engines/processes.js')).processesLauncher(options);
  return (await import('./engines/slurm.js')).slurmLauncher({ ...options, sbatchArgs: sbatchArg });
}

/** Command that starts a rank. Folders have their full paths, for ranks may be started in other folders. */
function commandOf({ args }: LaunchedJob, { store, scratch, logs }: LaunchFlags): string[] {
  return [
    ...[process.execPath, fileURLToPath(new URL('./cli.js', import.meta.url)), ...args],
    ...['--store', storeFolder(store) ?? store],
    ...(scratch === undefined ? [] : ['--scratch', resolve(scratch)]),
    ...(logs === undefined ? [] : ['--log', resolve(logs)]),
  ];
}

function digestOf(words: readonly string[]): string {
  return createHash('sha256').update(words.join('\0')).digest('hex').slice(0, 12);
}

/** Changes with the manifests in these folders: runs are written by attempts in vain, too. */
async function markOf(store: Store, folders: readonly string[]): Promise<string> {
  const lists = await Promise.all(folders.map((folder) => store.list(folder)));
  return digestOf(lists.flat().filter((name) => name.endsWith('.json')));
}
