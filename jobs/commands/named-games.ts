/** Games that a command over a whole store is to look at, besides those that are built in. */
import type { StoredGames } from '../../pipeline/tables/records/slices.js';
import { findGame, storedGames } from '../registry.js';
import { type AskedGraph, findGraph } from '../solved/asked-graph.js';

interface NamedGames {
  /** All games whose objects the store may have. */
  readonly games: StoredGames;
  /** The keyed games and graphs that were named: their objects are those of graphs, and known without them. */
  readonly graphs: readonly AskedGraph[];
}

/** @param named modules of games of all kinds, and files of graphs. Throws UserError for anything else. */
export async function namedGames(named: readonly string[], store: string): Promise<NamedGames> {
  const graphs: AskedGraph[] = [];
  for (const asked of named) {
    const graph = await findGraph(asked, store);
    if (graph === null) await findGame(asked);
    else graphs.push(graph);
  }
  return { games: await storedGames(), graphs };
}
