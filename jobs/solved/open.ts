/** Opens what a command line names: endings of a game, a keyed game or a graph, in a store or in published files. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { GraphProber } from '../../pipeline/graph/graph-prober.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { requireSameRules } from '../../pipeline/graph/same-rules.js';
import { metricOf } from '../cli/options.js';
import { moduleDigest } from '../game-module/module-digest.js';
import { digestOf } from '../graph/digest.js';
import { secondName } from '../graph/graph-of-file.js';
import { findGame } from '../registry.js';
import { openReadable, storeToRead } from '../stores.js';
import {
  type AskedGraph,
  type AskedKeyed,
  findGraph,
  graphMetric,
  type NodeFlags,
  refuse,
  solvedGraph,
} from './asked-graph.js';
import type { SolvedEndings } from './ending.js';
import { type LookupFlags, openLookup, type TableSource, tableSource } from './open-prober.js';
import type { RootedEndings } from './rooted.js';
import type { Solved } from './solved.js';
import type { SolvedTables, TableFlags } from './tables.js';

/** Throws UserError for text that names nothing of the kind, and for flags that it has no use for. */
export async function openSolved(asked: string, flags: LookupFlags): Promise<Solved> {
  const graph = await findGraph(asked, flags.store, flags.published);
  if (graph === null) {
    const game = await findGame(asked, flags.published ?? flags.store);
    // What is wrong in the flags is said before what is wrong in the store.
    metricOf(game, flags.metric);
    return (await openEndings(game, asked, flags)) as Solved;
  }
  refuse(graph, [], { syzygy: flags.syzygy });
  const { game } = graph;
  const { SolvedKeyed, nodesAsMoves, writingOf } = await import('./keyed.js');
  if (game === null) {
    const { writing, prober } = nodesAsMoves(await openNodes(graph, flags));
    return new SolvedKeyed(writing, async () => prober) as Solved;
  }
  return new SolvedKeyed(writingOf(game), () => keyedProber({ ...graph, game }, flags));
}

/** The endings of a game. Of chess in a store, which must be there, also the roots. @param asked the game as it was named. */
export async function openEndings(game: Game, asked: string, flags: LookupFlags): Promise<SolvedEndings> {
  const { SolvedEndings } = await import('./ending.js');
  if (game.name !== 'chess' || !readsStore(flags))
    return new SolvedEndings(game, asked, () => openLookup(game, flags));
  const source = tableSource(flags);
  const roots = await openRoots(game, asked, flags, source);
  return roots ?? new SolvedEndings(game, asked, () => openLookup(game, flags, source));
}

/** The view of a store of chess that has roots; null if it has none. */
export async function openRoots(
  game: Game,
  asked: string,
  flags: LookupFlags,
  source: TableSource,
): Promise<RootedEndings | null> {
  const { rootsIn } = await import('../roots/stored-roots.js');
  const roots = await rootsIn(source.store);
  if (roots.length === 0) return null;
  const { RootedEndings } = await import('./rooted.js');
  return new RootedEndings(game, asked, flags, source, roots);
}

const readsStore = ({ published, syzygy }: LookupFlags) => published === undefined && syzygy === undefined;

/** @param names of endings. Throws UserError for text that names nothing of the kind, and for flags that it has no use for. */
export async function openTables(
  asked: string,
  names: readonly string[],
  flags: TableFlags,
): Promise<SolvedTables> {
  const graph = await findGraph(asked, flags.store);
  if (graph !== null) return (await import('./graph-tables.js')).openGraphTables(graph, names, flags);
  const { EndingTables } = await import('./ending-tables.js');
  return new EndingTables(await findGame(asked, flags.store), asked, names, flags);
}

/** A prober that reads a few blocks for each position. */
async function keyedProber(
  asked: AskedKeyed,
  { published, ...flags }: NodeFlags,
): Promise<KeyedProber<unknown>> {
  const { game } = asked;
  if (published !== undefined) {
    const { openPublishedKeyed } = await import('../../pipeline/share/publish/keyed/published-keyed.js');
    const store = openReadable(published);
    const prober = await openPublishedKeyed(game, store, graphMetric(asked, flags.metric));
    const { game: named, rules, fingerprint } = prober.header;
    if (named !== game.name)
      throw new StorageError(store.uri, `the published file of ${game.name} is that of ${named}`);
    requireSameRules(game, { name: named, rules }, store, fingerprint === moduleDigest(resolve(asked.path)));
    return prober;
  }
  const { metric } = await solvedGraph(asked, flags);
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  return openKeyedProber(game, storeToRead(flags.store), metric);
}

/** The nodes of a solved graph, from the store or from published files. */
async function openNodes(asked: AskedGraph, flags: NodeFlags): Promise<GraphProber> {
  const { store, published } = flags;
  if (published !== undefined) return openPublished(asked, published, graphMetric(asked, flags.metric));
  const { graph, metric } = await solvedGraph(asked, flags);
  const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
  return openGraphProber(storeToRead(store), graph.name, metric);
}

/**
 * The published nodes of a file: those of its own name or, where another file took that in the store, of its second. Without the
 * file, whatever is published by its name.
 */
async function openPublished(
  { path, name, by }: AskedGraph,
  uri: string,
  metric: Metric,
): Promise<GraphProber> {
  const { openPublishedGraph } = await import('../../pipeline/share/publish/graph/published-graph.js');
  const { nodesFileName } = await import('../../pipeline/share/publish/graph/format.js');
  const store = openReadable(uri);
  if (by === 'name' || !existsSync(path)) return openPublishedGraph(store, name, metric);
  const digest = await digestOf(path);
  const second = secondName(path, digest);
  const isSecond = (await store.size(nodesFileName(second, metric))) !== null;
  const prober = await openPublishedGraph(store, isSecond ? second : name, metric);
  const { fingerprint = digest } = prober.header;
  if (fingerprint === digest) return prober;
  throw new UserError(
    `graph ${name} in ${store.uri} was not published from ${path} as it is now: solve the file, and publish it again`,
  );
}
