/** Nodes of a solved graph, looked up as positions of a keyed game are: edges are moves, called by the nodes that they lead to. */
import { UserError } from '../../operators/core/errors.js';
import type { GraphProber } from './graph-prober.js';
import { idText } from './ids.js';
import type { KeyedProber } from './keyed-prober.js';
import { valueFor } from './keyed-value.js';
import type { NodeId } from './source.js';

export function nodeProber(prober: GraphProber): KeyedProber<NodeId> {
  return {
    metric: prober.metric,
    async probe(id) {
      const found = await prober.node(id);
      if (found === null) throw new UserError(`graph ${prober.graph.name} has no node ${idText(id)}`);
      const mover = found.owner;
      const after = found.isOver ? [] : await prober.edges(found.number);
      const moves = after.map((node) => {
        const value = valueFor(mover, node);
        return {
          ...value,
          name: idText(node.id),
          after: node.id,
          plies: value.plies === null ? null : value.plies + 1,
        };
      });
      return { ...valueFor(mover, found), mover, isOver: moves.length === 0, moves };
    },
  };
}
