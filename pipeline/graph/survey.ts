/** How far the imports of a store's graphs have come; what follows an import is surveyed as that of any slice. */
import { DamageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { ProgressRecord, runsAmong, type SliceProgress } from '../tables/records/record-shapes.js';
import type { ManifestReader } from '../tables/records/slices.js';
import { GRAPH } from './graph-game.js';
import { importsAmong } from './imports.js';
import { type GraphManifest, readGraphManifest } from './manifest.js';

export interface GraphSurvey {
  readonly graph: string;
  /** The result of its import; null while the import is under way. */
  readonly imported: Pick<GraphManifest, 'source' | 'players' | 'nodes' | 'edges'> | null;
  /** The last known progress of its import; null once it is done, or if nothing was reported. */
  readonly importing: {
    readonly phase: string;
    readonly done: number;
    readonly total: number | null;
    /** How long ago that was, in ms. */
    readonly quietMs: number;
  } | null;
}

/** At most so many runs are looked at, the latest. */
const RUNS = 8;

/** By name. @param now ms since 1970. @throws StorageError, DamageError for a graph whose manifest is damaged. */
export async function surveyGraphs(
  { store, reader }: { readonly store: Store; readonly reader: ManifestReader },
  now: number,
): Promise<GraphSurvey[]> {
  const listing = await store.list(`${GRAPH}/`);
  const reports = await lastReports(reader, listing);
  const complete = new Map(importsAmong(listing).map((objects) => [objects.graph, objects.complete]));
  const found: GraphSurvey[] = [];
  for (const graph of [...new Set([...complete.keys(), ...reports.keys()])].sort()) {
    const imported = complete.get(graph) === true ? await readGraphManifest(store, graph) : null;
    if (imported !== null) {
      const { source, players, nodes, edges } = imported;
      found.push({ graph, imported: { source, players, nodes, edges }, importing: null });
      continue;
    }
    const said = reports.get(graph);
    const importing = said === undefined ? null : { ...said.phase, quietMs: Math.max(0, now - said.at) };
    found.push({ graph, imported: null, importing });
  }
  return found;
}

/** The last word of processes about each graph that they were at. */
async function lastReports(
  reader: ManifestReader,
  listing: readonly string[],
): Promise<Map<string, { phase: Pick<SliceProgress['phase'], 'phase' | 'done' | 'total'>; at: number }>> {
  const reports = new Map();
  const runs = runsAmong(listing).filter(({ game, progress }) => game === GRAPH && progress !== null);
  for (const { progress } of runs.slice(-RUNS)) {
    try {
      const [last] = await reader.read([progress!], ProgressRecord);
      for (const { slice, phase: at } of last?.slices ?? []) {
        const { phase, done, total } = at;
        reports.set(slice, { phase: { phase, done, total }, at: last.at });
      }
    } catch (error) {
      // A record is optional: without it some details are missing from the answer.
      if (!(error instanceof DamageError)) throw error;
    }
  }
  return reports;
}
