/** Solving by steps, in one process: a driver for tests, with tasks in any order. */
import type { Budget } from '../../operators/core/budget.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { TableManifest } from '../../pipeline/manifest.js';
import { assembleTable, clearSteps, recordVerified } from '../../pipeline/steps/assemble.js';
import type { Ran } from '../../pipeline/steps/manifests.js';
import { cutSlice, fixPlan, type RangePhase, type SliceWork } from '../../pipeline/steps/plan.js';
import { runTask, type TaskOutcome } from '../../pipeline/steps/run-task.js';
import { nextState } from '../../pipeline/steps/schedule.js';
import { budgetOf, MiB } from './solving.js';

const ran = (): Ran => ({ host: 'test', started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 });
let attempts = 0;

export function attemptTask(
  work: SliceWork,
  phase: RangePhase,
  task: number,
  budget: Budget = budgetOf(16 * MiB),
  took: Ran = ran(),
): Promise<TaskOutcome> {
  const scratch = newScratch(memoryStore(), 'scratch');
  const attempt = `a${attempts++}`;
  return runTask(work, phase, task, { scratch, budget, attempt, report: () => {}, ran: () => took });
}

export interface Stepping {
  readonly ranges: number;
  readonly lookAhead?: number;
  readonly verify?: boolean;
  /** Runs the open tasks of a phase; by default one after the other. */
  readonly phase?: (phase: RangePhase, tasks: readonly number[]) => Promise<void>;
}

/** Solves one slice whose dependencies are solved. */
export async function solveBySteps(
  work: Omit<SliceWork, 'game'>,
  stepping: Stepping,
): Promise<TableManifest> {
  const slice: SliceWork = { ...work, game: chess };
  const runPhase =
    stepping.phase ??
    (async (phase: RangePhase, tasks: readonly number[]) => {
      for (const task of tasks) await attemptTask(slice, phase, task);
    });
  for (;;) {
    const state = await nextState(slice, stepping.verify ?? false, stepping.lookAhead ?? 1);
    if (state.at === 'done') return state.table;
    if (state.at === 'nothing') {
      await fixPlan(slice, cutSlice(chess.slice(slice.slice), 16 * MiB, stepping.ranges));
    } else if (state.at === 'assemble') {
      await clearSteps(slice, await assembleTable(slice, state.ranges), false);
    } else if (state.at === 'verified') {
      await recordVerified(slice, state.ranges, state.table);
      await clearSteps(slice, state.table, true);
    } else {
      for (const { phase, tasks } of state.open) {
        if (phase.type === 'whole') throw new Error(`${slice.slice} is one range: solve it whole`);
        await runPhase(phase, tasks);
      }
    }
  }
}
