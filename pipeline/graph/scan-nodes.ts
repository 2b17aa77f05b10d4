/** The nodes of a solved graph in their order: who moves, whether the play goes on, and what each is worth. */
import type { Counters } from '../../operators/core/counters.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../game/game.js';
import type { ValueColumn } from '../game/value.js';
import { isOpen, ownerOf, SIDE_OF_NODE } from './graph-layout.js';
import { openGraphRuns } from './joined-runs.js';
import { type GraphOutcomes, outcomesOf, type Winning, winningOf } from './outcomes.js';
import { partOrderOf } from './part-order.js';
import type { OpenedGraph } from './solved-graph.js';

/** How many kinds of nodes there can be ({@link NodeScan.kindOf}): codes have 16 bits. */
export const KINDS = 2 ** 19;

/** Nodes that follow each other, with their values. */
export class NodeScan {
  constructor(
    /** The number of the first in the graph. */
    readonly first: number,
    readonly length: number,
    private readonly status: Uint8Array,
    private readonly counts: Uint8Array,
    private readonly weights: Uint16Array | null,
    /** Of both sides, for nodes from `from` on. */
    private readonly codes: readonly [Int16Array, Int16Array],
    private readonly from: number,
    private readonly winnings: Winnings,
  ) {}

  /** The side that the value of a node is for, by its place in this scan: its owner or, where the play is over, who has lost. */
  sideOf(i: number): Side {
    return (this.status[i] & SIDE_OF_NODE) as Side;
  }

  isOver(i: number): boolean {
    return !isOpen(this.status[i]);
  }

  /** As that of graph-layout.ts. */
  ownerOf(i: number): Side {
    return ownerOf(this.status[i] | (this.counts[i] << 8));
  }

  /** How many positions the node stands for: 1 if its game has no symmetries, or none are stored (`GraphManifest.weights`). */
  weightOf(i: number): number {
    return this.weights === null ? 1 : this.weights[i];
  }

  /** The code of the table, for the side of the node. */
  codeOf(i: number): number {
    return this.codes[this.sideOf(i)][this.from + i];
  }

  /** A number below {@link KINDS} that is the same for nodes of which `codeOf`, `sideOf`, `isOver` and `ownerOf` are the same. */
  kindOf(i: number): number {
    const code = this.codeOf(i) & 0xffff;
    return (code << 3) | (this.sideOf(i) << 2) | (this.ownerOf(i) << 1) | Number(this.isOver(i));
  }

  winningOf(i: number): Winning {
    return this.winnings.of(this.sideOf(i), this.codeOf(i));
  }

  /** So many of these nodes from `at` on. */
  cut(at: number, length: number): NodeScan {
    const [status, counts] = [this.status, this.counts].map((column) => column.subarray(at, at + length));
    const weights = this.weights?.subarray(at, at + length) ?? null;
    const { first, codes, from, winnings } = this;
    return new NodeScan(first + at, length, status, counts, weights, codes, from + at, winnings);
  }
}

/** The meanings of codes, each made once: millions of nodes have the same few. */
class Winnings {
  /** By the side, and by the code as 16 bits. */
  private readonly known: readonly (Winning | undefined)[][] = [0, 1].map(() => new Array(1 << 16));

  constructor(private readonly outcomes: GraphOutcomes) {}

  of(side: Side, code: number): Winning {
    const known = this.known[side];
    return (known[code & 0xffff] ??= winningOf(side, this.outcomes.of(code)));
  }
}

/** I/O: a scan of the nodes, and one of the table, part by part. Memory: the values of a part. Nodes are valid until the next are asked for. */
export async function* scanNodes(
  store: Store,
  { graph, table }: Pick<OpenedGraph, 'graph' | 'table'>,
  counters: Counters,
): AsyncGenerator<NodeScan> {
  const nodes = await openGraphRuns(store, graph, 'nodes', counters);
  const winnings = new Winnings(outcomesOf(graph, table.manifest));
  const { width, parts } = table.slice;
  const { slicePart } = partOrderOf(graph);
  const codes = [new Int16Array(width), new Int16Array(width)] as const;
  for (let part = 0; part < parts; part++) {
    const there = slicePart[part];
    for (const side of [0, 1] as const) {
      for await (const { first, length, columns } of table.values(side, there, there + 1))
        codes[side].set((columns[0] as ValueColumn).subarray(0, length), first);
    }
    for await (const { first, length, columns } of nodes.denseCursor({ from: part, to: part + 1 })) {
      // Copies, because the consumer may await something while the next nodes are read.
      const [status, counts] = (columns.slice(0, 2) as Uint8Array[]).map((column) => column.slice(0, length));
      const weights = columns.length > 2 ? (columns[2] as Uint16Array).slice(0, length) : null;
      yield new NodeScan(part * width + first, length, status, counts, weights, codes, first, winnings);
    }
  }
}
