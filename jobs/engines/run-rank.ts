/** Solving as one of several ranks, in the coordinating thread: slices of a game, or a graph. */

import { hostname } from 'node:os';
import type { Store } from '../../operators/storage/store.js';
import { cutSlices } from '../../pipeline/engine/crew/cut.js';
import type { Solvable } from '../../pipeline/engine/crew/slice-phases.js';
import { solveAsRank } from '../../pipeline/engine/crew/solve-as-rank.js';
import type { ProcessRecord } from '../../pipeline/game/manifest.js';
import type { ProgressListener, SliceSummary } from '../../pipeline/game/progress.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import { openStore } from '../stores.js';
import { newAttempt } from './attempt.js';
import { processMeter as meter } from './meter.js';
import type { GraphRankTask, RankTask } from './protocol.js';
import { waitingOf } from './rank-waiting.js';
import { scratchIn } from './scratch-store.js';

interface Solved {
  readonly game: Solvable;
  readonly slices: readonly string[];
  readonly strategy: Strategy;
}

/** @returns a summary for each slice, in the order of the plan. */
export function runRank(
  task: RankTask | GraphRankTask,
  solved: Solved,
  progress: ProgressListener,
): Promise<SliceSummary[]> {
  const { self, budget, partitions, wholeBelow, scratchFolder } = task;
  const options = {
    ...task,
    ...self,
    ...solved,
    store: openStore(task.store),
    scratch: scratchIn(scratchFolder, 'rank'),
    attempt: newAttempt(),
    waiting: waitingOf(task, solved.game.name),
    takeProcessRecord: newProcessRecord(self.rank),
    meter,
    progress,
  };
  const { metric } = task;
  const { strategy } = solved;
  const cut = { metric, strategy, memory: budget.memory, ranks: self.ranks, partitions, wholeBelow };
  return solveAsRank(options, cutSlices(solved.game, solved.slices, cut));
}

/** Returns a function that measures the process since its last call; the first call measures since the start. */
export function newProcessRecord(rank: number): () => ProcessRecord {
  let at = Date.now() - process.uptime() * 1000;
  let cpu = 0;
  return () => {
    const now = Date.now();
    const used = meter.cpu();
    const record: ProcessRecord = {
      host: hostname(),
      rank,
      started: Math.round(at),
      wallMs: now - at,
      cpuMs: used - cpu,
      peakRss: meter.peakRss(),
    };
    at = now;
    cpu = used;
    return record;
  };
}

/** Waits for an object that rank 0 makes before ranks begin. */
export async function awaitObject<T>(
  task: Pick<RankTask, 'self' | 'store'>,
  what: string,
  find: (store: Store) => Promise<T | null>,
): Promise<T> {
  const waiting = waitingOf(task);
  const store = openStore(task.store);
  for (let times = 0; ; times++) {
    const found = await find(store);
    if (found !== null) return found;
    await waiting.reportMissing(what, times, async () => []);
    await waiting.pause(times);
  }
}
