/** A solve by ranks: this process starts them, shows their progress, and gathers their reports. */

import { randomUUID } from 'node:crypto';
import type { Store } from '../../operators/storage/store.js';
import type { ProgressListener, SliceSummary } from '../../pipeline/game/progress.js';
import { CLI } from '../cli/files.js';
import { processMeter } from '../engines/meter.js';
import { oneVoice } from '../engines/one-voice.js';
import { RankProcesses } from '../engines/processes.js';
import { nameOfJob } from '../engines/rank-identity.js';
import {
  clearJob,
  cpuOfRanks,
  isSolved,
  type ReportedJob,
  readReports,
  solvedSlices,
  summariesOf,
} from '../engines/rank-report.js';
import { openStore } from '../stores.js';

interface LaunchFlags {
  readonly store: string;
  readonly scratch?: string;
  /** A folder. */
  readonly logs?: string;
}

interface LaunchedJob extends Pick<ReportedJob, 'game' | 'slices' | 'metric' | 'verify'> {
  readonly ranks: number;
  /** Arguments of `mergemate` for all ranks: the command, and the slices to solve. */
  readonly args: readonly string[];
  /** Folders in the store that change when something gets done. */
  readonly folders: readonly string[];
}

interface Launched {
  /** In the order of the plan. */
  readonly summaries: readonly SliceSummary[];
  /** CPU milliseconds of all processes from their start on; null if a rank left no word. */
  readonly cpuMs: number | null;
}

export async function launchedSolve(
  launched: LaunchedJob,
  flags: LaunchFlags,
  listen: ProgressListener,
): Promise<Launched> {
  const { ranks, slices, folders } = launched;
  const store = openStore(flags.store);
  const given = `solve-${randomUUID().slice(0, 8)}`;
  const job = nameOfJob(given, ranks);
  const before = await solvedSlices({ ...launched, store });
  let atWork = slices[0];
  const processes = new RankProcesses({
    ranks,
    logFolder: flags.logs,
    command: [...commandOf(launched, flags), '--ranks', String(ranks), '--job', given, '--driven'],
    mark: () => markOf(store, folders),
    report: (what) => listen({ type: 'trouble', slice: atWork, what }),
    listen: oneVoice((progress) => {
      if (progress.type === 'slice') atWork = progress.slice;
      listen(progress);
    }),
  });
  const wasDone = await isSolved({ ...launched, store });
  try {
    if (!wasDone) await processes.run();
  } finally {
    await processes.close();
  }
  const reports = await readReports(store, { job, ranks });
  const summaries = await summariesOf({ ...launched, store, before }, reports);
  await clearJob(store, job);
  const cpuOfAll = wasDone && reports.length === 0 ? 0 : cpuOfRanks(reports, ranks);
  return { summaries, cpuMs: cpuOfAll === null ? null : cpuOfAll + processMeter.cpu() };
}

/** Command that starts a rank. */
function commandOf({ args }: LaunchedJob, { store, scratch, logs }: LaunchFlags): string[] {
  return [
    ...[process.execPath, CLI, ...args],
    ...['--store', store],
    ...(scratch === undefined ? [] : ['--scratch', scratch]),
    ...(logs === undefined ? [] : ['--log', logs]),
  ];
}

/** Names the manifests in these folders: runs are written by attempts in vain, too. */
async function markOf(store: Store, folders: readonly string[]): Promise<string> {
  const lists = await Promise.all(folders.map((folder) => store.list(folder)));
  return lists
    .flat()
    .filter((name) => name.endsWith('.json'))
    .join('\n');
}
