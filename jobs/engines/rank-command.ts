/** What the commands of ranks share, those of games and those of graphs: from the flags of a rank to the last line that it prints. */
import type { SliceSummary } from '../../pipeline/game/progress.js';
import type { CommonOptions } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { openRecorder, type RecorderOptions } from '../progress/recorder.js';
import { duration } from '../ui/numbers.js';
import type { RunTime } from '../ui/solve-summary.js';
import { beRank, used } from './be-rank.js';
import type { GraphRankTask, RankTask } from './protocol.js';
import type { RankFlags, RankIdentity } from './rank-identity.js';
import {
  awaitReports,
  clearJob,
  cpuOfRanks,
  type ReportedJob,
  solvedSlices,
  summariesOf,
} from './rank-report.js';
import { waitingOf } from './rank-waiting.js';
import { prepareRun } from './watched-run.js';

export interface RankCommandFlags extends CommonOptions, RankFlags {
  readonly scratch?: string;
  readonly log?: string;
  readonly driven?: boolean;
}

interface RankWork {
  readonly solved: Omit<ReportedJob, 'before'>;
  readonly recorded: Pick<RecorderOptions, 'game' | 'metric' | 'endings' | 'memory' | 'workers' | 'verify'>;
  readonly task: Omit<RankTask, 'scratchFolder'> | Omit<GraphRankTask, 'scratchFolder'>;
  /** Prints the whole result, as "solve" does: rank 0 alone is asked for it. */
  print(summaries: readonly SliceSummary[], run: RunTime): Promise<void>;
}

/** Solves as a rank of the task. Rank 0 waits for the reports of the others, unless another process gathers them. */
export async function solveAsRank(
  { solved, recorded, task, print }: RankWork,
  flags: RankCommandFlags,
): Promise<void> {
  const { store: uri, log, driven = false } = flags;
  const { self } = task;
  const { store } = solved;
  const before = driven ? new Set<string>() : await solvedSlices(solved);
  const scratch = prepareRun(uri, flags.scratch);
  const recorder = openRecorder(uri, {
    ...recorded,
    kind: 'task',
    engine: 'task',
    solves: true,
    rank: { job: self.job, rank: self.rank },
  });
  try {
    await beRank({ ...task, scratchFolder: scratch.folder }, { recorder, log });
    if (driven) return;
    if (self.rank > 0) return await sayDone(self, flags);
    const reports = await awaitReports(store, self, waitingOf({ self, store: uri }).pause);
    const summaries = await summariesOf({ ...solved, before }, reports);
    await clearJob(store, self.job);
    await print(summaries, { wallMs: used().wallMs, cpuMs: cpuOfRanks(reports, self.ranks) });
  } finally {
    scratch.release();
  }
}

/** Prints the last line of a rank other than the first. */
async function sayDone({ rank, ranks }: RankIdentity, { json }: CommonOptions): Promise<void> {
  const took = used();
  if (json) await printJson({ rank, ranks, ...took });
  else await print(`rank ${rank} of ${ranks} is done: ${duration(took.cpuMs)} of CPU\n`);
}
