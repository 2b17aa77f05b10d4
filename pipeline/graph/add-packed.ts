/** Adds the packed nodes of a keyed game to a stride, by loops over columns. */
import { firstAtLeast } from '../../operators/core/search.js';
import type { Rows } from '../../operators/runs/types.js';
import type { Words } from '../games/yours/keyed/key-words.js';
import { SIDE_BIT, SIDE_OF_NODE } from './graph-layout.js';
import { majorOfMixed, restOfMixed } from './ids.js';
import { columnsOfKey } from './node-names.js';
import { putRows, type RowCollector } from './row-collector.js';
import type { PackedNodes, SourceCounts } from './source.js';
import { readHashRow } from './spread.js';
import type { ColumnWriter } from './stride-columns.js';

/** The part of a stride that packed nodes go to. */
export interface PackedRows {
  readonly counts: SourceCounts;
  readonly statuses: ColumnWriter;
  of(kind: 'keys' | 'targets'): RowCollector;
  /** Nodes and edges. */
  count: number;
  /** The number of the next node. */
  next: number;
  /** Nodes of each piece; none if numbers follow each other. */
  readonly pieces: number[];
}

/** There is room for the numbers of the nodes. */
export async function addPacked(rows: PackedRows, names: ColumnWriter, nodes: PackedNodes): Promise<void> {
  const { length, status, targets, compared, boards, exchanging } = nodes;
  const { counts, statuses } = rows;
  await names.append(columnsOfKey(nodes), length);
  await putRows(rows.of('keys'), length, (from, out) => writeKeys(nodes, rows.next, from, out));
  await putRows(rows.of('targets'), targets.length, (from, out) => writeTargets(nodes, rows.next, from, out));
  await statuses.append([status], length);
  rows.next += length;
  rows.count += length + targets.length;
  if (rows.pieces.length > 0) rows.pieces[rows.pieces.length - 1] += length;
  counts.nodes += length;
  counts.edges += targets.length;
  counts.compared = (counts.compared ?? 0) + compared;
  counts.boards = (counts.boards ?? 0) + boards;
  counts.exchanging = (counts.exchanging ?? 0) + exchanging;
}

/** As WriteRows: the keys of nodes, numbered from `first` on, and the side of each beside the rest of its key. */
function writeKeys(
  { length, high, low, status }: PackedNodes,
  first: number,
  from: number,
  out: Rows,
): number {
  const { major, minor, payload } = out;
  const [rest, number] = payload;
  const to = Math.min(length, from + minor.length - out.length);
  let at = out.length;
  for (let i = from; i < to; i++) {
    major[at] = majorOfMixed(high[i]);
    minor[at] = low[i];
    rest[at] = restOfMixed(high[i]) | ((status[i] & SIDE_OF_NODE) << SIDE_BIT);
    number[at++] = first + i;
  }
  out.length = at;
  return to;
}

/** As WriteRows: the keys that edges lead to, and the nodes that they come from. Beside the rest of a key is whether colours are exchanged. */
function writeTargets(
  { length, ends, targets, exchanged }: PackedNodes,
  first: number,
  from: number,
  out: Rows,
): number {
  const { major, minor, payload } = out;
  const [rest, number] = payload;
  const to = Math.min(targets.length, from + minor.length - out.length);
  let at = out.length;
  const words: Words = { high: 0, low: 0 };
  let node = firstAtLeast(ends, from + 1, 0, length);
  for (let edge = from; edge < to; edge++) {
    while (ends[node] <= edge) node++;
    readHashRow(targets, edge, words);
    major[at] = majorOfMixed(words.high);
    minor[at] = words.low;
    rest[at] = restOfMixed(words.high) | (exchanged === null ? 0 : exchanged[edge] << SIDE_BIT);
    number[at++] = first + node;
  }
  out.length = at;
  return to;
}
