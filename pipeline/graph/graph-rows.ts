/**
 * A solved graph as rows, in the order of its source: who wins from each node, in how many edges, and which edge to follow.
 *
 *   best edges ─ (node it leads to | node) ─ distribute / gather ─ with the names in order ─▶ (node | words of the name)
 *     ─ distribute / gather ─ with the names and values in order ─▶ rows
 *
 * So names are never looked up: the names of where edges lead are brought by sorting, cut in words. I/O: the best edges as
 * in verify-graph.ts, sort(N) and sort(N * words of a name), two scans of the names and one of the table.
 */

import { newArrays } from '../../operators/core/arrays.js';
import type { Budget } from '../../operators/core/budget.js';
import { share, split } from '../../operators/core/budget.js';
import { newCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { gather } from '../../operators/gather.js';
import { inStep, type RowsFrom } from '../../operators/in-step.js';
import { newRows, views } from '../../operators/runs/rows.js';
import type { Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Context } from '../engine/memory/context.js';
import type { Side, SliceIndex } from '../game/game.js';
import type { Metric } from '../game/value.js';
import type { Table } from '../tables/table.js';
import { slicePrefix } from '../tables/table-names.js';
import { edgeNamesOf } from './edge-names.js';
import { EXCHANGED_BIT, exchangedOfWord, NODE_MASK, unitShift } from './graph-layout.js';
import type { GraphManifest } from './manifest.js';
import { type KeyColumns, type NameBatch, nameAt, openNames } from './node-names.js';
import type { Winning } from './outcomes.js';
import { poolOf } from './row-collector.js';
import { type NodeScan, scanNodes } from './scan-nodes.js';
import { needSolvedGraph } from './solved-graph.js';
import { bestEdges } from './verify-graph.js';

/** A node of a solved graph, with its value and best edge. */
export interface GraphRow extends Winning {
  /** As JSON text. */
  readonly id: string;
  /** The player who chooses there, or would if the play were not over: by the file of a graph, or by the rules of a keyed game (`ownerOf`). */
  readonly owner: Side;
  readonly isOver: boolean;
  /**
   * Where to go from there, as JSON text. Who wins gets nearer to it, and who loses holds out longest. Where nobody
   * wins nothing is lost. Null where the play is over.
   */
  readonly move: string | null;
  /** The name of that edge; null where it has none. */
  readonly moveName: string | null;
  /** Moves from the nearest root of a keyed game; null if the graph has no layers. */
  readonly layer: number | null;
}

/** Shares of the memory. */
const SHARES = { there: 0.25, back: 0.25, order: 0.2 };
const ROWS = 1 << 14;

/** Which graph is gone through. */
export interface GraphRowsOptions {
  readonly store: Store;
  /** The name of the graph in the store. */
  readonly name: string;
  readonly metric: Metric;
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** False if {@link GraphRow.move} is not needed: it is null then, and nothing is sorted. */
  readonly moves?: boolean;
}

/** All nodes of a solved graph, in the order of its source. */
export interface GraphRows {
  readonly graph: GraphManifest;
  /** In batches, once. */
  readonly rows: AsyncGenerator<GraphRow[]>;
}

/** The same as {@link GraphRows}, without an object for each node. */
export interface GraphColumns {
  readonly graph: GraphManifest;
  readonly batches: AsyncGenerator<NodeColumns>;
}

/** Nodes that follow each other, with what is known of them. Valid until the next are asked for. */
export interface NodeColumns {
  readonly nodes: NodeScan;
  /** The names of a graph in JSON, as JSON text; null for the positions of a keyed game. */
  readonly texts: readonly string[] | null;
  /** The keys of a keyed game's positions. */
  readonly keys: KeyColumns | null;
  /** As {@link GraphRow.move}; null if moves were not asked for. */
  readonly moves: readonly (string | null)[] | null;
  /** Of {@link moves}: whether each leads to its node with the colours exchanged. */
  readonly exchanged: readonly boolean[];
  /** As {@link GraphRow.moveName}; null if no edge of the graph has a name. */
  readonly moveNames: readonly (string | null)[] | null;
  /** As {@link GraphRow.layer}. */
  layerOf(i: number): number | null;
}

/** @throws UserError if there is no such graph, or it is not solved for the metric; StorageError, DamageError. */
export async function openGraphRows(options: GraphRowsOptions): Promise<GraphRows> {
  const { graph, batches } = await openGraphColumns(options);
  async function* rows(): AsyncGenerator<GraphRow[]> {
    for await (const batch of batches) {
      const { nodes, moves, moveNames } = batch;
      yield Array.from({ length: nodes.length }, (_, i) => ({
        id: nameAt(batch, i),
        owner: nodes.ownerOf(i),
        isOver: nodes.isOver(i),
        ...nodes.winningOf(i),
        move: moves?.[i] ?? null,
        moveName: moveNames?.[i] ?? null,
        layer: batch.layerOf(i),
      }));
    }
  }
  return { graph, rows: rows() };
}

/** Throws what {@link openGraphRows} throws. */
export async function openGraphColumns(options: GraphRowsOptions): Promise<GraphColumns> {
  const { store, name, metric, moves = true } = options;
  const { graph, game, table } = await needSolvedGraph(store, name, metric);
  const { slice } = table;
  const context: Context = {
    ...options,
    slice,
    strategy: 'count',
    mode: 'streaming',
    parts: { from: 0, to: slice.parts },
    prefix: slicePrefix(game.name, metric, name),
    tableStore: store,
    attempt: '',
    counters: newCounters(),
    tables: [],
    report: () => {},
  };
  const batches = moves ? columnsWithMoves(context, graph, table) : columnsOf(context, graph, table, null);
  return { graph, batches };
}

async function* columnsWithMoves(
  context: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
): AsyncGenerator<NodeColumns> {
  const { budget, scratch, counters, tableStore } = context;
  const names = await openNames(tableStore, graph.runs.names, counters);
  const shift = unitShift(graph.nodes);
  const majors = Math.ceil(graph.nodes / 2 ** shift);
  const shares = split(budget, SHARES);
  const env = { budget: shares.order, scratch, counters };
  const arrays = newArrays();
  const [there, back] = [poolOf(shares.there), poolOf(shares.back)];
  const whole = { from: 0, to: majors };

  // The values are read while nothing else needs much: best edges have half the memory for themselves.
  const half = { ...context, budget: share(budget, 1 / 2) };
  const moves = await distribute(
    edgesBySuccessor(half, graph, table, shift),
    { majors, payload: 1, pool: there },
    env,
  );
  const cursor = gather([{ segments: moves, pool: there }], whole, 1, { ...env, arrays });
  const words = await distribute(
    namesOf(cursor, names.all(), shift),
    { majors, payload: 1, pool: back },
    env,
  );
  await releaseSegments(moves, env);
  try {
    const moved = newWordReader(gather([{ segments: words, pool: back }], whole, 1, { ...env, arrays }));
    try {
      yield* columnsOf(context, graph, table, moved);
    } finally {
      await moved.close();
    }
  } finally {
    await releaseSegments(words, env);
  }
}

/** (successor | node, and in {@link EXCHANGED_BIT} whether colours are exchanged) of the best edges, majors the units of successors. */
async function* edgesBySuccessor(
  context: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
  shift: number,
): RowSource {
  const rows = newRows(ROWS, 1);
  const [froms] = rows.payload as [Uint32Array];
  for await (const { first, length, ranks, best } of bestEdges(context, graph, table)) {
    for (let key = 0; key < length; key++) {
      if (ranks[key] === 0) continue;
      const to = best[key] & NODE_MASK;
      const at = rows.length++;
      rows.major[at] = to >>> shift;
      rows.minor[at] = to;
      froms[at] = (first + key) | (exchangedOfWord(best[key]) << EXCHANGED_BIT);
      if (rows.length < ROWS) continue;
      yield rows;
      rows.length = 0;
    }
  }
  if (rows.length > 0) yield rows;
}

/** For every (node that is led to | node), in order: (node | the bytes of the name and {@link EXCHANGED_BIT}, then its words). */
async function* namesOf(led: Cursor, names: AsyncIterator<string>, shift: number): RowSource {
  const rows: Rows = newRows(ROWS, 1);
  const [payload] = rows.payload as [Uint32Array];
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1 << 10);
  let words = new Uint32Array(bytes.buffer);
  let length = 0;
  let at = -1;
  for await (const batch of led) {
    const froms = batch.payload[0] as Uint32Array;
    for (let i = 0; i < batch.length; i++) {
      for (; at < batch.minor[i]; at++) {
        const next = await names.next();
        if (at + 1 < batch.minor[i]) continue;
        const text = next.value as string;
        if (3 * text.length > bytes.length) {
          bytes = new Uint8Array(4 * text.length);
          words = new Uint32Array(bytes.buffer);
        }
        length = encoder.encodeInto(text, bytes).written;
      }
      const count = Math.ceil(length / 4);
      const from = froms[i] & NODE_MASK;
      const mark = froms[i] & (1 << EXCHANGED_BIT);
      for (let w = -1; w < count; w++) {
        const to = rows.length++;
        rows.major[to] = from >>> shift;
        rows.minor[to] = from;
        payload[to] = w < 0 ? length | mark : words[w];
        if (rows.length < ROWS) continue;
        yield rows;
        rows.length = 0;
      }
    }
  }
  await names.return?.();
  if (rows.length > 0) yield rows;
}

