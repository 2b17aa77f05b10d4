/**
 * The names of edges, where a graph gives any: a text for each node, in the order of nodes, as the names of nodes are. Edges themselves
 * are sorted, and nothing but probes and rows reads their names; so the names of a node's edges stay together, with where they lead.
 * Nodes without named edges have an empty text. Cost: four bytes a node, and the names with the targets of their edges.
 */
import type { Counters } from '../../operators/core/counters.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunRef } from '../../operators/runs/types.js';
import type { Store } from '../../operators/storage/store.js';
import { idText } from './ids.js';
import { createNameWriter, type NameWriter, openNames } from './node-names.js';
import type { GraphNode } from './source.js';

/** Names of edges by the node that they lead to, as JSON text: several edges can lead to one node. */
export type EdgeNames = ReadonlyMap<string, readonly string[]>;

/** Pairs of a name and the text of a node. */
function textOf({ winner, edges, names }: GraphNode): string {
  if (winner !== null || names === undefined) return '';
  const pairs = names.flatMap((name, i) => (name === null ? [] : [name, idText(edges[i])]));
  return JSON.stringify(pairs);
}

export function edgeNamesOf(text: string): EdgeNames {
  const names = new Map<string, string[]>();
  const pairs: string[] = text === '' ? [] : JSON.parse(text);
  for (let i = 0; i < pairs.length; i += 2) {
    const all = names.get(pairs[i + 1]);
    if (all === undefined) names.set(pairs[i + 1], [pairs[i]]);
    else if (!all.includes(pairs[i])) all.push(pairs[i]);
  }
  return names;
}

/** Writes the names of a stride's edges, from the first node that has any on: most graphs have none, and no run of them. */
export class EdgeNameWriter {
  private run: NameWriter | undefined;

  /** @param first the number of the first node. */
  constructor(
    private readonly place: { readonly store: Store; readonly name: string; readonly first: number },
    private readonly counters: Counters,
  ) {}

  async put(node: GraphNode, number: number): Promise<void> {
    if (this.run === undefined) {
      const { store, name, first } = this.place;
      this.run = await createNameWriter(store, name, first, this.counters);
      for (let before = first; before < number; before++) await this.run.append('');
    }
    await this.run.append(textOf(node));
  }

  /** Whether nodes have to be put. */
  isNeeded({ names }: GraphNode): boolean {
    return this.run !== undefined || names !== undefined;
  }

  async close(): Promise<RunRef | undefined> {
    return this.run?.close();
  }

  async abort(): Promise<void> {
    await this.run?.abort();
  }
}

/** The nodes of a stride, and the names of their edges if there are any. */
export interface StrideEdgeNames {
  readonly nodes: number;
  readonly run: RunRef | null;
}

/** One run of the names of all strides; null if no edge has a name. */
export async function joinEdgeNames(
  store: Store,
  strides: readonly StrideEdgeNames[],
  name: string,
  counters: Counters,
): Promise<RunRef | null> {
  if (strides.every(({ run }) => run === null)) return null;
  const writer = await createNameWriter(store, name, 0, counters);
  return orAbort(writer, async () => {
    for (const { nodes, run } of strides) {
      if (run === null) for (let node = 0; node < nodes; node++) await writer.append('');
      else for await (const text of (await openNames(store, run, counters)).all()) await writer.append(text);
    }
    return writer.close();
  });
}
