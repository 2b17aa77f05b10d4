/** Runs each solver in each budget, one after the other, and holds their tables against each other. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert, UserError } from '../../operators/core/errors.js';
import { supportsDirect } from '../../operators/storage/direct-file.js';
import { localStore } from '../../operators/storage/local.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { needTable } from '../../pipeline/tables/table.js';
import type { CrewTask } from '../engines/protocol.js';
import { crewTask } from '../engines/tasks.js';
import { referenceOf } from '../registry.js';
import { lendTables, missingTables, slicesBelow } from './dependencies.js';
import { type Difference, firstDifference } from './first-difference.js';
import type { Launch } from './fork.js';
import type { SolverName } from './solvers.js';
import type { IoMode, RunOutcome } from './task.js';

interface CompareOptions {
  readonly game: Game;
  /** Canonical name. */
  readonly slice: string;
  readonly metric: Metric;
  readonly solvers: readonly SolverName[];
  /** Budgets in bytes. */
  readonly memories: readonly number[];
  readonly io: IoMode;
  /** The folder of the store that has, or gets, the tables the ending converts to. */
  readonly storeFolder: string;
  /** A folder for this comparison alone: all that the compared processes read and write is in it. */
  readonly scratchFolder: string;
  readonly launch: Launch;
  /** Solves what the ending converts to. */
  readonly prepare: (task: CrewTask & { readonly kind: 'solve' }) => Promise<unknown>;
  readonly progress: (step: ComparisonStep) => void;
}

export type ComparisonStep =
  | { readonly type: 'prepare'; readonly slices: readonly string[] }
  | { readonly type: 'run'; readonly solver: SolverName; readonly memory: number }
  | { readonly type: 'outcome'; readonly outcome: RunOutcome };

export interface SolverRun {
  readonly solver: SolverName;
  readonly memory: number;
  readonly outcome: RunOutcome;
}

/** A table that is not the one the first solver to succeed made. */
export interface Disagreement {
  /** The runs that made the two tables; the values of `first` are in this order. */
  readonly runs: readonly [Omit<SolverRun, 'outcome'>, Omit<SolverRun, 'outcome'>];
  readonly first: Difference;
}

export interface Comparison {
  readonly runs: readonly SolverRun[];
  readonly disagreements: readonly Disagreement[];
}

/** Bytes in which the dependencies are solved; the comparison does not count that work. */
const PREPARE_MEMORY = 256 * 2 ** 20;

/**
 * Solves the dependencies that the store does not have, then lets each solver solve the ending itself.
 * @throws UserError, before anything is solved, if I/O is to be direct and the scratch folder's file system has none.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { game, slice, metric, solvers, memories, io, scratchFolder, launch, prepare, progress } = options;
  if (io === 'direct' && !supportsDirect(scratchFolder)) {
    throw new UserError(
      `--io direct: the file system of ${dirname(scratchFolder)} does not support direct I/O; name a folder of another with --scratch`,
    );
  }
  const below = slicesBelow(game, slice);
  const common = { store: localStore(options.storeFolder, { durable: true }), folder: options.storeFolder };
  const missing = await missingTables(common.store, game, metric, below);
  if (missing.length > 0) {
    progress({ type: 'prepare', slices: missing });
    const scratch = join(scratchFolder, 'dependencies');
    const asked = { game, store: common.folder, slices: missing, metric, memory: PREPARE_MEMORY };
    await prepare({ ...crewTask('solve', asked), scratchFolder: scratch });
    rmSync(scratch, { recursive: true, force: true });
  }

  const runs: SolverRun[] = [];
  const disagreements: Disagreement[] = [];
  let reference: { run: SolverRun; store: string } | undefined;
  for (const memory of memories) {
    for (const solver of solvers) {
      progress({ type: 'run', solver, memory });
      const folder = join(scratchFolder, `run-${runs.length}`);
      const store = join(folder, 'tables');
      await lendTables(common, store, game, metric, below);
      const scratch = join(folder, 'scratch');
      const outcome = await launch({
        game: referenceOf(game),
        metric,
        solver,
        slice,
        io,
        memory,
        store,
        scratch,
      });
      progress({ type: 'outcome', outcome });
      const run: SolverRun = { solver, memory, outcome };
      runs.push(run);
      if (outcome.status === 'solved') {
        if (reference === undefined) {
          // The table is kept until the end: other tables may differ from it.
          reference = { run, store };
          rmSync(scratch, { recursive: true, force: true });
          continue;
        }
        const disagreement = await disagreementOf(options, reference, { run, store });
        if (disagreement !== null) disagreements.push(disagreement);
      }
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { runs, disagreements };
}

interface Made {
  readonly run: SolverRun;
  readonly store: string;
}

/** Tables are the same if their digests are: SHA-256 of all values. */
async function disagreementOf(
  { game, metric, slice }: CompareOptions,
  a: Made,
  b: Made,
): Promise<Disagreement | null> {
  const digestsOf = ({ outcome }: SolverRun): string =>
    outcome.status === 'solved' ? outcome.digests.join(' ') : '';
  if (digestsOf(a.run) === digestsOf(b.run)) return null;
  const open = ({ store }: Made) => needTable(localStore(store, { durable: false }), game, metric, slice);
  const first = await firstDifference(game, metric, [await open(a), await open(b)]);
  assert(first !== null, `${slice}: tables with different digests differ somewhere`);
  const name = ({ run: { solver, memory } }: Made) => ({ solver, memory });
  return { runs: [name(a), name(b)], first };
}
