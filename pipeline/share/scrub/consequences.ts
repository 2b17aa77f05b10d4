/** Consequences of damaged objects: the tables that are lost, those made from them, and the tasks that make them again. */
import { UserError } from '../../../operators/core/errors.js';
import { gameOfClaim } from '../../engine/crew/claims.js';
import { planSlices } from '../../game/plan.js';
import { type Metric, metrics } from '../../game/value.js';
import { GRAPH } from '../../graph/graph-game.js';
import { graphOf } from '../../graph/imports.js';
import { publishedObject } from '../../tables/published/catalogue.js';
import { type StoredGame, type StoredGames, slicesAmong } from '../../tables/records/slices.js';
import { tableManifestName } from '../../tables/table-names.js';
import { isPublishedGraph, isSyzygy } from './objects.js';
import type { Damage } from './scrub.js';

/** A damaged object, and the table or slice it belongs to. */
export interface Consequence extends Damage {
  /** The table or the unfinished slice that it is of. */
  readonly slice: SliceInStore | null;
  /** Tables of the store that were made from that table, by "METRIC/SLICE". */
  readonly dependents: readonly string[];
  /** The task that makes it again; null for records, which are deleted: nothing that is solved depends on them. */
  readonly remake: Remake | null;
}

export type Remake =
  /** From its source, after its objects were deleted. */
  | { readonly task: 'solve graph'; readonly graph: string }
  | { readonly task: 'write Syzygy file'; readonly ending: string }
  | { readonly task: 'publish'; readonly game: string; readonly metric: Metric }
  /** Of a keyed game or a graph. */
  | { readonly task: 'publish graph'; readonly name: string }
  | { readonly task: 'repair' }
  /** Must be repaired by hand: in its place is something that is not an object, or another object. */
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
    const isOf = isInTheWay === true ? NOTHING : belongingOf(name, games);
    const { slice = null } = isOf;
    const made = isOf.remake?.task === 'solve graph' ? tablesOf(isOf.remake.graph, listing) : [];
    const above = slice === null ? made : dependents(slice);
    return { ...damage, slice, dependents: above, remake: isOf.remake };
  });
}

/** The table or slice of an object of this name, and the task that makes it again. */
interface Belonging {
  readonly slice?: SliceInStore;
  readonly remake: Remake | null;
}
const NOTHING: Belonging = { remake: { task: 'move away' } };

function belongingOf(name: string, games: StoredGames): Belonging {
  const isRecord = /^[^/]+\/runs\/|\/record-\d+\.json$/.test(name) || gameOfClaim(name) !== null;
  if (isRecord) return { remake: null };
  const graph = graphOf(name);
  if (graph !== null) return { remake: { task: 'solve graph', graph } };
  if (isSyzygy(name)) return { remake: { task: 'write Syzygy file', ending: name.replace(/v|\..*/g, '') } };
  if (isPublishedGraph(name)) return { remake: { task: 'publish graph', name: name.split('.')[0] } };
  const [slice] = slicesAmong([name], games);
  if (slice !== undefined) {
    const { game, metric, slice: canonical } = slice;
    return { slice: { game, metric, slice: canonical }, remake: { task: 'repair' } };
  }
  const published = publishedObject(name);
  if (published === null) return NOTHING;
  const { game, metric } = published;
  return { remake: { task: 'publish', game, metric } };
}

/** The tables of a graph, by "METRIC/GRAPH". */
function tablesOf(graph: string, listing: readonly string[]): string[] {
  return metrics
    .filter((metric) => listing.includes(tableManifestName(GRAPH, metric, graph)))
    .map((metric) => `${metric}/${graph}`);
}

/** Returns a function from a table to those that depend on it. */
function newDependents(listing: readonly string[], games: StoredGames): (at: SliceInStore) => string[] {
  const tables = slicesAmong(listing, games).filter(
    ({ names, game }) => names.includes('table.json') && game.name !== GRAPH,
  );
  const below = new Map<SliceInStore, readonly string[]>();
  const slicesBelow = (table: SliceInStore) => {
    const found = below.get(table) ?? planned(table);
    below.set(table, found);
    return found;
  };
  return ({ game, metric, slice }) =>
    tables
      .filter((table) => table.game === game && table.metric === metric && table.slice !== slice)
      .filter((table) => slicesBelow(table).includes(slice))
      .map((table) => `${metric}/${table.slice}`);
}

/** A folder may have the name of a slice that this version does not solve. */
function planned({ game, slice }: SliceInStore): string[] {
  try {
    return planSlices(game, [slice]).map((each) => each.slice);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
