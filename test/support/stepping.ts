/** Solving by steps, in one process: a driver for tests, with tasks in any order. */
import type { Budget } from '../../operators/core/budget.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { TableManifest } from '../../pipeline/manifest.js';
import { assembleTable, clearSteps, recordVerified } from '../../pipeline/steps/assemble.js';
import type { Ran } from '../../pipeline/steps/manifests.js';
import type { PartitionPhase, SliceWork } from '../../pipeline/steps/names.js';
import { fixPlan } from '../../pipeline/steps/plan.js';
import { runTask, type TaskOutcome } from '../../pipeline/steps/run-task.js';
import { nextState } from '../../pipeline/steps/schedule.js';
import { budgetOf, MiB } from './solving.js';

const ran = (): Ran => ({ host: 'test', started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 });
let attempts = 0;

export function attemptTask(
  work: SliceWork,
  phase: PartitionPhase,
  task: number,
  budget: Budget = budgetOf(16 * MiB),
  took: Ran = ran(),
): Promise<TaskOutcome> {
  const scratch = newScratch(memoryStore(), 'scratch');
  const attempt = `a${attempts++}`;
  return runTask(work, phase, task, { scratch, budget, attempt, report: () => {}, ran: () => took });
}

export interface Stepping {
  readonly partitions: number;
  readonly lookAhead?: number;
  readonly verify?: boolean;
  /** Runs the open tasks of a phase; by default one after the other. */
  readonly phase?: (phase: PartitionPhase, tasks: readonly number[]) => Promise<void>;
}

/** Solves one slice whose dependencies are solved. */
export async function solveBySteps(
  work: Omit<SliceWork, 'game'>,
  stepping: Stepping,
): Promise<TableManifest> {
  const slice: SliceWork = { ...work, game: chess };
  const runPhase =
    stepping.phase ??
    (async (phase: PartitionPhase, tasks: readonly number[]) => {
      for (const task of tasks) await attemptTask(slice, phase, task);
    });
  for (;;) {
    const state = await nextState(slice, stepping.verify ?? false, stepping.lookAhead ?? 1);
    if (state.at === 'done') {
      await clearSteps(slice, state.table, true);
      return state.table;
    }
    if (state.at === 'nothing') {
      await fixPlan(slice, stepping.partitions);
    } else if (state.at === 'assemble') {
      await assembleTable(slice, state.partitions);
    } else if (state.at === 'verified') {
      await recordVerified(slice, state.partitions, state.table);
    } else {
      for (const { phase, tasks } of state.open) {
        if (phase.type === 'whole') throw new Error(`${slice.slice} is one partition: solve it whole`);
        await runPhase(phase, tasks);
      }
    }
  }
}
