/**
 * Verifies the stored moves of a keyed game: calls the game's functions for every position and every move once more, and compares their results
 * with what is stored. Verification of values (verify-graph.ts) takes the stored moves as they are.
 *
 * All positions are found again from the roots, as a solve does, into a store of its own. The order of positions depends on the rules
 * alone, not on memory or threads. So the two graphs are read side by side, from their beginnings to their ends. Memory and cost are those
 * of the import, without the rounds; the second graph takes as much space as the first, until it is compared.
 */
import type { Budget } from '../../operators/core/budget.js';
import { newCounters } from '../../operators/core/counters.js';
import { inStep, type RowsFrom } from '../../operators/in-step.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { ProgressListener } from '../game/progress.js';
import { bigOf, KEY_BITS, upperWords, type Words } from '../games/yours/keyed/key-words.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { isDrawn, isLost } from './graph-layout.js';
import { keyWordsOf } from './ids.js';
import { importGraph } from './import.js';
import { openGraphRuns } from './joined-runs.js';
import { type GraphManifest, needGraph } from './manifest.js';
import { openNames } from './node-names.js';
import { reachableGraph } from './reachable.js';

export interface VerifyRulesOptions {
  readonly game: KeyedRules;
  /** Of the solved game in the store. */
  readonly name: string;
  readonly store: Store;
  /** An empty store, for the positions that are found again. */
  readonly again: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  readonly progress: ProgressListener;
}

/** What the rules give, and the first difference from what is stored. */
export interface VerifiedRules {
  readonly positions: number;
  readonly moves: number;
  /** One line that names a position; null if all is the same. */
  readonly difference: string | null;
}

/** @throws UserError if the game is not solved, or its functions are at fault; StorageError, DamageError. */
export async function verifyRules(options: VerifyRulesOptions): Promise<VerifiedRules> {
  const { game, name, store, again, scratch, budget, progress } = options;
  const stored = await needGraph(store, name);
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  const found = await importGraph({
    source: reachableGraph(game, { budget, scratch, counters: newCounters() }),
    name,
    fingerprint: name,
    store: again,
    scratch,
    budget,
    report: (done) => progress({ type: 'work', slice: name, done }),
    phase: (phase, total) => progress({ type: 'phase', slice: name, phase, total }),
    found: ({ moves, positions }) =>
      progress({ type: 'phase', slice: name, phase: `rules of layer ${moves}`, total: positions }),
  });
  progress({ type: 'phase', slice: name, phase: 'compare', total: stored.nodes });
  const difference = await differenceOf(game, { graph: stored, store }, { graph: found, store: again });
  progress({ type: 'finished', slice: name });
  return { positions: found.nodes, moves: found.edgesRead, difference };
}

interface Held {
  readonly graph: GraphManifest;
  readonly store: Store;
}

async function differenceOf(game: KeyedRules, stored: Held, found: Held): Promise<string | null> {
  const shown = (key: bigint) => `${game.name}: ${game.format(game.at(key))}`;
  // By another seed positions are in another order. Both graphs take the first by which no two of their positions meet.
  if (stored.graph.seed !== found.graph.seed)
    return `${game.name}: the rules lead to other positions than those that are stored`;
  const other = await differentName(stored, found);
  if (other !== null) {
    const where = other.layer === null ? '' : `, after ${other.layer} moves`;
    return other.isStored
      ? `${game.name}: position ${other.key} is stored${where}, and the rules do not lead there`
      : `${shown(other.key)}: the rules lead there${where}, and it is not stored`;
  }
  const nameOf = async (node: number) =>
    BigInt(await (await openNames(found.store, found.graph.runs.names, newCounters())).of(node));
  const facts = stored.graph;
  const status = await firstDifference(await nodesOf(stored, facts), await nodesOf(found, facts));
  const edge = await firstDifference(await successorsOf(stored), await successorsOf(found));
  const node = edge === null ? null : Math.min(...[edge.left, edge.right].flatMap((row) => row?.[0] ?? []));
  const { left, right } = status ?? {};
  const isWeight = left?.[0] === right?.[0] && left?.[1] === right?.[1];
  // With other moves a node has another number of them, too, which stands beside its status.
  const isMoves = !isWeight && left?.[0] === right?.[0] && !isOver(left?.[0] ?? 0);
  if (status !== null && (node === null || status.row <= node) && !isMoves)
    return `${shown(await nameOf(status.row))}: ${isWeight ? 'symmetries gives another number of positions' : 'mover, ended or score gives something else'} than what is stored`;
  if (node === null) return null;
  return `${shown(await nameOf(node))}: moves leads to other positions than those that are stored`;
}

