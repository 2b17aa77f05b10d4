/**
 * The edges of a graph as rounds ask for them. They differ from those of a game in two ways. The owner of both ends may be the
 * same: who wins then stays, and so does the side. And a node may have more edges than its label counts (hubs.ts).
 */
import type { ExpandKernel } from '../../operators/expand.js';
import type { Batch, Rows } from '../../operators/runs/types.js';
import type { SliceIndex } from '../contract/game.js';
import { unmoveFlow } from '../formats/events.js';
import { firstMajor } from '../formats/majors.js';
import type { Context } from '../phases/context.js';
import { openEdges } from '../phases/edge-run.js';
import type { RoundMoves } from '../phases/round-moves.js';
import type { RoundsState } from '../phases/round-partition.js';
import { NODE_MASK, SAME_BIT } from './graph-layout.js';
import { openHubs } from './hubs.js';
import type { GraphManifest } from './manifest.js';

export async function openGraphEdges(
  context: Context,
  graph: GraphManifest,
  state: RoundsState,
): Promise<RoundMoves> {
  const edges = await openEdges(context, state.edges, kernel);
  return graph.hubs === 0 ? edges : { ...edges, excess: await openHubs(context, graph, state.labels) };
}

function kernel(slice: SliceIndex, flowNumber: number): ExpandKernel {
  const { width } = slice;
  const biases = [unmoveFlow(flowNumber), flowNumber].map((each) => firstMajor(slice, each));
  return (edges: Batch, from: number, out: Rows): number => {
    const words = edges.payload[0] as Uint32Array;
    const to = Math.min(edges.length, from + out.minor.length - out.length);
    let n = out.length;
    for (let i = from; i < to; i++) {
      const word = words[i];
      const node = word & NODE_MASK;
      const part = Math.floor(node / width);
      out.major[n] = biases[word >>> SAME_BIT] + part;
      out.minor[n++] = node - part * width;
    }
    out.length = n;
    return to;
  };
}
