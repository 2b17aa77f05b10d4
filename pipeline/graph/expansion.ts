/**
 * From keys of positions to nodes of the graph, and to rows with the keys that moves lead to. All of it is words in
 * arrays that are used again and again. Nothing but what the game makes of a position becomes garbage, at once.
 */
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, Rows } from '../../operators/runs/types.js';
import type { Side } from '../game/game.js';
import type { Examiner } from '../games/yours/examiner/examiner.js';
import { changed, ledBy, wayTo } from '../games/yours/examiner/faults.js';
import {
  bigOf,
  isSameKey,
  KeyList,
  type KeyWords,
  newKey,
  upperWords,
} from '../games/yours/keyed/key-words.js';
import { pliesOfEnd } from '../games/yours/keyed/keyed-game.js';
import type { End, KeyedRules, ListedMoves } from '../games/yours/keyed/keyed-rules.js';
import { lostBy, lostIn, MOST_WEIGHT, NodeStatus, OTHER_OWNER, WEIGHT_SHIFT } from './graph-layout.js';
import { mixKey, unmixKey } from './ids.js';
import type { PackedNodes } from './source.js';
import { keyColumns, keyRowBytes, readMixed, writeMixed } from './spread.js';

/** The memory of a node beside its key, and of an edge; of a game with symmetries an edge takes one more. */
const NODE_BYTES = 8;
const MAJOR_BYTES = 4;
const MOST_NODES = 1 << 13;
const FIRST_EDGES = 256;

export interface Expansion {
  /** The nodes that were expanded since the last `clear`. Valid until the next one. */
  readonly nodes: PackedNodes;
  /** There is enough of it; or nothing yet. */
  readonly full: boolean;
  readonly empty: boolean;
  /** Expands rows of a batch from row `from` on, until it is full; returns the first row not done. */
  expand(batch: Batch, from: number): number;
  clear(): void;
}

