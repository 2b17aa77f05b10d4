/** Service that the routes of the server work with: games, probers, limits, metrics. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { openSyzygyTables, type SyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { newCatalogue, type ServedCatalogue } from './catalogue/catalogue.js';
import { FRESH_MS } from './catalogue/listing.js';
import { type Asker, GONE } from './catalogue/scans.js';
import { Gate, type TurnKind } from './gate.js';
import { type Graphs, newGraphs } from './graphs.js';
import { LIMITS, type Limits } from './limits.js';
import { type Metrics, newMetrics } from './metrics.js';
import { withoutPlaces } from './places.js';
import { newProbers, type Probers } from './probers.js';
import { asked, HttpProblem, problemOf } from './problems.js';
import { reopening } from './reopened-files.js';
import { Roots } from './roots.js';
import { Versions } from './versions.js';

export interface ServiceOptions {
  readonly store: Store;
  /** Store of publications: they answer for `wdl` where the store has no such tables. */
  readonly published?: Store | undefined;
  /** Store of Syzygy's files: they answer for chess under dtz where the store has no tables. */
  readonly syzygy?: Store | undefined;
  readonly games: readonly Game[];
  /** Keyed games of users. */
  readonly keyed?: readonly KeyedRules[];
  /** Bytes that blocks of tables in memory may take. */
  readonly cacheBytes: number;
  readonly limits?: Partial<Limits>;
  /** Throws StorageError if the store cannot be reached. */
  readonly reach: () => Promise<void>;
  /** Takes errors that clients do not see: errors of the store and bugs. */
  readonly report?: (error: unknown) => void;
}

export interface Service {
  readonly store: Store;
  readonly games: ReadonlyMap<string, Game>;
  readonly catalogue: ServedCatalogue;
  readonly probers: Probers;
  readonly syzygy: SyzygyTables | null;
  readonly graphs: Graphs;
  readonly roots: Roots;
  readonly gate: Gate;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly reach: () => Promise<void>;
  readonly report: (error: unknown) => void;
  /** Throws HttpProblem 404. */
  game(name: string): Game;
  /** The metric asked for, or the first the game has tables of. Throws HttpProblem 400 for one it has not, 404 without tables. */
  metric(game: Game, name: Metric | undefined): Promise<Metric>;
  /** The problem that a client sees for an error. Errors that it does not see are reported. */
  problem(error: unknown): HttpProblem;
  /** Throws HttpProblem 503 if `work` takes too long: its signal is then aborted, as it is when the client has gone. */
  inTime<T>(context: Context, work: (asker: Asker) => Promise<T>): Promise<T>;
  /** Does the same as {@link inTime}, when it is the work's turn: that of a lookup unless given. Throws HttpProblem 503 also if too many wait. */
  inTurn<T>(context: Context, work: (asker: Asker) => Promise<T>, turn?: WorkTurn): Promise<T>;
}

interface WorkTurn {
  readonly kind: TurnKind;
  /** As in `Turn`. */
  readonly weight?: number;
}

export function newService(options: ServiceOptions): Service {
  const { store, published, syzygy, games, cacheBytes, reach, report = () => {} } = options;
  const limits = { ...LIMITS, ...options.limits };
  const byName = new Map(games.map((game) => [game.name, game]));
  const gate = new Gate(limits);
  const versions = new Versions(store, reach, FRESH_MS);
  const places = [store, published, syzygy].filter((place) => place !== undefined);
  const placeless = withoutPlaces(places);
  const catalogue = newCatalogue({
    store,
    published,
    syzygy,
    games,
    report: report as (error: StorageError) => void,
    reach,
    versions,
    turn: (asker, task) => gate.run({ ...asker, kind: 'scan' }, task),
  });
  const files = syzygy && reopening(syzygy, () => openSyzygyTables(syzygy, cacheBytes / 4));
  const probers = newProbers({
    store,
    catalogue,
    games,
    isPublished: published !== undefined,
    syzygy: files ?? null,
    cacheBytes: files === undefined ? cacheBytes : cacheBytes - cacheBytes / 4,
    versions,
    reach,
  });
  const graphs = newGraphs(options, probers.cache, versions);
  const roots = new Roots({ store, catalogue, cache: probers.cache, versions, reach });

  return {
    store,
    games: byName,
    catalogue,
    probers,
    syzygy: files ?? null,
    graphs,
    roots,
    gate,
    limits,
    metrics: newMetrics(gate, probers.counts),
    reach,
    report,

    game(name) {
      const game = byName.get(name);
      if (game !== undefined) return game;
      if (graphs.keyed.includes(name))
        throw new HttpProblem(404, `${name} is a keyed game, which has no endings`);
      throw new HttpProblem(
        404,
        `there is no game ${JSON.stringify(name)} (games: ${[...byName.keys(), ...graphs.keyed].join(', ')})`,
      );
    },

    async metric(game, name) {
      const all = game.metrics.join(', ');
      if (name !== undefined && !game.metrics.includes(name))
        throw new HttpProblem(400, `metric: ${game.name} has no ${name} (it has: ${all})`);
      const there = await catalogue.metrics(game);
      const metric = name ?? there[0];
      if (metric !== undefined && there.includes(metric)) return metric;
      // If the store is gone, tables are not missing: that throws another error.
      await reach();
      throw new HttpProblem(
        404,
        `there are no ${name === undefined ? '' : `${name} `}tables of ${game.name} here`,
      );
    },

    problem(error) {
      const problem = problemOf(error);
      if (problem !== error && problem.status >= 500) report(error);
      const message = placeless(problem.message);
      return message === problem.message
        ? problem
        : new HttpProblem(problem.status, message, problem.headers);
    },

    inTime: (context, work) => within(limits.answerMs, context, work),
    inTurn: (context, work, turn = { kind: 'lookup' }) =>
      within(limits.answerMs, context, (asker) => gate.run({ ...asker, ...turn }, () => work(asker))),
  };
}

/**
 * See {@link Service.inTime}. hono's timeout neither stops the work nor notices that the client has gone.
 *
 * @param late the error of an answer that takes longer.
 */
export async function within<T>(
  milliseconds: number,
  context: Context,
  work: (asker: Asker) => Promise<T>,
  late = 'the answer took too long',
): Promise<T> {
  const abort = new AbortController();
  const { outgoing, incoming } = (context.env ?? {}) as Partial<HttpBindings>;
  outgoing?.once('close', () => abort.abort(GONE));
  const client = incoming?.socket.remoteAddress ?? '';
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const problem = new HttpProblem(503, late, { 'Retry-After': '5' });
      // First, because the work ends at once when its signal is aborted.
      reject(problem);
      abort.abort(problem);
    }, milliseconds);
  });
  try {
    return await Promise.race([timeout, work({ client, signal: abort.signal })]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws HttpProblem 400 for text that is no position of the game, 404 for a position that no slice can hold. */
export function readPosition(game: Game, text: string): unknown {
  return asked(() => {
    const board = game.parse(text);
    game.locate(board);
    return board;
  });
}
