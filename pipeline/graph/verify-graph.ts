/**
 * Best edges: of every node the best of its edges by the values of where they lead, from the graph and the finished table
 * alone. The value that follows must be that of the table, which verifies it. Where the node is won, the edge is a winning
 * strategy: the distance goes down along it. Where the node is lost, the edge is the longest defence. Where it is drawn, the
 * edge loses nothing.
 *
 * As in verify.ts, the edges of a part of the nodes become requests (successor | node). They are put to the parts of
 * the successors and looked up there. Memory: 6 bytes a node of a part, the values of a part, the rest for requests.
 * I/O: reads the graph once, the table once for each time the requests fill the memory. Where the values of all nodes
 * fit their share of the memory, each is looked up at once, and the table is read twice.
 */

import type { Interval } from '../../operators/core/interval.js';
import { createPool } from '../../operators/distribute/pool.js';
import { joinByMajor } from '../../operators/join-by-major.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, RowSource, Rows } from '../../operators/runs/types.js';
import type { Context } from '../engine/memory/context.js';
import { EXPAND_ROWS } from '../engine/memory/context.js';
import { EXCHANGED, SAME_SIDE } from '../engine/phases/edges.js';
import { newDerivedPart } from '../engine/verify/verified-parts.js';
import type { Side, SliceIndex } from '../game/game.js';
import { firstMajor, majorsIn, partOf, sideOfMajor } from '../game/majors.js';
import type { DerivedPart } from '../game/step-manifests.js';
import { stipulations } from '../game/stipulation.js';
import { brokenCode, fromPreference, newValueColumn, preference, type ValueColumn } from '../game/value.js';
import { addMismatch } from '../game/wrong-values.js';
import type { Table } from '../tables/table.js';
import {
  EXCHANGED_BIT,
  exchangedOfWord,
  isDrawn,
  isLost,
  isOpen,
  KEY_MASK,
  keepsSide,
  NODE_MASK,
  PART_SHIFT,
  putWords,
  SIDE_OF_NODE,
  sideOfWord,
  unitsOf,
} from './graph-layout.js';
import { openGraphRuns } from './joined-runs.js';
import type { GraphManifest } from './manifest.js';
import { type GraphOutcomes, outcomesOf } from './outcomes.js';
import { type PartOrder, partOrderOf } from './part-order.js';

/** The facts of the nodes of a part of the slice; valid until the next part. */
export interface PartOfNodes {
  readonly part: number;
  /** The number of the first node, and how many there are. */
  readonly first: number;
  readonly length: number;
  /** How many edges they have. */
  readonly edges: number;
  /** Their words (graph-layout.ts). */
  readonly words: Uint16Array;
  /** The values in the table, for the side of each node (pipeline/game/value.ts). */
  readonly values: ValueColumn;
  /** The rank (`preference`) of the best edge, 0 if there is none; and the node that it leads to, with {@link EXCHANGED_BIT}. */
  readonly ranks: Uint16Array;
  readonly best: Uint32Array;
}

const POOL_SHARE = 0.5;
/** The share of the memory in which the values of all nodes may be: then they are looked up at once. */
const VALUES_SHARE = 0.5;

