/** A thread that expands positions of a keyed game: see expanders.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../operators/core/errors.js';
import { newExpansion } from '../../pipeline/graph/reachable/expansion.js';
import { newKeyCheck } from '../../pipeline/graph/reachable/key-check.js';
import type { PackedNodes } from '../../pipeline/graph/source.js';
import { freeUnused } from '../heap.js';
import { needKeyedGame } from '../user-game.js';
import { readKeys, type SlotNodes, writeNodes } from './expander-slots.js';
import type { ExpandedPiece, ExpanderPiece, ExpanderPlace } from './expanders.js';
import { packError } from './packed-error.js';

const { path, memory, slots } = workerData as ExpanderPlace;
const port = parentPort!;
const game = await needKeyedGame(path);
assert(game !== null, 'what is expanded is a keyed game');
const expansion = newExpansion(game, newKeyCheck(game), memory);

/** A copy that has just as much as it needs, for nodes that have no room in the slot. */
function copied({ length, high, low, status, ends, targets, ...counts }: PackedNodes): PackedNodes {
  const rows = targets.length;
  return {
    ...counts,
    length,
    high: high.slice(0, length),
    low: low.slice(0, length),
    status: status.slice(0, length),
    ends: ends.slice(0, length),
    targets: {
      length: rows,
      major: targets.major.slice(0, rows),
      minor: targets.minor.slice(0, rows),
      payload: targets.payload.map((column) => column.slice(0, rows)),
    },
  };
}

port.on('message', ({ id, slot, major, length }: ExpanderPiece) => {
  try {
    const nodes: (SlotNodes | PackedNodes)[] = [];
    // The nodes that the keys are expanded to go behind the keys.
    let at = 8 * length;
    const keys = readKeys(slots[slot], major, length);
    for (let from = 0; from < length; ) {
      from = expansion.expand(keys, from);
      const written = writeNodes(slots[slot], at, expansion.nodes);
      nodes.push(written?.nodes ?? copied(expansion.nodes));
      at = written?.end ?? at;
      expansion.clear();
    }
    const expanded: ExpandedPiece = { id, slot, nodes };
    port.postMessage(expanded);
    freeUnused(false);
  } catch (error) {
    const failed: ExpandedPiece = { id, error: packError(error) };
    port.postMessage(failed);
  }
});
