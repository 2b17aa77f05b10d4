/** A published graph as the page shows games: positions are nodes, and moves are called by the nodes that they lead to. */
import type { NodeId } from '../../../pipeline/graph/source.js';
import type { PublishedGraph } from '../../../pipeline/tables/publish/graph/published-graph.js';
import { readNodeId, writeNodeId } from '../../graph/node-id.js';
import type { ShownGame } from './shown-game.js';

/** It begins with the first node: published files do not have the roots of a graph. */
export function gameOfGraph({ graph, header }: PublishedGraph): ShownGame {
  const format = (node: unknown) => writeNodeId(node as NodeId);
  return {
    name: graph.name,
    colours: graph.players,
    starts: () => [header.first],
    format,
    parse: readNodeId,
    diagram: format,
    board: null,
  };
}