/** The nodes of the context's parts, part by part: in the order of the slice, not of the nodes. */
export async function* bestEdges(
  { slice, parts, budget, counters, tableStore, metric, report }: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
): AsyncGenerator<PartOfNodes> {
  const nodes = await openGraphRuns(tableStore, graph, 'nodes', counters);
  const successors = await openGraphRuns(tableStore, graph, 'successors', counters);
  const { nodePart, slicePart } = partOrderOf(graph);
  const { valueType } = table.manifest;
  const newValues = (length = slice.width) => newValueColumn(valueType, length);
  const words = new Uint16Array(slice.width);
  const ranks = new Uint16Array(slice.width);
  const best = new Uint32Array(slice.width);
  const own = newValues();
  const there = newValues();
  const isHeld = slice.size * own.BYTES_PER_ELEMENT <= budget.memory * VALUES_SHARE;
  const all = isHeld ? newValues(slice.size) : null;
  const pool = isHeld ? null : createPool(Math.max(1 << 16, budget.memory * POOL_SHARE), { shared: false });
  const raiser = new Raiser(valueType, !stipulations[metric].plies, ranks, best);
  const firstOfSide = [firstMajor(slice, 0), firstMajor(slice, 1)] as const;
  let edges = 0;

  const load = (side: Side, part: number, into: ValueColumn) => readValues(table, side, part, into);

  /** Has the words of the nodes of a part in `words`, and the values of its nodes in `own`. */
  async function enter(part: number): Promise<void> {
    const length = slice.partSize(part);
    const from = nodePart[part];
    for await (const { first, length: some, columns } of nodes.denseCursor({ from, to: from + 1 })) {
      const [status, counts] = columns.map((column) => column.subarray(0, some)) as Uint8Array[];
      putWords(status, counts, words, first);
    }
    await load(0, part, own);
    await load(1, part, there);
    takeOfBlack(words, length, there, own);
  }

  /** As {@link takeRequests}. Where all values are held, minors are numbers of nodes. */
  async function* requests(first: number, length: number): RowSource {
    const rows = newRows(EXPAND_ROWS, 1);
    const places = { first, words, firstOfSide, slicePart, minorMask: isHeld ? NODE_MASK : KEY_MASK };
    for await (const batch of successors.cursor(unitsOf(graph.nodes, first, first + length))) {
      for (let from = 0; from < batch.length; ) {
        const to = Math.min(batch.length, from + EXPAND_ROWS);
        takeRequests(batch, { from, to }, rows, places);
        from = to;
        yield rows;
      }
      edges += batch.length;
      report(batch.length);
    }
  }

  for (let part = 0; all !== null && part < slice.parts; part++) {
    await enter(part);
    all.set(own.subarray(0, slice.partSize(part)), nodePart[part] * slice.width);
  }
  for (let part = parts.from; part < parts.to; part++) {
    const first = nodePart[part] * slice.width;
    const length = slice.partSize(part);
    await enter(part);
    ranks.fill(0);
    edges = 0;
    if (all !== null)
      for await (const { minor, payload, length: rows } of requests(first, length)) {
        raiser.raise(all, 0, minor.subarray(0, rows), payload[0] as Uint32Array);
        counters.rowsJoined += rows;
      }
    else
      await joinByMajor(
        requests(first, length),
        (major) => load(sideOfMajor(slice, major), partOf(slice, major), there),
        (major, keys, askers, codes) =>
          raiser.raise(codes as ValueColumn, nodePart[partOf(slice, major)] * slice.width, keys, askers),
        { majors: majorsIn(slice, 2), pool: pool!, counters },
      );
    yield { part, first, length, edges, words, values: own, ranks, best };
  }
}

// Loops are functions of their own. V8 compiles what is around a long loop with it.

/** Has (successor | key of the asker, whether the value is for the same side, and whether colours are exchanged) of some edges in `rows`. */
function takeRequests(
  { minor, payload }: Batch,
  { from, to }: Interval,
  rows: Rows,
  { first, words, firstOfSide, slicePart, minorMask }: Places,
): void {
  const targets = payload[0];
  const askers = rows.payload[0];
  for (let i = from; i < to; i++) {
    const word = targets[i];
    const node = word & NODE_MASK;
    const side = sideOfWord(word);
    const asker = minor[i] - first;
    const same = keepsSide(word, words[asker] & SIDE_OF_NODE);
    rows.major[i - from] = firstOfSide[side] + slicePart[node >>> PART_SHIFT];
    rows.minor[i - from] = node & minorMask;
    askers[i - from] = (asker | (same << SAME_SIDE) | (exchangedOfWord(word) << EXCHANGED)) >>> 0;
  }
  rows.length = to - from;
}

/** Where edges begin, in a part that begins with node `first`, and where they lead. */
interface Places extends Pick<PartOrder, 'slicePart'> {
  readonly first: number;
  readonly words: Uint16Array;
  readonly firstOfSide: readonly [number, number];
  /** The bits of a node's number that its values are found by. */
  readonly minorMask: number;
}

function takeOfBlack(words: Uint16Array, length: number, from: ValueColumn, into: ValueColumn): void {
  for (let i = 0; i < length; i++) if ((words[i] & SIDE_OF_NODE) === 1) into[i] = from[i];
}

async function readValues(
  table: Table<SliceIndex>,
  side: Side,
  part: number,
  into: ValueColumn,
): Promise<ValueColumn> {
  for await (const { first, length, columns } of table.values(side, part, part + 1))
    into.set((columns[0] as ValueColumn).subarray(0, length), first);
  return into;
}

/** Raises the ranks of the nodes of a part by their edges. */
class Raiser {
  private readonly rankTable: Uint16Array;
  private codes: ValueColumn;

  constructor(
    private readonly type: 'i8' | 'i16',
    isWdl: boolean,
    private readonly ranks: Uint16Array,
    private readonly best: Uint32Array,
  ) {
    this.rankTable = newRankTable(type === 'i8' ? 8 : 16, isWdl);
    this.codes = newValueColumn(type, 0);
  }

