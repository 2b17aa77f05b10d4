/** Does one task in this process, and measures it. */

import { join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import { localPageFolder } from '../../operators/storage/local-page-folder.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { inlineEngine } from '../../pipeline/engine/engine.js';
import { solve } from '../../pipeline/engine/solve.js';
import type { Progress } from '../../pipeline/game/progress.js';
import { errorText } from '../cli/error-text.js';
import { scratchIn } from '../engines/scratch-store.js';
import { findGame } from '../registry.js';
import { freeUnused } from '../run/heap.js';
import { peakRss } from '../run/process-memory.js';
import { countedPageFolder, countedStore, newIoCounts } from './io-counts.js';
import { type SolverResult, solvers, type World } from './solvers.js';
import type { Measured, Prepare, Race, RunOutcome } from './task.js';

const FAN_IN = 16;
const BATCH_ROWS = 65536;
/** The unit of the system's counts of blocks read and written. */
const SYSTEM_BLOCK = 512;

const budgetOf = (memory: number) => ({ memory, fanIn: FAN_IN, batchRows: BATCH_ROWS });
const progress = (event: Progress): void => freeUnused(event.type === 'phase');

export async function prepare(task: Prepare): Promise<void> {
  const { slices, metric, memory } = task;
  const game = await findGame(task.game);
  const store = localStore(task.store, { durable: true });
  const scratch = scratchIn(task.scratch, 'sort');
  const engine = inlineEngine(game, store, scratch);
  const meter = { wall: () => 0, cpu: () => 0, peakRss: () => 0 };
  try {
    await solve({
      game,
      slices,
      metric,
      strategy: 'count',
      verify: true,
      store,
      budget: budgetOf(memory),
      engine,
      progress,
      meter,
    });
  } finally {
    await engine.close();
  }
}

/** A UserError of the solver means that it cannot do this: all other errors are thrown. */
export async function race(task: Race): Promise<RunOutcome> {
  const { metric, slice, memory } = task;
  const direct = task.io === 'direct';
  const io = newIoCounts();
  const scratch = countedStore(localStore(join(task.scratch, 'runs'), { durable: false, direct }), io);
  const pages = localPageFolder(join(task.scratch, 'pages'), { direct });
  const world: World = {
    game: await findGame(task.game),
    slice,
    metric,
    budget: budgetOf(memory),
    store: countedStore(localStore(task.store, { durable: true, direct }), io),
    scratch: newScratch(scratch, 'sort'),
    pages: countedPageFolder(pages, io),
    progress,
  };
  const startRssBytes = process.memoryUsage.rss();
  const before = process.resourceUsage();
  const cpu = process.cpuUsage();
  const wall = performance.now();
  let solved: SolverResult;
  try {
    solved = await solvers[task.solver].solve(world);
  } catch (error) {
    if (error instanceof UserError) return { status: 'unable', reason: errorText(error) };
    throw error;
  }
  const wallMs = performance.now() - wall;
  const { user, system } = process.cpuUsage(cpu);
  const after = process.resourceUsage();
  const { table, requests, pageFaults } = solved;
  return {
    status: 'solved',
    wallMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes: peakRss(),
    startRssBytes,
    deviceReadBytes: (after.fsRead - before.fsRead) * SYSTEM_BLOCK,
    deviceWrittenBytes: (after.fsWrite - before.fsWrite) * SYSTEM_BLOCK,
    majorFaults: after.majorPageFault - before.majorPageFault,
    io,
    pageFaults,
    requests,
    digests: table.digests,
    positions: table.positions[0] + table.positions[1],
    tableBytes: 2 * table.size * (table.valueType === 'i8' ? 1 : 2),
    counters: table.counters,
  } satisfies Measured;
}
