/** From keys of positions to nodes of the graph, and to rows with the keys that moves lead to. */
import { newRows } from '../../../operators/rows.js';
import type { Batch, Rows } from '../../../operators/runs/types.js';
import type { Side } from '../../game.js';
import type { KeyedRules } from '../../games/keyed/keyed-game.js';
import type { GraphBatch, GraphNode } from '../source.js';
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
export function newExpansion(game: KeyedRules, memory: number): Expansion {
  let rows = newRows(FIRST_ROWS, 1);
  let nodes: GraphNode[] = [];
  let used = 0;
  const enough = Math.min(memory, MOST);

  function append(keys: readonly bigint[]): void {
    const length = rows.length + keys.length;
    if (length > rows.minor.length) rows = grown(rows, length);
    for (let i = 0; i < keys.length; i++) writeKey(keys[i], rows, rows.length + i);
    rows.length = length;
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
        const node = nodeOf(game, readKey(batch, at++));
        nodes.push(node);
        append(node.edges as bigint[]);
        used += NODE_BYTES + EDGE_BYTES * node.edges.length;
      }
      return at;
    },
    take() {
      const taken = { nodes, edges: [] };
      nodes = [];
      rows.length = 0;
      used = 0;
      return taken;
    },
  };
}

/** The position with this key as a node. @throws UserError that names it. */
function nodeOf(game: KeyedRules, id: bigint): GraphNode {
  const position = game.at(id);
  const owner = game.mover(position);
  const end = game.ended(position);
  if (end !== null) return { id, owner, winner: winnerOf(end, owner), edges: [] };
  return { id, owner, winner: null, edges: game.moves(position).map(([, after]) => game.keyOf(after)) };
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
