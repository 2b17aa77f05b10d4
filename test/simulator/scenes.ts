/** Scenes: tasks of the processes of an episode, the store they work on, and the faults they are to meet. */

import { findWaste } from '../../jobs/run/garbage.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { PACE, type Pace } from '../../pipeline/engine/crew/pace.js';
import { solve } from '../../pipeline/engine/crew/solve.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import { brokenIn, type Metric, type ValueColumn } from '../../pipeline/game/value.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import { openGraphProber } from '../../pipeline/graph/graph-prober.js';
import { solveGraph } from '../../pipeline/graph/solve-graph.js';
import { needTable } from '../../pipeline/tables/table.js';
import {
  solving as importing,
  randomGraph as memoryGraph,
  solveNaively,
} from '../pipeline/graph/memory-graph.js';
import { withoutUnmoves } from '../support/forward-only.js';
import {
  graphGame,
  naiveValues,
  randomGraph,
  type SmallGraph,
  withoutUnconversions,
} from '../support/graph-game.js';
import { EAGER } from '../support/pace.js';
import { runRank } from '../support/ranks.js';
import { budgetOf, MiB } from '../support/solving.js';
import type { Clock } from './clock.js';
import { DAMAGING, SURVIVED } from './faults.js';
import type { Process } from './process.js';
import type { ProcessTask, Scene } from './scene.js';
import { writingScenes } from './writing-scenes.js';

/** How a graph is solved. */
export interface GraphSolving {
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly pace: Pace;
}

const SLICE = 'above';
const MINUTE = 60_000;
/** Objects younger than this are not garbage: no operation takes so long. */
const OLD = 60 * MINUTE;

/** Commits, one partition for all and giving back follow each other fast. */
const RESTLESS: Pace = {
  commitRequests: 100,
  commitRequestsPerPosition: 0,
  commitRounds: 5,
  fewRequests: 40,
  requestMs: 0,
  positionMs: 0,
  manyRequests: 41,
};
const METER = { wall: () => 0, cpu: () => 0, peakRss: () => 0 };

export interface Toy {
  readonly name: string;
  readonly graph: SmallGraph;
  readonly game: Game;
  readonly solving: GraphSolving;
}

/** A game of two small random graphs. */
export function newToy(
  name: string,
  ladder: boolean,
  solving: Partial<GraphSolving>,
  change = (game: Game) => game,
): Toy {
  const dependency = randomGraph(3, { name: 'below', size: 40, width: 20, ladder: false });
  // The seed decides how long the wins of a ladder are: 35 plies.
  const graph = randomGraph(ladder ? 4 : 1, {
    name: SLICE,
    size: ladder ? 40 : 120,
    width: 17,
    ladder,
    dependency,
  });
  const ending = (slice: string) => ({
    name: slice,
    slices: [slice],
    flipped: false,
    exchanged: slice,
    pieces: 3,
    class: slice,
  });
  const game = change({ ...(graphGame(dependency, graph) as Game), name: 'toy', ending });
  return { name, graph, game, solving: { metric: 'dtm', strategy: 'count', pace: PACE, ...solving } };
}

const FEW = { ...PACE, fewRequests: 0 };
export const TOYS: readonly Toy[] = [
  newToy('counting', false, { pace: FEW }),
  newToy('many rounds', true, { pace: FEW, metric: 'dtc' }),
  newToy('commits', true, { pace: RESTLESS }),
  newToy('few requests', true, { pace: EAGER }),
  newToy('lookups', false, { pace: RESTLESS, strategy: 'lookup', metric: 'dtz' }),
  newToy('edges', false, { pace: RESTLESS }, withoutUnmoves),
  newToy('conversions asked for', false, { pace: RESTLESS, metric: 'wdl' }, withoutUnconversions),
];

function solveAlone({ game, solving }: Toy, process: Process, attempt: string, workers: number) {
  const { store, scratch } = process;
  const engine = inlineEngine(game, store, newScratch(scratch, 'scratch'), { attempt });
  return solve({
    game,
    store,
    slices: [SLICE],
    ...solving,
    verify: true,
    budget: budgetOf(16 * MiB),
    engine: { ...engine, workers },
    progress: () => {},
    meter: METER,
  });
}

const digests = (summaries: Awaited<ReturnType<typeof solve>>): string =>
  summaries.map(({ slice, table }) => `${slice} ${table.digests.join(' ')}`).join();

function aloneTask(toy: Toy, name: string, workers: number): ProcessTask {
  return {
    name,
    run: async (process, attempt) => digests(await solveAlone(toy, process, attempt, workers)),
  };
}

function rankTask(
  { game, solving }: Toy,
  clock: Clock,
  rank: number,
  copy: number,
  sizes: RankSizes,
): ProcessTask {
  const waiting = {
    pause: (times: number) =>
      new Promise<void>((resolve) => clock.in(Math.min(1000, 10 * 2 ** Math.min(times, 8)), resolve)),
    reportMissing: async () => {},
    isLost: async () => false,
    reportLost: () => {},
  };
  return {
    name: `rank ${rank}${copy === 0 ? '' : ` copy ${copy}`}`,
    run: async ({ store, scratch }, attempt) =>
      digests(await runRank(game, [SLICE], store, { ...solving, ...sizes, scratch, attempt, waiting }, rank)),
  };
}

