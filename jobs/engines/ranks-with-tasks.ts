/** How many child processes are worth their start: ranks without a task would start, find nothing to do, and end. */

import { cutSlices } from '../../pipeline/engine/crew/cut.js';
import type { Game } from '../../pipeline/game/game.js';
import { openSlices, type ReportedJob } from './rank-report.js';

export interface AskedRanks extends Pick<ReportedJob, 'slices' | 'metric' | 'verify' | 'store'> {
  readonly game: Game;
  /** Bytes of buffers of each rank. */
  readonly memory: number;
  readonly partitions?: number | undefined;
  readonly wholeBelow: number;
  readonly ranks: number;
}

/** From 1 to `ranks`. Every partition of a slice that is not solved, or not verified, is a task. */
export async function ranksWithTasks(asked: AskedRanks): Promise<number> {
  const { ranks } = asked;
  if (ranks === 1) return 1;
  const open = await openSlices(asked, ranks);
  if (open.length === ranks) return ranks;
  const wanted = new Set(open);
  const cuts = cutSlices(asked.game, open, asked);
  const tasks = cuts.reduce((sum, cut) => sum + (wanted.has(cut.slice) ? cut.partitions : 0), 0);
  return Math.max(1, Math.min(ranks, tasks));
}
