/** Keyed games of users, for the server: a prober for each that is solved, by metric. */

import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { type KeyedProber, openKeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import type { BlockCache } from '../../pipeline/tables/probe/block-cache.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { newKeptProbers } from './kept-probers.js';
import { asked, HttpProblem } from './problems.js';

export interface KeyedGames {
  /** Null if no keyed game is called so. */
  find(name: string): KeyedRules | null;
  readonly names: readonly string[];
  /** The metric that a request names, or that of the first table. Throws HttpProblem 400 for one that the game lacks, 404 without a table. */
  metric(game: KeyedRules, named: Metric | undefined): Promise<Metric>;
  /** Calls `work` with a prober of a solved metric. After an error of the store the game is opened again the next time. */
  probing<T>(
    game: KeyedRules,
    metric: Metric,
    work: (prober: KeyedProber<unknown>) => Promise<T>,
  ): Promise<T>;
}

interface KeyedGamesOptions {
  readonly store: Store;
  readonly keyed?: readonly KeyedRules[];
  readonly reach: () => Promise<void>;
}

/** Longer answers are for programs that read the store. */
const MOST_MOVES = 4096;

export function newKeyedGames(
  { store, keyed: games = [], reach }: KeyedGamesOptions,
  cache: BlockCache,
): KeyedGames {
  const byName = new Map(games.map((game) => [game.name, game]));
  const kept = newKeptProbers<KeyedProber<unknown>>(reach);

  async function solvedMetric(game: KeyedRules, metric: Metric | undefined): Promise<Metric> {
    const all = metricsOf(game);
    if (metric !== undefined && !all.includes(metric))
      throw new HttpProblem(400, `metric: ${game.name} has no ${metric} (it has: ${all.join(', ')})`);
    for (const each of metric === undefined ? all : [metric])
      if ((await store.size(tableManifestName(GRAPH, each, game.name))) !== null) return each;
    const what = metric === undefined ? '' : ` for ${metric}`;
    throw new HttpProblem(404, `${game.name} is not solved${what} here`);
  }

  return {
    names: [...byName.keys()],
    find: (name) => byName.get(name) ?? null,
    metric: solvedMetric,
    probing: (game, metric, work) =>
      kept(`${game.name}/${metric}`, () => openKeyedProber(game, store, metric, { cache }), work),
  };
}

/** Throws HttpProblem 400 for text that is no position of the game, 413 for one with too many moves. */
export function readKeyedPosition(game: KeyedRules, text: string): unknown {
  return asked(() => {
    const position = game.parse(text);
    const moves = game.moves(position).length;
    if (moves > MOST_MOVES)
      throw new HttpProblem(413, `the position has ${moves} moves, more than ${MOST_MOVES}`);
    return position;
  });
}