interface RankSizes {
  readonly ranks: number;
  readonly partitions: number;
  readonly wholeBelow?: number;
}

/** Deletes garbage now and then, as a nightly command does. */
function collectorTask(clock: Clock, games: Scene['games'], times: number): ProcessTask {
  return {
    name: 'gc',
    async run({ store }) {
      for (let i = 0; i < times; i++) {
        await new Promise<void>((resolve) => clock.in(20 * MINUTE, resolve));
        for (const { ageMs, remove } of await findWaste(store, games, '/nowhere'))
          if (ageMs >= OLD) await remove();
      }
      return '';
    },
  };
}

/** Compares every value of a table with a solver that goes over all moves of all positions, again and again. */
async function checkTables({ graph, game, solving }: Toy, store: Store): Promise<void> {
  for (const each of [graph.dependency!, graph]) {
    const table = await needTable(store, game, solving.metric, each.name);
    const expected = naiveValues(each, solving.metric);
    for (const side of [0, 1] as const) {
      const found = await valuesOf(table, side);
      const wrong = found.findIndex((value, i) => value !== expected[side][i]);
      if (wrong >= 0 || found.length !== each.size)
        throw new Error(`${each.name}, side ${side}, position ${wrong}: ${found[wrong]}`);
    }
  }
}

async function valuesOf(
  table: Awaited<ReturnType<typeof needTable>>,
  side: Side,
): Promise<(number | null)[]> {
  const values: (number | null)[] = [];
  for await (const batch of table.values(side, 0, table.slice.parts)) {
    const codes = batch.columns[0] as ValueColumn;
    const broken = brokenIn(codes);
    for (let i = 0; i < batch.length; i++) values.push(codes[i] === broken ? null : codes[i]);
  }
  return values;
}

function solvingScene(
  toy: Toy,
  how: string,
  tasks: (clock: Clock, games: Scene['games']) => ProcessTask[],
): Scene {
  const games = new Map([[toy.game.name, toy.game]]);
  return {
    name: `${toy.name}: ${how}`,
    survives: SURVIVED,
    damages: DAMAGING,
    games,
    objects: new Map(),
    tasks: (clock) => tasks(clock, games),
    check: (store) => checkTables(toy, store),
    async solveAgain(process, slice) {
      const summaries = await solveAlone(toy, process, '-again', 1);
      return summaries.find((summary) => summary.slice === slice)!.table.digests as [string, string];
    },
  };
}

/** All ways in which a slice is solved. */
function solvingScenes(toy: Toy): Scene[] {
  const by = (clock: Clock, sizes: RankSizes, copies: number) =>
    Array.from({ length: sizes.ranks * copies }, (_, i) =>
      rankTask(toy, clock, i % sizes.ranks, Math.floor(i / sizes.ranks), sizes),
    );
  return [
    solvingScene(toy, 'one process', () => [aloneTask(toy, 'solve', 1)]),
    solvingScene(toy, 'two workers', () => [aloneTask(toy, 'solve', 2)]),
    solvingScene(toy, 'two solves at once', () => [aloneTask(toy, 'one', 1), aloneTask(toy, 'other', 2)]),
    solvingScene(toy, 'two solves and gc', (clock, games) => [
      ...[aloneTask(toy, 'one', 2), aloneTask(toy, 'other', 2)],
      collectorTask(clock, games, 5),
    ]),
    solvingScene(toy, 'two ranks', (clock) => by(clock, { ranks: 2, partitions: 2 }, 1)),
    solvingScene(toy, 'three ranks, five partitions, gc', (clock, games) => [
      ...by(clock, { ranks: 3, partitions: 5 }, 1),
      collectorTask(clock, games, 5),
    ]),
    solvingScene(toy, 'two copies of two ranks', (clock) => by(clock, { ranks: 2, partitions: 3 }, 2)),
    solvingScene(toy, 'slices dealt to two ranks', (clock) =>
      by(clock, { ranks: 2, partitions: 2, wholeBelow: 2 ** 30 }, 1),
    ),
  ];
}

/** Imports of one graph do not meet: a process has the graph to itself. */
const ALONE = SURVIVED.filter((kind) => kind !== 'duplicate' && kind !== 'late effect');

/** Imports a graph in strides, and solves it. */
function importScene(seed: number): Scene {
  const graph = memoryGraph({ nodes: 60, edges: 200, seed, reach: 5, hub: 30 });
  return {
    name: `import ${seed}`,
    survives: ALONE,
    damages: [],
    games: new Map([[graphs.name, graphs as Game]]),
    objects: new Map(),
    tasks: () => [
      {
        name: 'graph solve',
        async run({ store, scratch }) {
          const asked = { store, scratch: newScratch(scratch, 'scratch'), commitRows: 50 };
          return digests([(await solveGraph(importing(graph, asked))).summary]);
        },
      },
    ],
    async check(store) {
      const prober = await openGraphProber(store, 'test', 'dtw');
      for (const [id, value] of solveNaively(graph)) {
        const found = await prober.node(id);
        if (found?.winner !== value.winner || found.plies !== value.plies)
          throw new Error(`node ${String(id)}: ${found?.winner} in ${found?.plies}`);
      }
    },
  };
}

export async function allScenes(): Promise<Scene[]> {
  return [...(await writingScenes()), ...[1, 2, 3, 4].map(importScene), ...TOYS.flatMap(solvingScenes)];
}
