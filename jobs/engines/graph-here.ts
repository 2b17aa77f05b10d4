/**
 * Solves a keyed game in the thread of the command, where it fits memory. Another thread would load program and game once more, which
 * takes longer than most such games. That holds for several workers, too: they have nothing to share where one finds and solves all in
 * memory. A game that does not fit is given to other threads, so that this one is free for signals and the display. Until that is
 * known, it takes a turn at them now and then. Threads of several workers are started as soon as the game will probably not fit.
 */

import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { SolvedGraph } from '../../pipeline/graph/solve-graph.js';
import { TooLarge } from '../../pipeline/graph/too-large.js';
import { haltAtSignal } from '../cli/exit.js';
import { freeUnused, giveRulesRoom } from '../runtime/heap.js';
import { coordinate, startCoordinator } from './coordinator.js';
import { runGraph } from './graph.js';
import type { GraphTask } from './protocol.js';

const TURN_MS = 50;

export async function solveKeyedHere(task: GraphTask, progress: ProgressListener): Promise<SolvedGraph> {
  const { path, workers = 1 } = task;
  const reported = new Set<string>();
  let isHalted = false;
  let isStarted = false;
  let last = performance.now();
  // Nothing goes on after a signal: the promise of its turn is never kept.
  const ended = haltAtSignal(async () => {
    isHalted = true;
  });

  function turn(): Promise<void> | undefined {
    if (performance.now() - last < TURN_MS) return undefined;
    return new Promise((go) => {
      setImmediate(() => {
        last = performance.now();
        if (!isHalted) go();
      });
    });
  }

  function listen(event: Parameters<ProgressListener>[0]): void {
    if (event.type === 'phase') reported.add(event.phase);
    // Layers are phases, too, and many: what grew while they were found is freed behind them.
    if (event.type === 'phase' && !event.phase.startsWith('layer')) freeUnused(true, task.budget.memory / 2);
    progress(event);
  }

  /**
   * Threads load program and game while this one goes on. Several workers that sort take no longer than one that does not. So
   * several take the guess as true, while one worker tries on.
   */
  function large(): boolean {
    if (workers === 1) return false;
    startThreads();
    return true;
  }

  function startThreads(): void {
    if (isStarted) return;
    isStarted = true;
    // The first thread keeps its room for as long as it lives. So it gets half as much as each of the others, which start later.
    giveRulesRoom(4);
    startCoordinator({ path, workers });
  }

  try {
    const here = { ...task, workers: 1, inMemory: 'only' } as const;
    return (await runGraph(here, listen, { turn, large })) as SolvedGraph;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  } finally {
    ended();
  }
  freeUnused(true);
  if (workers > 1) startThreads();
  return coordinate({ ...task, inMemory: 'never' }, behind(reported, progress));
}

/** Leaves out what was reported before: the slice, and its first phases. */
function behind(reported: ReadonlySet<string>, progress: ProgressListener): ProgressListener {
  let isBehind = reported.size === 0;
  return (event) => {
    if (event.type === 'slice') return;
    isBehind ||= event.type !== 'work' && event.type !== 'phase' && event.type !== 'counted';
    isBehind ||= event.type === 'phase' && !reported.has(event.phase);
    if (isBehind) progress(event);
  };
}
