/**
 * Best edges: of every node the best of its edges by the values of where they lead, from the graph and the finished table
 * alone. What that makes of the node must be its value in the table, which verifies it; and the edge is a winning
 * strategy where the node is won (the distance goes down along it), the longest defence where it is lost, and an edge that
 * loses nothing where it is drawn.
 *
 * As in verify.ts, the edges of a part of the nodes become requests (successor | node) that are put to the parts of the
 * successors and looked up there. Memory: 6 bytes a node of a part, the values of a part, the rest for requests.
 * I/O: reads the graph once, the table once for each time the requests fill the memory.
 */
import { createPool } from '../../operators/distribute/pool.js';
import { joinByMajor } from '../../operators/join-by-major.js';
import { newRows } from '../../operators/rows.js';
import type { RowSource } from '../../operators/runs/types.js';
import type { Side, SliceIndex } from '../contract/game.js';
import { firstMajor, majorsIn, partOf, sideOfMajor } from '../formats/majors.js';
import { brokenCode, fromPreference, preference, type ValueColumn } from '../formats/value.js';
import type { Context } from '../phases/context.js';
import { EXPAND_ROWS } from '../phases/convert.js';
import type { Verified } from '../phases/verify.js';
import type { Table } from '../table/table.js';
import { openJoined } from './joined-runs.js';
import {
  isDrawn,
  isLost,
  NODE_MASK,
  PART_SHIFT,
  pointsOf,
  SAME_BIT,
  SIDE_OF_NODE,
  sideOfWord,
  unitsOf,
} from './layout.js';
import type { GraphManifest } from './manifest.js';
import { outcomesOf } from './outcomes.js';
import { NODES, SUCCESSORS } from './successors.js';

/** What is known of the nodes of a part; valid until the next part. */
export interface PartOfNodes {
  readonly part: number;
  /** The number of the first node, and how many there are. */
  readonly first: number;
  readonly length: number;
  /** How many edges they have. */
  readonly edges: number;
  readonly status: Uint8Array;
  /** The values in the table, for the side of each node (pipeline/formats/value.ts). */
  readonly values: ValueColumn;
  /** The rank (`preference`) of the best edge, 0 if there is none; and the node that it leads to. */
  readonly ranks: Uint16Array;
  readonly best: Uint32Array;
}

const POOL_SHARE = 0.5;
const KEY_MASK = (1 << PART_SHIFT) - 1;

