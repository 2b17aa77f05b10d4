/**
 * The edges of a graph as rounds ask for them. They differ from those of a game: the owner of both ends may be the
 * same. The winner then stays, and so does the side.
 */
import type { Batch, Rows } from '../../operators/runs/types.js';
import type { Context } from '../engine/context.js';
import { openEdges, type RequestKernel } from '../engine/edges.js';
import { keysAsRows } from '../engine/keys-as-rows.js';
import type { RoundMoves, RoundsState } from '../engine/rounds.js';
import { unmoveFlow } from '../game/events.js';
import { firstMajor } from '../game/majors.js';
import { KEY_MASK, NODE_MASK, PART_SHIFT, SAME_BIT } from './graph-layout.js';
import { countBytesOf, type GraphManifest } from './manifest.js';
import { type PartOrder, partOrderOf } from './part-order.js';

export async function openGraphEdges(
  context: Context,
  graph: GraphManifest,
  state: RoundsState,
): Promise<RoundMoves> {
  const requests = await openEdges(context, state.edges, kernelOf(partOrderOf(graph)));
  const rows = keysAsRows(context.slice, countBytesOf(graph));
  return { rows, labels: rows.open(0), requests };
}

function kernelOf({ slicePart }: PartOrder): RequestKernel {
  return (slice, flowNumber) => {
    const biases = [unmoveFlow(flowNumber), flowNumber].map((each) => firstMajor(slice, each));
    return (edges, from, out) => putRequests(edges, from, out, biases, slicePart);
  };
}

function putRequests(
  edges: Batch,
  from: number,
  out: Rows,
  biases: readonly number[],
  slicePart: Uint32Array,
): number {
  const words = edges.payload[0] as Uint32Array;
  const to = Math.min(edges.length, from + out.minor.length - out.length);
  let n = out.length;
  for (let i = from; i < to; i++) {
    const word = words[i];
    const node = word & NODE_MASK;
    out.major[n] = biases[word >>> SAME_BIT] + slicePart[node >>> PART_SHIFT];
    out.minor[n++] = node & KEY_MASK;
  }
  out.length = n;
  return to;
}
