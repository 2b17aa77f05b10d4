/** A thread that expands positions of a keyed game: see expanders.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../operators/core/errors.js';
import { newExpansion } from '../../pipeline/graph/reachable/expansion.js';
import { newKeyCheck } from '../../pipeline/graph/reachable/key-check.js';
import type { PackedNodes } from '../../pipeline/graph/source.js';
import { freeUnused } from '../heap.js';
import { needKeyedGame } from '../user-game.js';
import type { ExpandedPiece, ExpanderPiece, ExpanderPlace } from './expanders.js';
import { packError } from './packed-error.js';

const { path, memory } = workerData as ExpanderPlace;
const port = parentPort!;
const game = await needKeyedGame(path);
assert(game !== null, 'what is expanded is a keyed game');
const expansion = newExpansion(game, newKeyCheck(game), memory);

/** A copy that has just as much as it needs, to be given away. */
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

function buffersOf({ high, low, status, ends, targets }: PackedNodes): ArrayBuffer[] {
  const arrays = [high, low, status, ends, targets.major, targets.minor, ...targets.payload];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}

port.on('message', ({ id, keys }: ExpanderPiece) => {
  const nodes: PackedNodes[] = [];
  try {
    for (let from = 0; from < keys.length; ) {
      from = expansion.expand(keys, from);
      nodes.push(copied(expansion.nodes));
      expansion.clear();
    }
    const expanded: ExpandedPiece = { id, nodes };
    port.postMessage(expanded, nodes.flatMap(buffersOf));
    freeUnused(false);
  } catch (error) {
    const failed: ExpandedPiece = { id, error: packError(error) };
    port.postMessage(failed);
  }
});
