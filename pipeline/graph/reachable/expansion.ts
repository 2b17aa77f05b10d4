/** From keys of positions to nodes of the graph, and to rows with the keys that moves lead to. */
import { newRows } from '../../../operators/rows.js';
import type { Batch, Rows } from '../../../operators/runs/types.js';
import type { Side } from '../../game.js';
import type { KeyedRules } from '../../games/keyed/keyed-game.js';
import type { GraphBatch, GraphNode } from '../source.js';
import type { KeyCheck } from './key-check.js';
import { readKey, writeKey } from './spread.js';

/** What a node and an edge take in memory, about: objects, and bigints of 64 bits in arrays. */
const NODE_BYTES = 200;
const EDGE_BYTES = 40;
const FIRST_ROWS = 256;
/**
 * However much memory there is: what is handed out soon is garbage soon, and V8 clears that away while it is young; of larger
 * batches it lets some 70 MiB gather that no budget counts.
 */
const MOST = 1 << 17;

export interface Expansion {
  /** Rows with the successors of what was expanded: repeats are among them. */
  readonly rows: Rows;
  /** There is enough of it; or nothing yet. */
  readonly full: boolean;
  readonly empty: boolean;
  /** Expands rows of a batch from row `from` on, until it is full; returns the first row not done. */
  expand(batch: Batch, from: number): number;
  /** Gives what was expanded away, and empties the rows. */
  take(): GraphBatch;
}

/** `memory`: bytes after which it is full, of nodes and rows together. */
export function newExpansion(game: KeyedRules, check: KeyCheck, memory: number): Expansion {
  let rows = newRows(FIRST_ROWS, 1);
  let nodes: GraphNode[] = [];
  let used = 0;
  const enough = Math.min(memory, MOST);

  /** The position with this key as a node, its successors as rows. @throws UserError that names it. */
  function nodeOf(id: bigint): GraphNode {
    const from = game.at(id);
    const owner = game.mover(from);
    const end = game.ended(from);
    check.expanded();
    if (end !== null) return { id, owner, winner: winnerOf(end, owner), edges: [] };
    const moves = game.moves(from);
    const length = rows.length + moves.length;
    if (length > rows.minor.length) rows = grown(rows, length);
    const rest = rows.payload[0];
    // Mapped, not pushed: arrays that grow have room to spare, and these are held.
    const edges = moves.map(([move, after]) => {
      const key = game.keyOf(after);
      const at = rows.length++;
      writeKey(key, rows, at);
      if (check.wants(rest[at])) check.compare({ from, move }, after, key);
      return key;
    });
    return { id, owner, winner: null, edges };
  }

  return {
    get rows() {
      return rows;
    },
    get full() {
      return used >= enough;
    },
    get empty() {
      return nodes.length === 0;
    },
    expand(batch, from) {
      let at = from;
      while (at < batch.length && used < enough) {
        const node = nodeOf(readKey(batch, at++));
        nodes.push(node);
        used += NODE_BYTES + EDGE_BYTES * node.edges.length;
      }
      return at;
    },
    take() {
      const taken = { nodes, edges: [], compared: check.take() };
      nodes = [];
      rows.length = 0;
      used = 0;
      return taken;
    },
  };
}

function winnerOf(end: 'won' | 'lost' | 'drawn', owner: Side): Side | 'nobody' {
  if (end === 'drawn') return 'nobody';
  return end === 'won' ? owner : ((1 - owner) as Side);
}

function grown(rows: Rows, length: number): Rows {
  const larger = newRows(Math.max(length, 2 * rows.minor.length), 1);
  larger.major.set(rows.major);
  larger.minor.set(rows.minor);
  larger.payload[0].set(rows.payload[0]);
  larger.length = rows.length;
  return larger;
}