/** `seed`: by which keys are mixed (ids.ts). `memory`: bytes after which it is full, of nodes and edges together. */
export function newExpansion(game: KeyedRules, seed: number, examiner: Examiner, memory: number): Expansion {
  const width = upperWords(game.keyBits);
  const keyBytes = keyRowBytes(width);
  const capacity = Math.max(1, Math.min(MOST_NODES, Math.floor(memory / 4 / (NODE_BYTES + keyBytes))));
  const edgeBytes = MAJOR_BYTES + keyBytes + (game.symmetries === null ? 0 : 1);
  const enough = Math.max(1, Math.floor(memory / 2 / edgeBytes));
  const nodes = {
    length: 0,
    high: new Uint32Array(capacity),
    low: new Uint32Array(capacity),
    upper: Array.from({ length: width }, () => new Uint32Array(capacity)),
    status: new Uint32Array(capacity),
    ends: new Uint32Array(capacity),
    targets: newRows(FIRST_EDGES, keyColumns(width).length),
    exchanged: game.symmetries === null ? null : new Uint8Array(FIRST_EDGES),
    boards: 0,
    exchanging: 0,
    compared: 0,
  };
  const [key, again] = [newKey(game.keyBits), newKey(game.keyBits)];
  const listed: ListedMoves = { moves: [], keys: new KeyList(game.keyBits), exchanged: [] };

  /** The position of a row as a node, its successors as rows. @throws UserError that names it. */
  function add(batch: Batch, row: number): void {
    readMixed(batch, row, key);
    const node = nodes.length++;
    nodes.high[node] = key.high;
    nodes.low[node] = key.low;
    for (let c = 0; c < width; c++) nodes.upper[c][node] = key.upper[c];
    unmixKey(key, seed);
    const { from, count } = read(node);
    examiner.expanded(count);
    const length = nodes.targets.length + count;
    if (length > nodes.targets.minor.length) grow(length);
    addMoves(from, count, nodes.targets);
    nodes.ends[node] = nodes.targets.length;
  }

  /** The position with the key as a node. Returns it, and how many moves it has, which are listed. */
  function read(node: number): { from: unknown; count: number } {
    try {
      const from = game.madeOf(key);
      const owner = game.mover(from);
      const { size, exchanges } = game.orbit(from, key, owner);
      if (size > MOST_WEIGHT)
        throw game.wrong(from, `symmetries gives ${size} positions: there can be at most ${MOST_WEIGHT}`);
      nodes.boards += size;
      if (exchanges) nodes.exchanging++;
      const end = game.ended(from);
      const count = end === null ? game.listMoves(from, listed) : 0;
      requireKey(from, key);
      nodes.status[node] =
        (game.score !== null && count === 0 ? scoredStatus(game.score(from), owner) : statusOf(end, owner)) |
        (game.symmetries === null ? 0 : size << WEIGHT_SHIFT);
      return { from, count };
    } catch (error) {
      throw ledBy(game, misreadOr(error), () => wayTo(game, bigOf(key)));
    }
  }

  function grow(length: number): void {
    nodes.targets = grown(nodes.targets, length);
    if (nodes.exchanged === null) return;
    const larger = new Uint8Array(nodes.targets.minor.length);
    larger.set(nodes.exchanged);
    nodes.exchanged = larger;
  }

  /**
   * After its moves were listed, the position must have the key that it was read by. One with another key was read wrongly; one that its own
   * game changes would have given moves that are not its own.
   */
  function requireKey(from: unknown, key: Readonly<KeyWords>): void {
    game.ownInto(from, again);
    if (isSameKey(again, key)) return;
    throw game.wrong(game.atWords(key), changed(game, bigOf(key), bigOf(again)));
  }

  /** What a position that was read wrongly makes of its game is no error of its own: that it was is said first. */
  function misreadOr(error: unknown): unknown {
    try {
      game.atWords(key);
      return error;
    } catch (misread) {
      return misread;
    }
  }

  /** The first of the listed moves as rows. @throws UserError that names the position. */
  function addMoves(from: unknown, count: number, targets: Rows): void {
    for (let i = 0; i < count; i++) {
      const at = targets.length++;
      listed.keys.get(i, key);
      mixKey(key, seed);
      writeMixed(key, targets, at);
      if (nodes.exchanged !== null) nodes.exchanged[at] = Number(listed.exchanged[i]);
      if (examiner.wants(targets.payload[0][at]))
        examiner.compare({ from, move: listed.moves[i][0] }, listed.moves[i][1]);
    }
  }

  return {
    get nodes() {
      return { ...nodes, compared: examiner.take() };
    },
    get full() {
      return nodes.length === capacity || nodes.targets.length >= enough;
    },
    get empty() {
      return nodes.length === 0;
    },
    expand(batch, from) {
      let at = from;
      while (at < batch.length && nodes.length < capacity && nodes.targets.length < enough) add(batch, at++);
      return at;
    },
    clear() {
      nodes.length = nodes.targets.length = nodes.boards = nodes.exchanging = 0;
    },
  };
}

/** In the words of graph-layout.ts: where the play is over, the side is of who has lost. */
function statusOf(end: End | null, owner: Side): number {
  if (end === null) return owner | NodeStatus.open;
  if (end === 'drawn') return owner | NodeStatus.drawn;
  const [result, plies] = typeof end === 'string' ? ([end, 0] as const) : pliesOfEnd(end)!;
  return endStatus(result === 'lost' ? owner : ((1 - owner) as Side), lostIn(plies), owner);
}

/** `score`: by how much side 0 has won. */
function scoredStatus(score: number, owner: Side): number {
  if (score === 0) return endStatus(0, NodeStatus.drawn, owner);
  return endStatus(score > 0 ? 1 : 0, lostBy(Math.abs(score)), owner);
}

function endStatus(side: Side, status: number, owner: Side): number {
  return side | status | (side === owner ? 0 : OTHER_OWNER);
}

function grown(rows: Rows, length: number): Rows {
  const larger = newRows(Math.max(length, 2 * rows.minor.length), rows.payload.length);
  larger.major.set(rows.major);
  larger.minor.set(rows.minor);
  for (const [c, column] of rows.payload.entries()) larger.payload[c].set(column);
  larger.length = rows.length;
  return larger;
}
