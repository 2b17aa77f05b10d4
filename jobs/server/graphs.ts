/** The graphs of a store, for the server: a list of them, and one prober for each graph and metric. */

import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import { GRAPH, graphs as game } from '../../pipeline/graph/graph-game.js';
import { graphPrefix } from '../../pipeline/graph/graph-layout.js';
import { type GraphProber, openGraphProber } from '../../pipeline/graph/graph-prober.js';
import { importsAmong } from '../../pipeline/graph/imports.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import type { BlockCache } from '../../pipeline/tables/probe/block-cache.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import type { GraphAnswer } from './api-answers.js';
import { LISTING, remembered } from './catalogue/remembered.js';
import { newKeptProbers } from './kept-probers.js';
import { HttpProblem } from './problems.js';

export interface Graphs {
  /** Imported graphs, with the metrics of their tables. */
  list(): Promise<GraphAnswer[]>;
  /**
   * Calls `work` with a prober of the graph. Without a metric, the prober is that of the first table. Throws HttpProblem 404
   * where there is no such graph or table. After errors of the store a graph is opened again the next time.
   */
  probing<T>(name: string, metric: Metric | undefined, work: (prober: GraphProber) => Promise<T>): Promise<T>;
}

interface Known {
  readonly manifest: GraphManifest;
  readonly metrics: readonly Metric[];
}

interface GraphsOptions {
  readonly store: Store;
  /** Takes errors of graphs that cannot be read and are left out. */
  readonly report?: (error: StorageError) => void;
  readonly reach: () => Promise<void>;
}

export function newGraphs({ store, report = () => {}, reach }: GraphsOptions, cache: BlockCache): Graphs {
  const kept = newKeptProbers<GraphProber>(reach);
  const list = remembered(read, { ...LISTING, report });

  async function read(): Promise<ReadonlyMap<string, Known>> {
    const tables = await Promise.all(game.metrics.map((metric) => store.list(`${GRAPH}/${metric}/`)));
    const solved = new Set(tables.flat());
    const known = new Map<string, Known>();
    for (const { graph, complete } of importsAmong(await store.list(graphPrefix('')))) {
      const manifest = complete ? await readSound(graph) : null;
      if (manifest === null) continue;
      const metrics = game.metrics.filter((metric) => solved.has(tableManifestName(GRAPH, metric, graph)));
      known.set(graph, { manifest, metrics });
    }
    return known;
  }

  async function readSound(name: string): Promise<GraphManifest | null> {
    try {
      return await readGraphManifest(store, name);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      report(error);
      return null;
    }
  }

  return {
    async list() {
      return [...(await list()).values()].map(({ manifest: { name, players, nodes, edges }, metrics }) => ({
        graph: name,
        players,
        nodes,
        edges,
        metrics: [...metrics],
      }));
    },

    async probing(name, asked, work) {
      const known = (await list()).get(name);
      if (known === undefined) throw new HttpProblem(404, `there is no graph ${JSON.stringify(name)} here`);
      const metric = asked ?? known.metrics[0];
      if (metric === undefined || !known.metrics.includes(metric))
        throw new HttpProblem(
          404,
          `there is no ${asked === undefined ? '' : `${asked} `}table of graph ${name} here`,
        );
      return kept(`${name}/${metric}`, () => openGraphProber(store, name, metric, cache), work);
    },
  };
}
