/** Graphs and keyed games, which lie in stores as graphs: a list of them, and one prober for each and each metric. */
import { StorageError, UserError } from '../../operators/core/errors.js';
import { oneOf } from '../../operators/core/once.js';
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { graphs as catalogue, GRAPH } from '../../pipeline/graph/graph-game.js';
import { graphPrefix } from '../../pipeline/graph/graph-layout.js';
import { openGraphProber } from '../../pipeline/graph/graph-prober.js';
import { importsAmong } from '../../pipeline/graph/imports.js';
import { openKeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import { type GraphManifest, graphManifestName, readGraphManifest } from '../../pipeline/graph/manifest.js';
import type { BlockCache } from '../../pipeline/tables/probe/block-cache.js';
import { ChangedRulesError } from '../../pipeline/tables/table-guard.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { readNodeId } from '../graph/node-id.js';
import { nodesAsMoves, type OpenedKeyed, SolvedKeyed, writingOf } from '../solved/keyed.js';
import { pausing } from '../solved/pausing.js';
import type { Solved } from '../solved/solved.js';
import type { GraphAnswer } from './api-answers.js';
import { listing } from './catalogue/listing.js';
import { KeptProbers, pause } from './kept-probers.js';
import { asked, HttpProblem } from './problems.js';
import type { ServedGame } from './served-game.js';
import type { Versions } from './versions.js';

export interface Graphs {
  /** Names of the keyed games whose modules the server was given: their positions are written as the game writes them. */
  readonly keyed: readonly string[];
  /** What is imported, with the metrics of its tables. */
  list(): Promise<GraphAnswer[]>;
  /**
   * A keyed game, or a graph, whose positions are its nodes. It is opened again once the store has another of its name.
   * @param missing throws where no module was given for a game of the name, and nothing of this name is imported.
   */
  game(name: string, missing: () => unknown): ServedGame;
}

interface Known {
  readonly manifest: GraphManifest;
  readonly metrics: readonly Metric[];
}

interface GraphsOptions {
  readonly store: Store;
  readonly keyed?: readonly KeyedRules[];
  /** Takes errors of graphs that cannot be read and are left out. */
  readonly report?: (error: StorageError) => void;
  readonly reach: () => Promise<void>;
}

/** Longer answers are for programs that read the store. */
const MOST_MOVES = 4096;

function requireFewMoves(moves: number): void {
  if (moves > MOST_MOVES)
    throw new HttpProblem(413, `the position has ${moves} moves, more than ${MOST_MOVES}`);
}

export function newGraphs(
  { store, keyed = [], report = () => {}, reach }: GraphsOptions,
  cache: BlockCache,
  versions: Versions,
): Graphs {
  const rules = new Map(keyed.map((game) => [game.name, game]));
  const kept = new KeptProbers<OpenedKeyed<unknown>>(reach, () => versions.closeFiles());
  const list = oneOf(read, listing(report));

  async function read(): Promise<ReadonlyMap<string, Known>> {
    const tables = await Promise.all(catalogue.metrics.map((metric) => store.list(`${GRAPH}/${metric}/`)));
    const solved = new Set(tables.flat());
    const known = new Map<string, Known>();
    for (const { graph, complete } of importsAmong(await store.list(graphPrefix('')))) {
      const manifest = complete ? await readSound(graph) : null;
      if (manifest === null) continue;
      const metrics = catalogue.metrics.filter((metric) =>
        solved.has(tableManifestName(GRAPH, metric, graph)),
      );
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

  async function open(name: string, metric: Metric): Promise<OpenedKeyed<unknown>> {
    try {
      return await openSolved(name, metric);
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof ChangedRulesError) throw error;
      // It was deleted since it was listed, or the store is gone: that throws another error. The error's own words name the store.
      await reach();
      throw notSolved(name, metric);
    }
  }

  async function openSolved(name: string, metric: Metric): Promise<OpenedKeyed<unknown>> {
    const game = rules.get(name);
    if (game !== undefined)
      return { writing: writingOf(game), prober: await openKeyedProber(game, store, metric, { cache }) };
    const nodes = await openGraphProber(store, name, metric, cache);
    return nodesAsMoves({
      ...nodes,
      async edges(node) {
        requireFewMoves(await nodes.degree(node));
        return nodes.edges(node);
      },
    }) as OpenedKeyed<unknown>;
  }

  return {
    keyed: [...rules.keys()],

    async list() {
      return [...(await list()).values()].map(({ manifest: { name, players, nodes, edges }, metrics }) => ({
        graph: name,
        players,
        nodes,
        edges,
        metrics: [...metrics],
      }));
    },

    game(name, missing) {
      const game = rules.get(name);
      return {
        name,
        read: (text) =>
          asked(() => {
            if (game === undefined) return readNodeId(text);
            const position = game.parse(text);
            requireFewMoves(game.moves(position).length);
            return position;
          }),

        async metric(named) {
          const known = (await list()).get(name);
          if (game === undefined && known === undefined) missing();
          const solved = known?.metrics ?? [];
          const all = game === undefined ? solved : metricsOf(game);
          if (game !== undefined && named !== undefined && !all.includes(named))
            throw new HttpProblem(400, `metric: ${name} has no ${named} (it has: ${all.join(', ')})`);
          const metric = all.find((each) => solved.includes(each) && (named ?? each) === each);
          if (metric !== undefined) return metric;
          throw notSolved(name, named);
        },

        metricsOf: async (_, metric) => [metric],

        probing(metric, signal, work) {
          const objects = [graphManifestName(name), tableManifestName(GRAPH, metric, name)];
          const version = objects.reduce((sum, object) => sum + versions.of(object), 0);
          return kept.use(
            `${name}/${metric}`,
            version,
            () => open(name, metric),
            ({ writing, prober }) => {
              const paused = signal === undefined ? prober : pausing(prober, () => pause(signal));
              return work(new SolvedKeyed(writing, async () => paused) as Solved);
            },
          );
        },
      };
    },
  };
}

function notSolved(name: string, metric: Metric | undefined): HttpProblem {
  return new HttpProblem(404, `${name} is not solved${metric === undefined ? '' : ` for ${metric}`} here`);
}
