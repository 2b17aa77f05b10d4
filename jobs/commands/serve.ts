/** `mergemate serve`: tables over HTTP, and the page that shows them. */

import { existsSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import { guardOf } from '../../pipeline/tables/table-guard.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { errorText } from '../cli/error-text.js';
import { complain, endAtSignal } from '../cli/exit.js';
import { GAME_PAGE, PAGES } from '../cli/files.js';
import type { CommonOptions } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { version } from '../cli/version.js';
import { allGames, findGame, storedGames } from '../registry.js';
import { growHeap } from '../runtime/heap.js';
import type { GamePage } from '../server/pages.js';
import { HttpProblem } from '../server/problems.js';
import { reachSources, type Sources } from '../server/sources.js';
import { type AskedKeyed, keyedAt, requireSameInStore } from '../solved/asked-graph.js';
import { isHttp } from '../stores.js';
import { findKeyedGame } from '../user-game.js';

interface ServeFlags extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly published?: string;
  readonly syzygy?: string;
  readonly cache: number;
  readonly game: string[];
  readonly allowHost: string[];
  readonly log?: string;
}

export async function runServe(flags: ServeFlags): Promise<void> {
  const keyed: AskedKeyed[] = [];
  for (const path of flags.game) {
    const game = await findKeyedGame(path);
    if (game === null) await findGame(path);
    else keyed.push(keyedAt(game, path));
  }
  const sources = await reachSources(flags);
  growHeap();
  await serve(flags, sources, keyed);
}

/** Serves until a signal comes. */
async function serve(flags: ServeFlags, sources: Sources, keyed: readonly AskedKeyed[]): Promise<void> {
  const { store, published, syzygy, reach } = sources;
  await requireSameRules(flags.game, store);
  const { newService } = await import('../server/service.js');
  const { newApp } = await import('../server/app.js');
  const { monitorRoutes } = await import('../server/monitor/routes.js');
  const { listen } = await import('../server/listen.js');
  const { openLog } = await import('../cli/logs.js');
  const log = flags.log === undefined ? undefined : openLog(flags.log === '-' ? null : flags.log);
  const report = (error: unknown): void => {
    const problem = errorText(error);
    if (log === undefined) complain(problem);
    else log.error('failed', { problem });
  };
  const games = await allGames();
  const rules = keyed.map(({ game }) => game);
  const cacheBytes = flags.cache;
  const service = newService({ store, published, syzygy, games, keyed: rules, cacheBytes, reach, report });
  const there = await service.catalogue.games();
  const ending = new AbortController();
  // A file server cannot say which files it has.
  const files = flags.syzygy === undefined || isHttp(flags.syzygy) ? undefined : syzygy;
  const monitor = monitorRoutes({ store, games: await storedGames(), files, ending: ending.signal });
  const pages = existsSync(PAGES) ? PAGES : null;
  const gamePages = await pagesOf(keyed, store);
  const app = newApp(service, {
    pages,
    gamePages,
    version,
    monitor,
    hosts: [flags.host, ...flags.allowHost],
    log,
  });
  const refused = (status: number) => {
    service.metrics.refused(status);
    log?.info('request', { route: 'none', method: 'none', status });
  };
  const { host, port } = flags;
  const { url, stop } = await listen(app, { host, port, limits: service.limits, refused });
  endAtSignal(() => {
    ending.abort();
    return stop();
  });
  const graphs = (await service.graphs.list()).map(({ graph }) => graph);
  const boards = gamePages.ready.map((name) => `${url}/game/${name}/`);
  const served = { url, store: store.uri, games: there.map(({ name }) => name), graphs, boards };
  await (flags.json ? printJson(served) : printServed(served, sources));
}

/** Throws UserError if a game of the command line has tables here that other rules made. */
async function requireSameRules(modules: readonly string[], store: Store): Promise<void> {
  for (const path of modules) {
    const keyed = await findKeyedGame(path);
    if (keyed !== null) await requireSameInStore({ game: keyed, path }, store);
    else await requireSameTables(await findGame(path), store);
  }
}

async function requireSameTables(game: Game, store: Store): Promise<void> {
  const isTable = (name: string) => name.endsWith('/table.json');
  if ((await store.list(`${game.name}/`)).some(isTable)) await guardOf(game)?.(store);
}

interface Served {
  readonly url: string;
  readonly games: readonly string[];
  readonly graphs: readonly string[];
  /** Addresses of the pages of keyed games. */
  readonly boards: readonly string[];
}

async function printServed({ url, games, graphs, boards }: Served, sources: Sources): Promise<void> {
  const { store, syzygy, onlyFiles } = sources;
  const graphCount = graphs.length === 1 ? '1 graph' : `${graphs.length} graphs`;
  const has = graphs.length === 0 ? games : [...games, graphCount];
  const from = onlyFiles ? syzygy!.uri : store.uri;
  await print(
    `${from} (${has.join(', ') || (syzygy === undefined ? 'no tables yet' : 'no tables or files of Syzygy found')}) is served at ${url}\n${boards.map((board) => `${board}\n`).join('')}`,
  );
}

/** Pages of keyed games, and the names of those that can be shown at once; a game that cannot gets a line with the reason. */
async function pagesOf(
  keyed: readonly AskedKeyed[],
  store: Store,
): Promise<{ folder: string; games: GamePage[]; ready: string[] }> {
  const games: GamePage[] = [];
  const ready: string[] = [];
  const once = newOnce<string, string>();
  for (const { game, path } of keyed) {
    const make = () =>
      once(path, async () => {
        const metric = await firstSolved(game, store);
        const { pageScript } = await import('../game-module/page-script.js');
        return pageScript(path, { metric, served: true });
      });
    try {
      if (!existsSync(GAME_PAGE)) throw new UserError('the page is not built: run "npm run build"');
      games.push({
        name: game.name,
        script: () =>
          make().catch((error) => {
            throw error instanceof UserError ? new HttpProblem(404, `${game.name} has no page yet`) : error;
          }),
      });
      await make();
      ready.push(game.name);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      complain(`${path} is served without a page: ${errorText(error)}`);
    }
  }
  return { folder: GAME_PAGE, games, ready };
}

async function firstSolved(game: KeyedRules, store: Store): Promise<Metric> {
  for (const metric of metricsOf(game))
    if ((await store.size(tableManifestName(GRAPH, metric, game.name))) !== null) return metric;
  throw new UserError(`${game.name} is not solved in ${store.uri}`);
}
