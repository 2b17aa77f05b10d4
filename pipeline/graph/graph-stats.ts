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
import { KINDS, type NodeScan, scanNodes } from './scan-nodes.js';
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
  const kinds: Kind[] = [];
  /** By `NodeScan.kindOf`: the place of the kind in `kinds`, plus one; 0 while no node of it was seen. */
  const known = new Uint32Array(KINDS);

  function kindAt(nodes: NodeScan, i: number): Kind {
    const code = nodes.codeOf(i);
    const first = nodes.first + i;
    if (code === broken)
      throw new StorageError(store.uri, `the table of graph ${name} has no value for node ${first}`);
    return {
      code,
      side: nodes.sideOf(i),
      isOver: nodes.isOver(i),
      owner: nodes.ownerOf(i),
      value: nodes.winningOf(i),
      first,
      nodes: 0,
      positions: 0,
    };
  }

  for await (const nodes of scanNodes(store, { graph, table }, counters)) {
    for (let i = 0; i < nodes.length; i++) {
      const at = nodes.kindOf(i);
      if (known[at] === 0) known[at] = kinds.push(kindAt(nodes, i));
      const kind = kinds[known[at] - 1];
      kind.nodes++;
      kind.positions += nodes.weightOf(i);
    }
    await report(nodes.length);
  }
  for (const side of [0, 1] as const)
    requireCounted(table.manifest, side, countedOf(kinds.filter((kind) => kind.side === side)));

  const merged = new Counting(graph);
  const unmerged = graph.weights === true ? new Counting(graph) : null;
  const byPlies = [new Map<number, number>(), new Map<number, number>()] as const;
  const byScore = [new Map<number, number>(), new Map<number, number>()] as const;
  const longest = [newFarthest(), newFarthest()] as const;
  for (const kind of kinds) {
    const { winner, plies, score } = kind.value;
    merged.add(kind, kind.nodes);
    unmerged?.add(kind, kind.positions);
    if (winner === null || plies === null) continue;
    addTo(byPlies[winner], plies, kind.nodes);
    if (score !== null) addTo(byScore[winner], score, kind.nodes);
    const before = longest[winner][kind.side];
    const isFarther =
      before === null
        ? plies > 0
        : plies > before.plies || (plies === before.plies && kind.first < before.node);
    if (!kind.isOver && isFarther) longest[winner][kind.side] = { plies, node: kind.first };
  }

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
    outcomes: [...new Map(kinds.map(({ value }) => [Object.values(value).join(' '), value])).values()],
    longest: [
      [await named(longest[0][0]), await named(longest[0][1])],
      [await named(longest[1][0]), await named(longest[1][1])],
    ],
  };
}

/** Nodes of one kind ({@link NodeScan.kindOf}). There are few kinds. */
interface Kind {
  readonly code: number;
  readonly side: Side;
  readonly isOver: boolean;
  readonly owner: Side;
  readonly value: Winning;
  /** The first of them. */
  readonly first: number;
  nodes: number;
  /** That they stand for. */
  positions: number;
}

function countedOf(kinds: readonly Kind[]): { positions: number; wins: number; losses: number } {
  const count = (some: readonly Kind[]) => some.reduce((sum, { nodes }) => sum + nodes, 0);
  return {
    positions: count(kinds),
    wins: count(kinds.filter(({ code }) => code > 0)),
    losses: count(kinds.filter(({ code }) => code < 0)),
  };
}

function addTo(counts: Map<number, number>, at: number, more: number): void {
  counts.set(at, (counts.get(at) ?? 0) + more);
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

  add({ isOver, side, owner, value: { winner } }: Kind, times: number): void {
    const tally = isOver ? this.over : this.chooses[side];
    if (winner === null) {
      tally.nobody += times;
      return;
    }
    tally.won[winner] += times;
    if (isOver && owner === winner) this.wonEnds += times;
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