/** The first position that only one of the two graphs has: in each layer they are in the order of their mixed keys. */
async function differentName(stored: Held, found: Held) {
  const width = Math.max(...[stored, found].map(({ graph }) => upperWords(graph.keyBits ?? KEY_BITS)));
  const difference = await firstDifference(await keysOf(stored, width), await keysOf(found, width));
  if (difference === null) return null;
  const { row: node, left, right } = difference;
  const placed = (words: readonly number[] | null, { graph }: Held): Placed | null => {
    if (words === null) return null;
    const [high, low, ...upper] = words;
    return [layerOf(graph, node), bigOf({ high, low, upper })];
  };
  const [a, b] = [placed(left, stored), placed(right, found)];
  const isStored = b === null || (a !== null && isBefore(a, b, stored.graph.seed));
  const [layer, key] = (isStored ? a : b)!;
  return { isStored, key, layer };
}

/** Null where there are too many layers to be kept. */
function layerOf({ layers }: GraphManifest, node: number): number | null {
  if (layers === undefined) return null;
  let end = 0;
  return layers.findIndex((positions) => node < (end += positions));
}

type Placed = readonly [layer: number | null, key: bigint];

function isBefore([layer, key]: Placed, [otherLayer, otherKey]: Placed, seed: number): boolean {
  if (layer !== otherLayer && layer !== null && otherLayer !== null) return layer < otherLayer;
  const [a, b] = [key, otherKey].map((each) => {
    const words: Words = { high: 0, low: 0 };
    keyWordsOf(each, seed, words);
    return words;
  });
  return a.high === b.high ? a.low >>> 0 < b.low >>> 0 : a.high >>> 0 < b.high >>> 0;
}

type Column = ArrayLike<number>;

/** Rows as columns. */
interface ColumnBatch {
  readonly length: number;
  readonly columns: readonly Column[];
}
type Columns = AsyncIterable<ColumnBatch>;

/** Statuses, counts and weights, as far as earlier versions stored them: without movers the counts of positions where the play is over are 0. */
async function nodesOf(
  { graph, store }: Held,
  { movers, weights }: Pick<GraphManifest, 'movers' | 'weights'>,
): Promise<Columns> {
  const rows = (await openGraphRuns(store, graph, 'nodes')).denseCursor() as Columns;
  return (async function* () {
    for await (const { length, columns } of rows) {
      const [status, counts] = columns;
      const told = movers ? counts : Array.from(counts, (count, i) => (isOver(status[i]) ? 0 : count));
      yield { length, columns: [status, told, ...(weights ? [columns[2]] : [])] };
    }
  })();
}

const isOver = (status: number) => isLost(status) || isDrawn(status);

async function successorsOf({ graph, store }: Held): Promise<Columns> {
  const rows = (await openGraphRuns(store, graph, 'successors')).cursor();
  return (async function* () {
    for await (const { length, minor, payload } of rows)
      yield { length, columns: [minor, payload[0] as Uint32Array] };
  })();
}

/** The keys of all positions, with so many upper words. */
async function keysOf({ graph, store }: Held, width: number): Promise<Columns> {
  const names = (await openNames(store, graph.runs.names, newCounters())).batches();
  return (async function* () {
    for await (const { length, keys } of names) {
      const { high, low, upper } = keys!;
      const upperColumns = Array.from({ length: width }, (_, c) => upper[c] ?? new Uint32Array(length));
      yield { length, columns: [high, low, ...upperColumns] };
    }
  })();
}

/** The first row that differs, with its values in both; null of the one that has ended. Null if there is none. */
async function firstDifference(left: Columns, right: Columns) {
  let row = 0;
  for await (const { length, rows } of inStep(left, right)) {
    const [a, b] = rows;
    const same = a === null || b === null ? 0 : equalRows(a, b, length);
    if (same < length) return { row: row + same, left: rowOf(a, same), right: rowOf(b, same) };
    row += length;
  }
  return null;
}

/** The row so many behind the first. */
function rowOf(rows: RowsFrom<ColumnBatch> | null, behind: number): number[] | null {
  return rows?.batch.columns.map((column) => column[rows.at + behind]) ?? null;
}

/** How many of the next rows are equal. */
function equalRows(a: RowsFrom<ColumnBatch>, b: RowsFrom<ColumnBatch>, most: number): number {
  let same = most;
  for (const [c, column] of a.batch.columns.entries())
    same = equalValues(column, a.at, b.batch.columns[c], b.at, same);
  return same;
}

function equalValues(a: Column, atA: number, b: Column, atB: number, most: number): number {
  for (let i = 0; i < most; i++) if (a[atA + i] !== b[atB + i]) return i;
  return most;
}