/** Puts the names together again. */
function newWordReader(source: Cursor) {
  const cursor = source[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let words = new Uint32Array(256);
  let minor: Uint32Array = new Uint32Array(0);
  let payload: Uint32Array = new Uint32Array(0);
  let rows = 0;
  let at = 0;
  let ended = false;
  let exchanged = false;

  async function word(node: number): Promise<number | null> {
    if (at === rows && !ended) {
      const next = await cursor.next();
      ended = next.done === true;
      if (!next.done) {
        ({ minor, length: rows } = next.value);
        payload = next.value.payload[0] as Uint32Array;
        at = 0;
      }
    }
    return at < rows && minor[at] === node ? payload[at++] : null;
  }

  return {
    /** Whether the edge to the last name leads there with the colours exchanged. */
    get exchanged(): boolean {
      return exchanged;
    },
    /** The name that was brought to a node, null if none was; nodes ascend. */
    async name(node: number): Promise<string | null> {
      const head = await word(node);
      exchanged = head !== null && exchangedOfWord(head) === 1;
      if (head === null) return null;
      const bytes = head & ~(1 << EXCHANGED_BIT);
      const count = Math.ceil(bytes / 4);
      if (words.length < count) words = new Uint32Array(2 * count);
      if (at + count <= rows) {
        words.set(payload.subarray(at, at + count));
        at += count;
      } else for (let w = 0; w < count; w++) words[w] = (await word(node))!;
      return decoder.decode(new Uint8Array(words.buffer, 0, bytes));
    },
    close: async () => {
      await cursor.return?.();
    },
  };
}

/** The layer of a node. Nodes that ascend take no search. */
function newLayerReader({ layers }: GraphManifest): (node: number) => number | null {
  let layer = -1;
  let begin = 0;
  let end = 0;
  return (node) => {
    if (layers === undefined) return null;
    if (node < begin) [layer, begin, end] = [-1, 0, 0];
    while (node >= end) {
      begin = end;
      end += layers[++layer];
    }
    return layer;
  };
}

async function* columnsOf(
  { tableStore, counters, report }: Context,
  graph: GraphManifest,
  table: Table<SliceIndex>,
  moved: ReturnType<typeof newWordReader> | null,
): AsyncGenerator<NodeColumns> {
  const layerOf = newLayerReader(graph);
  const names = (await openNames(tableStore, graph.runs.names, counters)).batches();
  const { moves: run } = graph.runs;
  const edgeNames =
    run === undefined || moved === null ? none() : (await openNames(tableStore, run, counters)).batches();
  const scanned = scanNodes(tableStore, { graph, table }, counters);
  for await (const { length, rows } of inStep(scanned, names, edgeNames)) {
    const [node, name, edges] = rows;
    assert(node !== null && name !== null, 'every node has a name');
    const nodes = node.batch.cut(node.at, length);
    const moves: (string | null)[] = [];
    const exchanged: boolean[] = [];
    for (let i = 0; moved !== null && i < length; i++) {
      moves.push(await moved.name(nodes.first + i));
      exchanged.push(moved.exchanged);
    }
    yield {
      nodes,
      ...cutNames(name, length),
      moves: moved && moves,
      exchanged,
      moveNames:
        edges &&
        moves.map(
          (move, i) => move && (edgeNamesOf(edges.batch.texts![edges.at + i]).get(move)?.[0] ?? null),
        ),
      layerOf: (i) => layerOf(nodes.first + i),
    };
    report(length);
  }
}

async function* none(): AsyncGenerator<NameBatch> {}

function cutNames({ batch, at }: RowsFrom<NameBatch>, length: number) {
  const { texts, keys } = batch;
  const end = at + length;
  if (keys === null) return { texts: texts.slice(at, end), keys };
  const [high, low] = views([keys.high, keys.low], at, end);
  return { texts, keys: { high, low, upper: views(keys.upper, at, end) } };
}
