/** Nodes of a solved graph, looked up as positions of a keyed game are: edges are moves, called by their names or the nodes that they lead to. */
import { UserError } from '../../operators/core/errors.js';
import type { GraphProber, ProbedNode } from './graph-prober.js';
import { idText } from './ids.js';
import type { StoredKeyedProber } from './keyed-prober.js';
import { valueFor } from './keyed-value.js';
import type { NodeId } from './source.js';

/** @param write how a node is called at an edge without a name. */
export function nodeProber(
  prober: GraphProber,
  write: (id: NodeId) => string = idText,
): StoredKeyedProber<NodeId> {
  async function nodeOf(id: NodeId): Promise<ProbedNode> {
    const found = await prober.node(id);
    if (found === null) throw new UserError(`graph ${prober.graph.name} has no node ${idText(id)}`);
    return found;
  }

  return {
    metric: prober.metric,
    async value(id) {
      const found = await nodeOf(id);
      return { ...valueFor(found.owner, found), mover: found.owner, isOver: found.isOver };
    },
    async probe(id) {
      const found = await nodeOf(id);
      const mover = found.owner;
      const after = found.isOver ? [] : await prober.edges(found.number);
      const names = await prober.edgeNames?.(found.number);
      const moves = after.flatMap((node) => {
        const value = valueFor(mover, node);
        const plies = value.plies === null ? null : value.plies + 1;
        const called = names?.get(idText(node.id)) ?? [write(node.id)];
        return called.map((name) => ({ ...value, name, after: node.id, plies }));
      });
      return { ...valueFor(mover, found), mover, isOver: moves.length === 0, moves };
    },
  };
}
