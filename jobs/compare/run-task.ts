/** Has one solver solve a slice in this process, and measures it. */

import { join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import { localPageFolder } from '../../operators/storage/local-page-folder.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Progress } from '../../pipeline/game/progress.js';
import { errorText } from '../cli/error-text.js';
import { budgetOf } from '../cli/settings.js';
import { findGame } from '../registry.js';
import { freeUnused } from '../runtime/heap.js';
import { peakRss } from '../runtime/process-memory.js';
import { countedPageFolder, countedStore, newIoCounts } from './io-counts.js';
import { type SolverResult, solvers, type World } from './solvers.js';
import type { Measured, Race, RunOutcome } from './task.js';

/** The unit of the system's counts of blocks read and written. */
const SYSTEM_BLOCK = 512;

const progress = (event: Progress): void => freeUnused(event.type === 'phase');

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
