/** The solvers that are compared, behind one call. Each is loaded where it runs, so that modules of the others cost no memory. */

import type { Budget } from '../../operators/core/budget.js';
import { UserError } from '../../operators/core/errors.js';
import type { PageFolder } from '../../operators/storage/page-folder.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { TableManifest } from '../../pipeline/game/manifest.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Metric } from '../../pipeline/game/value.js';
import { whyNot as whyNotBitboard } from '../../pipeline/rivals/bitboard/scope.js';
import { whyNot as whyNotPaged } from '../../pipeline/rivals/paged/scope.js';

export interface World {
  readonly game: Game;
  readonly slice: string;
  readonly metric: Metric;
  readonly budget: Budget;
  readonly store: Store;
  readonly scratch: Scratch;
  readonly pages: PageFolder;
  readonly progress: ProgressListener;
}

export interface SolverResult {
  readonly table: TableManifest;
  readonly requests: number;
  readonly pageFaults: number | null;
}

type SlicedGame = Pick<Game, 'name' | 'slice'>;

interface Solver {
  /** In words, for charts and tables. */
  readonly title: string;
  /** The unit of its `requests`. */
  readonly requestsAre: string;
  /** Null if it can solve the slice of a game, else words on what it solves instead; absent if it can solve all. */
  readonly whyNot?: (game: SlicedGame, slice: string) => string | null;
  /** Throws UserError where it cannot work in the budget. */
  readonly solve: (world: World) => Promise<SolverResult>;
}

export const solvers = {
  sort: { title: 'sort', requestsAre: 'requests sorted and joined', solve: bySorting },
  paged: {
    title: 'paged',
    requestsAre: 'values looked up',
    whyNot: (game, slice) => whyNotPaged(game.slice(slice)),
    solve: byPaging,
  },
  bitboard: {
    title: 'bit-parallel',
    requestsAre: '64-position words combined',
    whyNot: (game, slice) => whyNotBitboard(game.name, slice),
    solve: byBitboards,
  },
} as const satisfies Record<string, Solver>;

export type SolverName = keyof typeof solvers;
export const solverNames = Object.keys(solvers) as SolverName[];

/** Solvers among `asked`, or else among all, that can solve the slice. Throws UserError if one of `asked` cannot. */
export function solversFor(
  game: SlicedGame,
  slice: string,
  asked: readonly SolverName[] | undefined,
): SolverName[] {
  const refusal = (name: SolverName): string | null =>
    (solvers[name] as Solver).whyNot?.(game, slice) ?? null;
  const unable = asked?.find((name) => refusal(name) !== null);
  if (unable !== undefined)
    throw new UserError(`--solvers: ${unable} (${solvers[unable].title}) solves ${refusal(unable)}`);
  return (asked ?? solverNames).filter((name) => refusal(name) === null);
}

async function bySorting({ scratch, ...world }: World): Promise<SolverResult> {
  const { inlineEngine } = await import('../../pipeline/engine/crew/engine.js');
  const { NO_METER, solveOne } = await import('../../pipeline/engine/crew/do-slice.js');
  const engine = inlineEngine(world.game, world.store, scratch);
  try {
    const options = { ...world, strategy: 'count', engine, verify: false, meter: NO_METER } as const;
    const { table } = await solveOne(options);
    return { table, requests: table.requests, pageFaults: null };
  } finally {
    await engine.close();
  }
}

async function byPaging(world: World): Promise<SolverResult> {
  const { solvePagedSlice } = await import('../../pipeline/rivals/paged/solve-slice.js');
  const { table, counters } = await solvePagedSlice(world);
  return { table, requests: counters.lookups, pageFaults: counters.faults };
}

async function byBitboards(world: World): Promise<SolverResult> {
  const { solveBitboardSlice } = await import('../../pipeline/rivals/bitboard/solve-slice.js');
  const { table, counters } = await solveBitboardSlice(world);
  return { table, requests: counters.words, pageFaults: null };
}
