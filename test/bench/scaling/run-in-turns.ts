/** Solves an ending by ranks that this process runs one after another, and measures their time on machines of their own. */

import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { type CutOptions, cutSlices } from '../../../pipeline/engine/crew/cut.js';
import { solveAsRank } from '../../../pipeline/engine/crew/solve-as-rank.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { TableManifest } from '../../../pipeline/game/manifest.js';
import { type Counted, countedStore, nothingCounted, sumCounted } from './counted-store.js';
import { newTurns } from './turns.js';

export interface InTurns {
  readonly game: Game;
  readonly slices: readonly string[];
  /** Store of the tables; those that are there are not solved again. */
  readonly folder: string;
  readonly ranks: number;
  readonly verify: boolean;
  readonly cut: Omit<CutOptions, 'ranks'>;
}

export interface TookInTurns {
  /** CPU seconds until the last rank would have ended, and of all ranks together. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Counts all ranks, and the leading one. */
  readonly counted: Counted;
  readonly leading: Counted;
  readonly tables: readonly TableManifest[];
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export async function runInTurns(options: InTurns): Promise<TookInTurns> {
  const { game, slices, folder, ranks, cut } = options;
  const turns = newTurns(ranks, cpuSeconds);
  const before = cpuSeconds();
  const counted = Array.from({ length: ranks }, nothingCounted);
  const plan = cutSlices(game, slices, { ...cut, ranks });
  const work = counted.map(async (mine, rank) => {
    // A store for each, as processes have: it keeps some files open.
    const seen = seenBy(localStore(folder, { durable: false }), mine, turns, rank);
    await turns.begin(rank);
    try {
      return await solveAsRank(rankOptions(options, seen, rank, turns), plan);
    } finally {
      turns.end(rank);
    }
  });
  const [summaries] = await Promise.all(work);
  return {
    seconds: Math.max(...turns.clocks()),
    cpuSeconds: cpuSeconds() - before,
    counted: sumCounted(counted),
    leading: counted[0],
    tables: summaries.map(({ table }) => table),
  };
}

function seenBy(store: Store, counted: Counted, turns: ReturnType<typeof newTurns>, rank: number): Store {
  return countedStore(store, counted, {
    // The clocks decide which rank claims a slice first.
    before: (name) => (name.startsWith('ranks/') ? turns.give(rank) : Promise.resolve()),
    made: (name) => turns.made(rank, name),
    found: (name) => turns.found(rank, name),
  });
}

function rankOptions(
  { game, verify, ranks, cut }: InTurns,
  store: Store,
  rank: number,
  turns: ReturnType<typeof newTurns>,
): Parameters<typeof solveAsRank>[0] {
  let at = 0;
  /** How long rounds take decides who does the next ones: by the clocks of the ranks. */
  const takeProcessRecord = () => {
    const before = at;
    at = 1000 * turns.read(rank);
    return { host: 'bench', rank, started: 0, wallMs: at - before, cpuMs: 0, peakRss: 0 };
  };
  return {
    game,
    verify,
    store,
    rank,
    ranks,
    metric: game.metrics[0],
    strategy: 'count',
    scratch: newScratch(memoryStore(), `rank-${rank}`),
    budget: { memory: cut.memory, fanIn: 16, batchRows: 65536 },
    job: 'scaling',
    attempt: `-r${rank}`,
    keepRuns: false,
    waiting: {
      pause: () => turns.wait(rank),
      reportMissing: async () => {},
      isLost: async () => false,
      reportLost: () => {},
    },
    takeProcessRecord,
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
    progress: () => {},
  };
}