/** The nodes of the context's parts, part by part. */
export async function* bestEdges(
  { slice, parts, budget, counters, tableStore, metric, report }: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
): AsyncGenerator<PartOfNodes> {
  const nodes = await openJoined(tableStore, graph.runs.nodes, { counters, expect: { kind: NODES } });
  const successors = await openJoined(tableStore, graph.runs.successors, {
    counters,
    expect: { kind: SUCCESSORS },
  });
  const pool = createPool(Math.max(1 << 16, budget.memory * POOL_SHARE), { shared: false });
  const { valueType } = table.manifest;
  const newValues = () => (valueType === 'i8' ? new Int8Array(slice.width) : new Int16Array(slice.width));
  const status = new Uint8Array(slice.width);
  const ranks = new Uint16Array(slice.width);
  const best = new Uint32Array(slice.width);
  const own = newValues();
  const there = newValues();
  const isWdl = metric === 'wdl';
  const firstOfSide = [firstMajor(slice, 0), firstMajor(slice, 1)] as const;
  let edges = 0;

  async function load(side: Side, part: number, into: ValueColumn): Promise<ValueColumn> {
    for await (const { first, length, columns } of table.values(side, part, part + 1)) {
      into.set((columns[0] as ValueColumn).subarray(0, length), first);
    }
    return into;
  }

  /** (successor | key of the asker, and whether it has the same side). */
  async function* requests(first: number, length: number): RowSource {
    const rows = newRows(EXPAND_ROWS, 1);
    const [askers] = rows.payload as [Uint32Array];
    for await (const batch of successors.cursor(unitsOf(graph.nodes, first, first + length))) {
      const words = batch.payload[0] as Uint32Array;
      for (let from = 0; from < batch.length; ) {
        const to = Math.min(batch.length, from + EXPAND_ROWS);
        for (let i = from; i < to; i++) {
          const word = words[i];
          const node = word & NODE_MASK;
          const side = sideOfWord(word);
          const asker = batch.minor[i] - first;
          const same = (status[asker] & SIDE_OF_NODE) === side ? 1 : 0;
          rows.major[i - from] = firstOfSide[side] + (node >>> PART_SHIFT);
          rows.minor[i - from] = node & KEY_MASK;
          askers[i - from] = (asker | (same << SAME_BIT)) >>> 0;
        }
        rows.length = to - from;
        from = to;
        yield rows;
      }
      edges += batch.length;
      report(batch.length);
    }
  }

  function lookUp(major: number, keys: Uint32Array, askers: Uint32Array, codes: ValueColumn): void {
    const part = partOf(slice, major);
    for (let i = 0; i < askers.length; i++) {
      const asker = askers[i] & KEY_MASK;
      const rank = preference(alongEdge(codes[keys[i]], askers[i] >>> SAME_BIT !== 0, isWdl));
      const node = (part << PART_SHIFT) | keys[i];
      if (rank < ranks[asker] || (rank === ranks[asker] && node >= best[asker])) continue;
      ranks[asker] = rank;
      best[asker] = node;
    }
  }

  for (let part = parts.from; part < parts.to; part++) {
    const first = part * slice.width;
    const length = slice.partSize(part);
    for await (const batch of nodes.denseCursor({ from: part, to: part + 1 })) {
      status.set((batch.columns[0] as Uint8Array).subarray(0, batch.length), batch.first);
    }
    ranks.fill(0);
    edges = 0;
    await joinByMajor(
      requests(first, length),
      (major) => load(sideOfMajor(slice, major), partOf(slice, major), there),
      (major, keys, askers, codes) => lookUp(major, keys, askers, codes as ValueColumn),
      { majors: majorsIn(slice, 2), pool, counters },
    );
    await load(0, part, own);
    await load(1, part, there);
    for (let i = 0; i < length; i++) if ((status[i] & SIDE_OF_NODE) === 1) own[i] = there[i];
    yield { part, first, length, edges, status, values: own, ranks, best };
  }
}

/** What the value of where an edge leads makes of where it begins: a ply more and, if the side changes, for the other. */
export function alongEdge(code: number, same: boolean, isWdl: boolean): number {
  if (code === 0) return 0;
  if (isWdl) return same ? code : -code;
  if (same) return code > 0 ? code + 1 : code - 1;
  return code > 0 ? -(code + 1) - 1 : -code;
}

const MAX_MISMATCHES = 10;

/** Verifies the context's parts of the table: every value must be what the best edge makes of it, or what the node is where the play is over. */
export async function verifyGraph(
  context: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
): Promise<Verified> {
  const result: Verified = { positions: 0, requests: 0, mismatches: [], wrong: 0 };
  const equal = context.metric === 'wdl' ? Math.sign : (code: number) => code;
  const broken = brokenCode(table.manifest.valueType);
  const outcomes = outcomesOf(graph, table.manifest);
  for await (const { part, length, edges, status, values, ranks } of bestEdges(context, graph, table)) {
    result.positions += length;
    result.requests += edges;
    for (let key = 0; key < length; key++) {
      const isOver = isLost(status[key]) || isDrawn(status[key]);
      const derived = isLost(status[key])
        ? outcomes.lostBy(pointsOf(status[key]))
        : isOver
          ? 0
          : fromPreference(ranks[key]);
      const stored = values[key] === broken ? null : values[key];
      if (stored !== null && equal(stored) === equal(derived) && (isOver || !outcomes.isEnd(stored)))
        continue;
      result.wrong++;
      if (result.mismatches.length >= MAX_MISMATCHES) continue;
      const side = (status[key] & SIDE_OF_NODE) as Side;
      result.mismatches.push({ slice: graph.name, side, part, key, stored, derived });
    }
  }
  return result;
}
