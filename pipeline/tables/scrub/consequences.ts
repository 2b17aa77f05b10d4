/** Consequences of damaged objects: the tables that are lost, those made from them, and the tasks that make them again. */
import { UserError } from '../../../operators/core/errors.js';
import { type Metric, metrics } from '../../game/value.js';
import { GRAPH } from '../../graph/graph-game.js';
import { graphOf } from '../../graph/imports.js';
import { gameOfClaim } from '../../engine/claims.js';
import { planSlices } from '../../game/plan.js';
import { type StoredGame, type StoredGames, slicesAmong } from '../records/slices.js';
import { tableManifestName } from '../table-names.js';
import { isPublishedGraph, isSyzygy } from './objects.js';
import type { Damage } from './scrub.js';

/** A damaged object, and the table or slice it belongs to. */
export interface Consequence extends Damage {
  /** The table or the unfinished slice that it is of. */
  readonly slice: SliceInStore | null;
  /** Nothing that is solved depends on it. */
  readonly isRecord: boolean;
  /** Tables of the store that were made from that table, by "METRIC/SLICE". */
  readonly dependents: readonly string[];
  /** The task that makes it again; null for records, which are deleted. */
  readonly remake: Remake | null;
}

export type Remake =
  /** From its source, after its objects were deleted. */
  | { readonly task: 'solve graph'; readonly graph: string }
  | { readonly task: 'write Syzygy file'; readonly ending: string }
  | { readonly task: 'publish'; readonly game: string }
  /** Of a keyed game or a graph. */
  | { readonly task: 'publish graph'; readonly name: string }
  | { readonly task: 'repair' }
  /** By a person: what is in its place is no object, or was written as another. */
  | { readonly task: 'move away' };

export interface SliceInStore {
  readonly game: StoredGame;
  readonly metric: Metric;
  readonly slice: string;
}

/** @param listing of the store. */
export function consequencesOf(
  damaged: readonly Damage[],
  listing: readonly string[],
  games: StoredGames,
): Consequence[] {
  const dependents = newDependents(listing, games);
  return damaged.map((damage) => {
    const { name, isInTheWay } = damage;
    const [at] = slicesAmong([name], games);
    const isRecord =
      /^[^/]+\/runs\//.test(name) || /\/record-\d+\.json$/.test(name) || gameOfClaim(name) !== null;
    const common = { ...damage, isRecord: isRecord && isInTheWay !== true, slice: null, dependents: [] };
    const graph = graphOf(name);
    if (isInTheWay === true) return { ...common, remake: { task: 'move away' } };
    if (isRecord) return { ...common, remake: null };
    if (graph !== null)
      return { ...common, dependents: tablesOf(graph, listing), remake: { task: 'solve graph', graph } };
    if (isSyzygy(name))
      return { ...common, remake: { task: 'write Syzygy file', ending: name.replace(/v|\..*/g, '') } };
    if (isPublishedGraph(name))
      return { ...common, remake: { task: 'publish graph', name: name.split('.')[0] } };
    if (at === undefined) {
      const isPublished = /^[^/]+\/(?:catalogue(?:-draft)?\.json|[^/]+\.(?:wdl|bin))$/.test(name);
      const [game] = name.split('/');
      return { ...common, remake: isPublished ? { task: 'publish', game } : { task: 'move away' } };
    }
    const { game, metric, slice } = at;
    return {
      ...common,
      slice: { game, metric, slice },
      dependents: dependents({ game, metric, slice }),
      remake: { task: 'repair' },
    };
  });
}

/** The tables of a graph, by "METRIC/GRAPH". */
function tablesOf(graph: string, listing: readonly string[]): string[] {
  return metrics
    .filter((metric) => listing.includes(tableManifestName(GRAPH, metric, graph)))
    .map((metric) => `${metric}/${graph}`);
}

/** Says which tables depend on one. */
function newDependents(listing: readonly string[], games: StoredGames): (at: SliceInStore) => string[] {
  const tables = slicesAmong(listing, games).filter(
    ({ names, game }) => names.includes('table.json') && game.name !== GRAPH,
  );
  const below = new Map<string, ReadonlySet<string>>();
  const slicesBelow = (game: StoredGame, slice: string): ReadonlySet<string> => {
    const key = `${game.name}/${slice}`;
    let found = below.get(key);
    if (found === undefined) {
      found = new Set(planned(game, slice));
      below.set(key, found);
    }
    return found;
  };
  return ({ game, metric, slice }) =>
    tables
      .filter((table) => table.game === game && table.metric === metric && table.slice !== slice)
      .filter((table) => slicesBelow(game, table.slice).has(slice))
      .map((table) => `${metric}/${table.slice}`);
}

/** A folder may have the name of a slice that this version does not solve. */
function planned(game: StoredGame, slice: string): string[] {
  try {
    return planSlices(game, [slice]).map((each) => each.slice);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
