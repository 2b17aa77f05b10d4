/** Words for graphs, and for keyed games, which lie in stores as graphs. */
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import type { NodeId } from '../../pipeline/graph/source.js';

export interface GraphWords {
  /** Its name, after what it is. */
  readonly title: string;
  readonly node: string;
  readonly edge: string;
  /** An edge, as one of several that a win takes. */
  readonly ply: string;
  readonly plies: string;
  /** Behind the name of a player: this player chooses. */
  readonly chooses: string;
  readonly over: string;
}

export const WORDS = {
  graphs: {
    node: 'node',
    edge: 'edge',
    ply: 'edge',
    plies: 'edges',
    chooses: 'chooses',
    over: 'the play is over',
  },
  games: {
    node: 'position',
    edge: 'move',
    ply: 'ply',
    plies: 'plies',
    chooses: 'to move',
    over: 'the game is over',
  },
} as const;

export function wordsOf({ name, movesCompared }: Pick<GraphManifest, 'name' | 'movesCompared'>): GraphWords {
  // Keys are compared in keyed games alone.
  return movesCompared === undefined
    ? { title: `graph ${name}`, ...WORDS.graphs }
    : { title: name, ...WORDS.games };
}

/** Integers of 64 bits as text: JSON's numbers are not exact there. */
export function nodeIdJson(id: NodeId): string | number {
  return typeof id === 'bigint' ? String(id) : id;
}
