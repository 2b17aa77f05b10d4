/** The line of best play from a node of a graph: each player takes the first of the best edges. */
import { UserError } from '../../operators/core/errors.js';
import type { GraphProber, ProbedNode } from './graph-prober.js';
import { idText } from './ids.js';
import type { NodeId } from './source.js';

/** The nodes of a line. It begins with the node that was asked about, which is alone if nobody wins from there. */
export type GraphLine = readonly [ProbedNode, ...ProbedNode[]];

/**
 * The line ends because each edge of a win leads one nearer.
 *
 * @throws UserError under `wdl`, which holds no distances, and if there is no such node.
 */
export async function graphLine(prober: GraphProber, id: NodeId): Promise<GraphLine> {
  if (prober.metric === 'wdl')
    throw new UserError('metric wdl holds no distances, so it has no main line: use --metric dtw');
  const start = await prober.node(id);
  if (start === null) throw new UserError(`graph ${prober.graph.name} has no node ${idText(id)}`);
  const line: [ProbedNode, ...ProbedNode[]] = [start];
  for (let here = start; here.winner !== null && here.owner !== null; ) {
    const [best] = await prober.edges(here.number);
    if (best === undefined) break;
    line.push(best);
    here = best;
  }
  return line;
}
