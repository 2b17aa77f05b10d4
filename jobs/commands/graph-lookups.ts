/** Looking up positions of keyed games, and nodes of graphs, for commands. */
import type { AskedGraph, NodeFlags } from './asked-graph.js';

interface GraphLookups {
  /** Prints what a position is worth, and its moves; without a position, of all roots. */
  probeOne(asked: AskedGraph, text: string | undefined, flags: NodeFlags): Promise<void>;
  /** Answers lines with positions. */
  answersOf(asked: AskedGraph, flags: NodeFlags): Promise<(text: string) => Promise<object>>;
  /** Prints the line of best play from a position, or from the first root. */
  printLine(asked: AskedGraph, text: string | undefined, flags: NodeFlags): Promise<void>;
}

export async function lookupsOf({ game }: AskedGraph): Promise<GraphLookups> {
  return game === null ? import('./node-probe.js') : import('./keyed-probe.js');
}
