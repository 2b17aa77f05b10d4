/** Packed nodes as other sources describe nodes: for messages, and for tests. */
import type { Side } from '../game/game.js';
import { newKeyOf } from '../games/yours/keyed/key-words.js';
import {
  isDrawn,
  isLost,
  OTHER_OWNER,
  pliesOf,
  pointsOf,
  SIDE_OF_NODE,
  WEIGHT_SHIFT,
} from './graph-layout.js';
import { unmixedOf } from './ids.js';
import { readKey } from './node-names.js';
import type { GraphNode, PackedNodes } from './source.js';
import { readMixedRow } from './spread.js';

/** The nodes, with their keys as names. They were found by seed 0 (`findPositions`). */
export function unpacked(nodes: PackedNodes): GraphNode[] {
  const { length, upper, status, ends, targets } = nodes;
  const key = newKeyOf(upper.length);
  return Array.from({ length }, (_, i) => {
    const word = status[i] & ((1 << WEIGHT_SHIFT) - 1);
    readKey(nodes, i, key);
    const side = (word & SIDE_OF_NODE) as Side;
    const first = i === 0 ? 0 : ends[i - 1];
    return {
      id: unmixedOf(key, 0),
      owner: (word & OTHER_OWNER) === 0 ? side : ((1 - side) as Side),
      winner: isLost(word) ? ((1 - side) as Side) : isDrawn(word) ? 'nobody' : null,
      ...(pointsOf(word) > 0 && { score: pointsOf(word) }),
      ...(pliesOf(word) > 0 && { plies: pliesOf(word) }),
      edges: Array.from({ length: ends[i] - first }, (_, e) => {
        readMixedRow(targets, first + e, key);
        return unmixedOf(key, 0);
      }),
    };
  });
}