  /** By edges to the nodes `first + keys[i]`, whose values are values[keys[i]]. */
  raise(values: ValueColumn, first: number, keys: Uint32Array, askers: Uint32Array): void {
    if (this.codes.length < keys.length) this.codes = newValueColumn(this.type, keys.length);
    lookUp(keys, values, this.codes);
    raise({ first, keys, askers, codes: this.codes }, this.rankTable, this.ranks, this.best);
  }
}

/** A loop that does nothing else waits for many values at once. */
function lookUp(keys: Uint32Array, values: ValueColumn, codes: ValueColumn): void {
  for (let i = 0; i < keys.length; i++) codes[i] = values[keys[i]];
}

interface RankedEdges {
  readonly first: number;
  readonly keys: Uint32Array;
  readonly askers: Uint32Array;
  readonly codes: ValueColumn;
}

function raise(
  { first, keys, askers, codes }: RankedEdges,
  rankTable: Uint16Array,
  ranks: Uint16Array,
  best: Uint32Array,
): void {
  const half = rankTable.length / 2;
  for (let i = 0; i < keys.length; i++) {
    const asker = askers[i] & KEY_MASK;
    const node = (first + keys[i]) | (((askers[i] >>> EXCHANGED) & 1) << EXCHANGED_BIT);
    const changes = 1 - (askers[i] >>> SAME_SIDE);
    const rank = rankTable[(changes * half) | (codes[i] & (half - 1))];
    if (rank < ranks[asker] || (rank === ranks[asker] && node >= best[asker])) continue;
    ranks[asker] = rank;
    best[asker] = node;
  }
}

/** The rank of an edge by the code, of so many bits, that it leads to. In the second half the edge leads to the other side. */
function newRankTable(bits: 8 | 16, isWdl: boolean): Uint16Array {
  const table = new Uint16Array(2 << bits);
  const sign = 32 - bits;
  for (let i = 0; i < table.length; i++)
    table[i] = preference(alongEdge((i << sign) >> sign, i < 1 << bits, isWdl));
  return table;
}

/**
 * The value at the beginning of an edge, by the value at its end. It is a ply more and, if the side changes, for the
 * other side.
 */
export function alongEdge(code: number, same: boolean, isWdl: boolean): number {
  if (code === 0) return 0;
  if (isWdl) return same ? code : -code;
  if (same) return code > 0 ? code + 1 : code - 1;
  return code > 0 ? -(code + 1) - 1 : -code;
}

/**
 * Verifies the context's parts of the table. Every value must be what the best edge makes of it, or what the node is
 * where the play is over.
 */
export async function verifyGraph(
  context: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
): Promise<DerivedPart> {
  const result = newDerivedPart();
  const isWdl = !stipulations[context.metric].plies;
  const broken = brokenCode(table.manifest.valueType);
  const outcomes = outcomesOf(graph, table.manifest);
  for await (const nodes of bestEdges(context, graph, table)) {
    const { part, length, edges, words, values } = nodes;
    result.positions += length;
    result.requests += edges;
    for (let key = 0; ; key++) {
      key = firstWrong(nodes, key, outcomes, { isWdl, broken });
      if (key === length) break;
      const side = (words[key] & SIDE_OF_NODE) as Side;
      const stored = values[key] === broken ? null : values[key];
      const derived = derivedOf(nodes, key, outcomes);
      addMismatch(result, () => ({ slice: graph.name, side, part, key, stored, derived }));
    }
  }
  return result;
}

/** The first node from `from` on whose value is wrong; the length of the part if there is none. */
function firstWrong(
  nodes: PartOfNodes,
  from: number,
  outcomes: GraphOutcomes,
  { isWdl, broken }: { readonly isWdl: boolean; readonly broken: number },
): number {
  const { length, words, values } = nodes;
  for (let key = from; key < length; key++) {
    const derived = derivedOf(nodes, key, outcomes);
    const stored = values[key];
    const isEqual = isWdl ? Math.sign(stored) === Math.sign(derived) : stored === derived;
    if (stored === broken || !isEqual || (isOpen(words[key]) && outcomes.isEnd(stored))) return key;
  }
  return length;
}

/** The value of a node by its best edge, or by what it is where the play is over. */
function derivedOf({ words, ranks }: PartOfNodes, key: number, outcomes: GraphOutcomes): number {
  if (isLost(words[key])) return outcomes.codeOfLost(words[key]);
  return isDrawn(words[key]) ? 0 : fromPreference(ranks[key]);
}
