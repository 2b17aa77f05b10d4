/** The manifest that the import of a graph commits in the end; steps.ts has those that it commits until then. */
import { z } from 'zod';
import { UserError } from '../../operators/core/errors.js';
import { expectIfListed } from '../../operators/storage/doubted-absence.js';
import type { Store } from '../../operators/storage/store.js';
import { NamedRun, readManifest } from '../game/manifest.js';
import { withRemedy } from '../game/remedy.js';
import { RulesSample } from '../game/rules-sample.js';
import {
  DEALT_VERSION,
  EXCHANGING_VERSION,
  graphPrefix,
  IMPORT_VERSION,
  MOST_NODES,
  PLIES_VERSION,
  WIDE_KEYS_VERSION,
} from './graph-layout.js';
import { isDealt } from './part-order.js';

/** The versions of a graph's manifest that are read. */
export const GRAPH_VERSIONS = [
  IMPORT_VERSION,
  DEALT_VERSION,
  EXCHANGING_VERSION,
  PLIES_VERSION,
  WIDE_KEYS_VERSION,
] as const;

const count = z.int().nonnegative();
/** Written by the partitions of the import, one after the other. */
const JoinedRuns = z.array(NamedRun).min(1);

export const GraphManifest = z.object({
  /** Says in which order the parts are (part-order.ts), and what else earlier programs would overlook. */
  version: z.literal(GRAPH_VERSIONS),
  name: z.string(),
  /** The source's name, for messages, and the fingerprint by which a later call detects another source. */
  source: z.string(),
  fingerprint: z.string(),
  /** Graphs in files: the file's absolute path when it was read, and its bytes, by which most other files are ruled out without computing a digest. */
  origin: z.object({ path: z.string(), bytes: count }).optional(),
  /** Keyed games: a sample of the rules that it was found by. Manifests of earlier releases have neither. */
  rules: RulesSample.optional(),
  players: z.tuple([z.string(), z.string()]),
  nodes: count,
  /** Those in the source, and those that remained: repeated edges, and edges of nodes where the play is over, are left out. */
  edgesRead: count,
  edges: count,
  /** The edges of each part of the nodes, in their order; earlier versions left them out. */
  partEdges: z.array(count).optional(),
  /** Nodes with more edges than a byte counts, and the most that any node has; earlier versions left that out. */
  hubs: count,
  mostEdges: count.optional(),
  /** Games with scores: the points by which either side loses at an end of the game, most first. */
  scores: z.array(count).optional(),
  /** Graphs in which some ends have scores and others none, so that there are no values by scores: the first end without. */
  unscored: count.optional(),
  /** The most plies after which a player has lost at an end of the play. Left out if they are 0 everywhere. */
  mostPlies: count.optional(),
  /** The names of the nodes where the play begins, as JSON text, if the source lists any. */
  roots: z.array(z.string()).optional(),
  /** Keyed games only: moves to positions that were compared with what their keys are read back as. */
  movesCompared: count.optional(),
  /** Keyed games only: positions with those that are symmetric to them. */
  boards: count.optional(),
  /** How many nodes stand for positions of the other mover, too. */
  exchanging: count.optional(),
  /** Keyed games only: positions where the play is over state who is to move there (`ownerOf`); earlier versions left that out. */
  movers: z.literal(true).optional(),
  /** Games with symmetries only: nodes have weights (node-writer.ts). Earlier versions left them out. */
  weights: z.literal(true).optional(),
  /** Keyed games only: the bits of keys, if they are more than 64. */
  keyBits: count.optional(),
  /** Keyed games only: how many positions each layer has, in the order of nodes; left out if there are very many layers. */
  layers: z.array(count).optional(),
  seed: count,
  /** The type of the names. */
  idKind: z.enum(['text', 'integer', 'mixed']),
  runs: z.object({
    /** (key of the name | rest of the key and side, number), by key. */
    index: JoinedRuns,
    /** Names in the order of the nodes. */
    names: NamedRun,
    /** Names of edges, by the nodes that they come from (edge-names.ts), if the source gives any. */
    moves: NamedRun.optional(),
    /** Status and out-count of every node. */
    nodes: JoinedRuns,
    /** (node | successor and its side), by node. */
    successors: JoinedRuns,
    /** (node | out-count) of the hubs. */
    hubs: JoinedRuns,
  }),
  counters: z.record(z.string(), z.number()),
});
export type GraphManifest = z.infer<typeof GraphManifest>;

export function graphManifestName(name: string): string {
  return `${graphPrefix(name)}/graph.json`;
}

/** Null if no graph of this name was imported. Throws DamageError, StorageError for another version. */
export function readGraphManifest(store: Store, name: string): Promise<GraphManifest | null> {
  return readManifest(store, graphManifestName(name), GraphManifest);
}

/** As {@link readGraphManifest}; UserError if there is none. */
export async function needGraph(store: Store, name: string): Promise<GraphManifest> {
  const read = () => readGraphManifest(store, name);
  const found =
    (await read()) ?? ((await expectIfListed(store, graphManifestName(name))) ? await read() : null);
  if (found !== null) return found;
  if ((await store.list(`${graphPrefix(name)}/`)).length > 0)
    throw withRemedy(new UserError(`graph ${name} is not imported to its end in ${store.uri}`), {
      task: 'import graph',
      begun: true,
    });
  throw withRemedy(new UserError(`there is no graph ${JSON.stringify(name)} in ${store.uri}`), {
    task: 'import graph',
    begun: false,
  });
}

/** The graphs that a store has, by name. */
export async function listGraphs(store: Store): Promise<GraphManifest[]> {
  const found: GraphManifest[] = [];
  for (const object of await store.list(graphPrefix(''))) {
    const name = /^([^/]+)\/graph\.json$/.exec(object.slice(graphPrefix('').length))?.[1];
    const graph = name === undefined ? null : await readGraphManifest(store, name);
    if (graph !== null) found.push(graph);
  }
  return found;
}

export function newGraphManifest(head: Omit<GraphManifest, 'version'>): GraphManifest {
  return { version: versionOf(head), ...head };
}

function versionOf({ nodes, exchanging = 0, mostPlies = 0, keyBits }: Omit<GraphManifest, 'version'>) {
  if (keyBits !== undefined) return WIDE_KEYS_VERSION;
  if (mostPlies > 0) return PLIES_VERSION;
  if (exchanging > 0) return EXCHANGING_VERSION;
  return isDealt(nodes) ? DEALT_VERSION : IMPORT_VERSION;
}

/** The bytes of a label that counts the edges of any node. */
export function countBytesOf({
  hubs,
  mostEdges = MOST_NODES,
}: Pick<GraphManifest, 'hubs' | 'mostEdges'>): number {
  if (hubs === 0) return 1;
  return mostEdges < 2 ** 16 - 1 ? 2 : 4;
}
