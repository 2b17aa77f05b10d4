/**
 * Shared memory that carries a piece of a layer to a thread that expands it, and what it was expanded to back. A message with arrays costs
 * both threads more than the words in them; a slot is written in place, and the message has some numbers.
 *
 * Words: the minors and the payload of the keys. Then of each batch of nodes high, low, ends, and majors, minors and payload of the
 * targets. Then, a byte each, the status.
 */
import type { Batch } from '../../operators/runs/types.js';
import type { PackedNodes } from '../../pipeline/graph/source.js';

/** Nodes in a slot: from a byte of it on. */
export interface SlotNodes extends Pick<PackedNodes, 'length' | 'boards' | 'compared'> {
  readonly at: number;
  readonly rows: number;
}

/** Words of a node and of a target, besides the status. */
const NODE_WORDS = 3;
const TARGET_WORDS = 3;

/** Bytes of a slot: for `piece` keys, and at most `memory` else. */
export function slotBytes(piece: number, memory: number): number {
  return Math.max(8 * piece, 4 * Math.floor(memory / 4));
}

export function writeKeys(slot: SharedArrayBuffer, { length, minor, payload }: Batch): void {
  const words = new Uint32Array(slot, 0, 2 * length);
  words.set(minor.subarray(0, length));
  words.set(payload[0].subarray(0, length), length);
}

/** A view: what is expanded of it may be written over it only when it was read. */
export function readKeys(slot: SharedArrayBuffer, major: number, length: number): Batch {
  const minor = new Uint32Array(slot, 0, length);
  return { major, length, minor, payload: [new Uint32Array(slot, 4 * length, length)] };
}

/** Writes nodes from byte `at` on. @returns null if they have no room; else where they are, and what comes behind them. */
export function writeNodes(
  slot: SharedArrayBuffer,
  at: number,
  nodes: PackedNodes,
): { readonly nodes: SlotNodes; readonly end: number } | null {
  const { length, high, low, ends, status, targets, boards, compared } = nodes;
  const rows = targets.length;
  const words = NODE_WORDS * length + TARGET_WORDS * rows;
  const end = at + 4 * (words + Math.ceil(length / 4));
  if (end > slot.byteLength) return null;
  const into = new Uint32Array(slot, at, words);
  let to = 0;
  for (const column of [high, low, ends]) {
    into.set(column.subarray(0, length), to);
    to += length;
  }
  for (const column of [targets.major, targets.minor, targets.payload[0]]) {
    into.set(column.subarray(0, rows), to);
    to += rows;
  }
  new Uint8Array(slot, at + 4 * words, length).set(status.subarray(0, length));
  return { nodes: { length, rows, at, boards, compared }, end };
}

/** Views of a slot; nodes that had no room there are what they are. */
export function readNodes(slot: SharedArrayBuffer, nodes: SlotNodes | PackedNodes): PackedNodes {
  if (!('at' in nodes)) return nodes;
  const { at, length, rows, boards, compared } = nodes;
  const targets = at + 4 * NODE_WORDS * length;
  const column = (i: number, of: number, count: number) => new Uint32Array(slot, of + 4 * i * count, count);
  return {
    ...{ length, boards, compared },
    high: column(0, at, length),
    low: column(1, at, length),
    ends: column(2, at, length),
    targets: {
      length: rows,
      major: column(0, targets, rows),
      minor: column(1, targets, rows),
      payload: [column(2, targets, rows)],
    },
    status: new Uint8Array(slot, targets + 4 * TARGET_WORDS * rows, length),
  };
}
