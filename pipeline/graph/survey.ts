/** The graphs and keyed games of a store. How far an import has come, its process reports as that of a slice (tables/records). */
import { z } from 'zod';
import type { Store } from '../../operators/storage/store.js';
import { GRAPH } from './graph-game.js';
import { importsAmong } from './imports.js';
import { GraphManifest, readGraphManifest } from './manifest.js';

export const GraphSurvey = z.object({
  graph: z.string(),
  /** The result of its import; null before its end. */
  imported: GraphManifest.pick({ source: true, players: true, nodes: true, edges: true }).nullable(),
});
export type GraphSurvey = z.infer<typeof GraphSurvey>;

/** By name. @throws StorageError, DamageError for a graph whose manifest is damaged. */
export async function surveyGraphs(store: Store, listing: readonly string[]): Promise<GraphSurvey[]> {
  const found: GraphSurvey[] = [];
  const all = importsAmong(listing.filter((name) => name.startsWith(`${GRAPH}/`)));
  for (const { graph, complete } of all.toSorted((a, b) => (a.graph < b.graph ? -1 : 1))) {
    const manifest = complete ? await readGraphManifest(store, graph) : null;
    if (manifest === null) found.push({ graph, imported: null });
    else {
      const { source, players, nodes, edges } = manifest;
      found.push({ graph, imported: { source, players, nodes, edges } });
    }
  }
  return found;
}
