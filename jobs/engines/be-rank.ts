/**
 * A process that is a rank: it does its part and reports to the process that started it. It leaves its report in the store. Its exit
 * code tells the launcher whether to start it again.
 */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { DamageError, FullError, StorageError } from '../../operators/core/errors.js';
import type { Progress, SliceSummary } from '../../pipeline/game/progress.js';
import { errorText } from '../cli/error-text.js';
import { ExitCode, fail, sayWhenInterrupted } from '../cli/exit.js';
import type { Recorder } from '../progress/recorder.js';
import { terminateSelf } from '../runtime/platform.js';
import { peakRss } from '../runtime/process-memory.js';
import { openStore } from '../stores.js';
import { coordinate } from './coordinator.js';
import { newGathering } from './gathering.js';
import { type PackedError, packError } from './packed-error.js';
import type { GraphRankTask, RankTask } from './protocol.js';
import { putReport, type Used } from './rank-report.js';
import { watchRun } from './watched-run.js';

/** From a rank to the process that started it, where there is a channel between them. */
export type FromRank =
  | { readonly type: 'progress'; readonly progress: readonly Progress[] }
  | { readonly type: 'failed'; readonly error: PackedError };

interface RankWatchers {
  readonly recorder: Recorder;
  /** A folder: events are appended to HOST.jsonl there. */
  readonly log: string | undefined;
}

/** Returns when the part of this rank is done and its report is in the store. Ends the process if it fails. */
export async function beRank(
  task: RankTask | GraphRankTask,
  { recorder, log: folder }: RankWatchers,
): Promise<SliceSummary[]> {
  const { self } = task;
  sayWhenInterrupted('the rank can be started again');
  // Nobody waits any more for its work.
  process.on('disconnect', terminateSelf);
  // The channel alone does not keep the process alive.
  process.channel?.unref();
  const { openLog } = await import('../cli/logs.js');
  const log = folder === undefined ? undefined : openLog(join(folder, `${hostname()}.jsonl`));
  const store = openStore(task.store);
  log?.info('began', { ...self, store: store.uri, memory: task.budget.memory });
  const gathering = newGathering((progress) => send({ type: 'progress', progress }));
  try {
    const summaries = await watchRun({ recorder }, (listen) =>
      coordinate(task, (progress) => {
        listen(progress);
        gathering.listen(progress);
        if (progress.type === 'slice' || progress.type === 'finished')
          log
            ?.about({ slice: progress.slice })
            .info(progress.type === 'slice' ? 'slice began' : 'slice done');
      }),
    );
    gathering.flush();
    await putReport(store, self, hostname(), used(), summaries);
    log?.info('done', { ...self, ...used() });
    return summaries;
  } catch (error) {
    const problem = errorText(error);
    log?.error('failed', { ...self, problem, ...used() });
    await sendToParent({ type: 'failed', error: packError(error) });
    fail(error, mayPass(error) ? ExitCode.again : undefined);
  }
}

/** Whether another attempt may succeed: damage stays, and so does a full disk. */
function mayPass(error: unknown): boolean {
  const isLasting = error instanceof DamageError || error instanceof FullError;
  return error instanceof StorageError && !isLasting;
}

function send(message: FromRank): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}

/** Resolves when the message is out, so that the process may end. */
function sendToParent(message: FromRank): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

/** Time and memory that this process has used since its start. */
export function used(): Used {
  const { user, system } = process.cpuUsage();
  return {
    wallMs: Math.round(process.uptime() * 1000),
    cpuMs: Math.round((user + system) / 1000),
    peakRss: peakRss(),
  };
}
