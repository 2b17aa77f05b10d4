/** Statistics of a solved graph: who chooses where, who wins from there, and in how many edges. */

import { newCounters } from '../../operators/core/counters.js';
import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../game/game.js';
import { stipulations } from '../game/stipulation.js';
import { brokenCode, type Metric } from '../game/value.js';
import { requireCounted } from '../tables/counted.js';
import { readVerified } from '../tables/verified.js';
import type { Farthest, GraphStats, MoverTally, NodeCounts, NodeTally } from './graph-tallies.js';
import { idOf } from './ids.js';
import type { GraphManifest } from './manifest.js';
import { openNames } from './node-names.js';
import type { Winning } from './outcomes.js';
import { type NodeScan, scanNodes } from './scan-nodes.js';
import { needSolvedGraph } from './solved-graph.js';

/**
 * One scan of the nodes and of the table: 3 to 7 bytes a node. Memory: a part of both.
 * @param report called and awaited between parts, with the number of nodes looked at since the last call.
 * @throws UserError if there is no such graph, or it is not solved for the metric; StorageError, DamageError.
 */
export async function graphStats(
  store: Store,
  name: string,
  metric: Metric,
  report: (done: number) => Promise<void>,
): Promise<GraphStats> {
  const counters = newCounters();
  const { graph, table } = await needSolvedGraph(store, name, metric, counters);
  const broken = brokenCode(table.manifest.valueType);
  const merged = new Counting(graph);
  const unmerged = graph.weights === true ? new Counting(graph) : null;
  const byPlies = [new Map<number, number>(), new Map<number, number>()] as const;
  const byScore = [new Map<number, number>(), new Map<number, number>()] as const;
  const values = new Set<Winning>();
  const longest = [newFarthest(), newFarthest()] as const;
  const none = () => ({ positions: 0, wins: 0, losses: 0 });
  const counted = [none(), none()] as const;

  function count(nodes: NodeScan, i: number): void {
    const node = nodes.first + i;
    const side = nodes.sideOf(i);
    const isOver = nodes.isOver(i);
    const code = nodes.codeOf(i);
    if (code === broken)
      throw new StorageError(store.uri, `the table of graph ${name} has no value for node ${node}`);
    const sum = counted[side];
    sum.positions++;
    if (code > 0) sum.wins++;
    else if (code < 0) sum.losses++;
    const value = nodes.winningOf(i);
    values.add(value);
    const { winner, plies, score } = value;
    merged.add(nodes, i, winner, 1);
    unmerged?.add(nodes, i, winner, nodes.weightOf(i));
    if (winner === null || plies === null) return;
    byPlies[winner].set(plies, (byPlies[winner].get(plies) ?? 0) + 1);
    if (score !== null) byScore[winner].set(score, (byScore[winner].get(score) ?? 0) + 1);
    // Nodes come in order.
    if (!isOver && plies > (longest[winner][side]?.plies ?? 0)) longest[winner][side] = { plies, node };
  }

  for await (const nodes of scanNodes(store, { graph, table }, counters)) {
    for (let i = 0; i < nodes.length; i++) count(nodes, i);
    await report(nodes.length);
  }
  for (const side of [0, 1] as const) requireCounted(table.manifest, side, counted[side]);

  const names = await openNames(store, graph.runs.names, counters);
  const named = async (far: FarNode | null): Promise<Farthest | null> =>
    far === null ? null : { plies: far.plies, node: idOf(await names.of(far.node)) };
  return {
    graph,
    verified: (await readVerified(store, table.manifest)) !== null,
    hasPlies: stipulations[metric].plies,
    ...merged.counts(),
    unmerged: unmerged?.counts() ?? null,
    byPlies: [ascending(byPlies[0]), ascending(byPlies[1])],
    byScore: stipulations[metric].scores ? [ascending(byScore[0]), ascending(byScore[1])] : null,
    // Two codes may have one meaning: a loss of one side, and a win of the other.
    outcomes: [...new Map([...values].map((each) => [Object.values(each).join(' '), each])).values()],
    longest: [
      [await named(longest[0][0]), await named(longest[0][1])],
      [await named(longest[1][0]), await named(longest[1][1])],
    ],
  };
}

/** By its number. */
interface FarNode {
  readonly plies: number;
  readonly node: number;
}

class Counting {
  private readonly chooses = [newTally(), newTally()] as const;
  private readonly over = newTally();
  /** Ends that the player who would choose there has won. */
  private wonEnds = 0;

  constructor(private readonly graph: GraphManifest) {}

  /** Adds a node `weight` times. */
  add(nodes: NodeScan, i: number, winner: Side | null, weight: number): void {
    const isOver = nodes.isOver(i);
    const tally = isOver ? this.over : this.chooses[nodes.sideOf(i)];
    if (winner === null) {
      tally.nobody += weight;
      return;
    }
    tally.won[winner] += weight;
    if (isOver && nodes.ownerOf(i) === winner) this.wonEnds += weight;
  }

  counts(): NodeCounts {
    const { chooses, over } = this;
    return { chooses, over, ends: this.ends(), all: sum([...chooses, over]) };
  }

  /** Null for keyed games that earlier versions imported: their ends lack the owner (`GraphManifest.movers`). */
  private ends(): MoverTally | null {
    const { movesCompared, movers } = this.graph;
    if (movesCompared !== undefined && movers !== true) return null;
    const { won, nobody } = this.over;
    return { won: this.wonEnds, drawn: nobody, lost: won[0] + won[1] - this.wonEnds };
  }
}

function newFarthest(): [FarNode | null, FarNode | null] {
  return [null, null];
}

function newTally(): NodeTally {
  return { won: [0, 0], nobody: 0 };
}

function sum(tallies: readonly NodeTally[]): NodeTally {
  const all = newTally();
  for (const { won, nobody } of tallies) {
    all.won[0] += won[0];
    all.won[1] += won[1];
    all.nobody += nobody;
  }
  return all;
}

function ascending(counts: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...counts].sort((a, b) => a[0] - b[0]));
}
