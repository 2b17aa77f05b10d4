/**
 * The paged in-memory solver (Lake, Schaeffer & Lu 1994), the classic rival of sorting. The values of a slice lie in
 * pages behind a page table with a fixed number of buffers. They are looked up at random. It shares the game's rules
 * and index and the finished tables with the external solver, and nothing else. See checkpoint.ts for interruption,
 * solve-wdl.ts and solve-distances.ts for the order of passes.
 */

import type { Budget } from '../../../operators/core/budget.js';
import { UserError } from '../../../operators/core/errors.js';
import type { PageFolder } from '../../../operators/storage/page-folder.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../game/game.js';
import { commitManifest, readManifest, TableManifest } from '../../game/manifest.js';
import type { ProgressListener } from '../../game/progress.js';
import { stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import { tableManifestName } from '../../tables/table-names.js';
import { firstState, type PagedState, readState } from './checkpoint.js';
import { bitsFor } from './codes.js';
import { captures, lookups, type Visit, winningMoves } from './conversion-passes.js';
import { newPagedCounters, type PagedCounters } from './counters.js';
import { loadDependencies, longestAsked, openDependencies } from './load-tables.js';
import { whyNot } from './scope.js';
import { openPages, Session, type Setting } from './session.js';
import { solveDistances } from './solve-distances.js';
import { solveWdl } from './solve-wdl.js';
import type { PassWork } from './work.js';
import { writeTable } from './write-table.js';

/** Rows made by kernels after which changed pages are flushed and the state is written: a second's work or so. */
const CHECKPOINT_ROWS = 1 << 25;

export interface PagedOptions {
  readonly game: Game;
  /** Canonical name; the tables of its dependencies must be in `store`. */
  readonly slice: string;
  readonly metric: Metric;
  readonly store: Store;
  readonly budget: Budget;
  /** Where pages, queues and state lie; for this slice and metric alone. It is deleted when the table is written. */
  readonly pages: PageFolder;
  readonly progress: ProgressListener;
  /** Page buffers instead of those that `budget.memory` has room for; at least 3. */
  readonly buffers?: number;
  /** Rows between checkpoints instead of 2^25. */
  readonly checkpointRows?: number;
}

export interface PagedResult {
  readonly table: TableManifest;
  /** Counts this call and interrupted ones before it; all zero if the table was there already. */
  readonly counters: PagedCounters;
}

/**
 * Solves one slice and writes its table; continues where an interrupted call with the same folder left off.
 * @throws UserError if a dependency is not solved or the memory is too small, StorageError for the outside world.
 */
export async function solvePagedSlice(options: PagedOptions): Promise<PagedResult> {
  const { game, metric, store, pages: folder, progress } = options;
  const tableName = tableManifestName(game.name, metric, options.slice);
  const finished = await readManifest(store, tableName, TableManifest);
  if (finished !== null) {
    folder.remove();
    return { table: finished, counters: newPagedCounters() };
  }
  const slice = game.slice(options.slice);
  const refusal = whyNot(slice);
  if (refusal !== null) throw new UserError(`the paged solver solves ${refusal}`);
  if (slice.size > 2 ** 32)
    throw new UserError(`${slice.name} is too large for the paged solver's position queues`);
  const counters = newPagedCounters();
  const setting: Setting = {
    game,
    slice,
    metric,
    budget: options.budget,
    buffers: options.buffers,
    folder,
    counters,
  };
  const report = (done: number) => progress({ type: 'work', slice: slice.name, done });
  const session = await openSession(options, setting, report);
  try {
    await resolve(session, progress);
    progress({ type: 'phase', slice: slice.name, phase: 'finish', total: 2 * slice.size });
    const table = await commitManifest(store, tableName, await writeTable(session, store), TableManifest);
    session.work.file.close();
    folder.remove();
    return { table, counters };
  } catch (error) {
    session.work.file.close();
    throw error;
  }
}

/** Opens what an interrupted call left, or a new page file with the dependencies' tables in it. */
async function openSession(
  options: PagedOptions,
  setting: Setting,
  report: (done: number) => void,
): Promise<Session> {
  const { game, metric, store, progress } = options;
  const { slice, folder, counters } = setting;
  const rows = options.checkpointRows ?? CHECKPOINT_ROWS;
  const found = readState(folder, { game: game.name, slice: slice.name, metric });
  if (found !== null) {
    const work = openPages(setting, found.bits, false);
    const { buffers, pages } = counters;
    Object.assign(counters, found.counters, { buffers, pages });
    counters.restarts++;
    return new Session(setting, work, found, rows, report);
  }
  const tables = await openDependencies(store, game, metric, slice);
  const bits = stipulations[metric].plies ? bitsFor(1 + longestAsked(slice, tables, metric)) : 2;
  const work = openPages(setting, bits, true);
  const total = tables.reduce((sum, table) => sum + 2 * table.slice.size, 0);
  progress({ type: 'phase', slice: slice.name, phase: 'load', total });
  await loadDependencies(work, tables, report);
  return new Session(setting, work, firstState(game.name, slice.name, metric, bits), rows, report);
}

const PASSES: readonly [PagedState['step'], (work: PassWork) => Visit, boolean][] = [
  ['captures', captures, true],
  ['winning', winningMoves, false],
  ['lookups', lookups, false],
];

async function resolve(session: Session, progress: ProgressListener): Promise<void> {
  const { state, setting } = session;
  const { slice, metric } = setting;
  for (const [number, [step, pass, fresh]] of PASSES.entries()) {
    if (state.step !== step) continue;
    progress({ type: 'phase', slice: slice.name, phase: step, total: 2 * slice.size });
    const visit = pass(session.work);
    for (; ; state.side = 1) {
      await session.sweep(visit, fresh);
      if (state.side === 1) break;
    }
    Object.assign(state, { step: PASSES[number + 1]?.[0] ?? 'rounds', side: 0 });
    await session.checkpoint();
  }
  if (state.step !== 'rounds') return;
  progress({ type: 'phase', slice: slice.name, phase: 'rounds', total: null });
  const { counters } = session.work;
  let before = counters.moves + counters.unmoves;
  const round = (ply: number, labelled: number): void => {
    const requests = counters.moves + counters.unmoves;
    progress({ type: 'round', slice: slice.name, ply, requests: requests - before, labelled });
    before = requests;
  };
  await (stipulations[metric].plies ? solveDistances(session, round) : solveWdl(session, round));
  state.step = 'finish';
  await session.checkpoint();
}
