/** `mergemate serve`: tables over HTTP, and the page that shows them. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game.js';
import { complain, endAtSignal } from '../exit.js';
import { growHeap } from '../heap.js';
import { wholeNumber } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame, games, storedGames } from '../registry.js';
import { isSiteGame } from '../site/layout.js';
import { parseSize } from '../sizes.js';
import { type CommonOptions, withStore } from '../store-option.js';
import { openStore, requireFolder, storeFolder } from '../stores.js';
import { versionOf } from '../version.js';

interface ServeFlags extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly published?: string;
  readonly cache: string;
  readonly game: string[];
  readonly log?: string;
  readonly export?: string;
  readonly tables?: string;
  readonly metric?: string;
}

const PORT = 8080;

export function addServe(program: Command): void {
  withStore(program.command('serve [endings...]'))
    .summary('serve tables over HTTP, with a page to look at them')
    .description(
      'Answers what positions are worth over HTTP, until it is interrupted: for programs (/openapi.json describes the API,\n' +
        '/standard answers as the public Lichess tablebase API does), and as a page to explore endings on a board.\n' +
        'Reads the store and changes nothing. /health and /metrics (Prometheus) are for those who keep it running.\n\n' +
        'With --export it writes the page and tables into a folder instead, for any plain file server: all tables of the store,\n' +
        'or those of a --game, a --metric, and endings with all they convert to. Done again, it continues.',
    )
    .option(
      '--port <n>',
      'the port to listen on; 0: any that is free',
      wholeNumber('--port', 0, 65_535),
      PORT,
    )
    .option('--host <address>', 'the address to listen on; 0.0.0.0: all of this machine', '127.0.0.1')
    .option('--published <uri>', 'published tables, which answer for wins, draws and losses')
    .option('--cache <size>', 'memory for what was read of tables', '64MiB')
    .option(
      '--game <module>',
      'a game of your own besides chess and checkers (repeatable); with --export: this game only',
      collect,
      [],
    )
    .option('--export <folder>', 'do not serve: write a site that needs no server of its own')
    .option(
      '--tables <url>',
      'with --export: where the folder "tables" of the site will be, if not beside the page: a bucket, another host',
    )
    .option('--metric <metric>', 'with --export: the tables of this metric only')
    .option('--log <path>', 'append a JSON line for every request; "-" is standard error')
    .action(runServe);
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

async function runServe(endings: string[], flags: ServeFlags): Promise<void> {
  const cacheBytes = parseSize(flags.cache, '--cache');
  const asked: Game[] = [];
  for (const name of flags.game) asked.push(await findGame(name));
  const store = openStore(flags.store);
  const reach = reacher(flags.store, store);
  await reach();
  const published = flags.published === undefined ? undefined : openStore(flags.published);
  if (published !== undefined) await reacher(flags.published!, published)();
  growHeap();
  const page = fileURLToPath(new URL('../../web', import.meta.url));
  if (flags.export !== undefined) {
    const { runExport } = await import('./serve-export.js');
    return runExport({
      store,
      published: published ?? null,
      games: asked.length > 0 ? asked : [...games.values()].filter(isSiteGame),
      metric: flags.metric,
      endings,
      to: flags.export,
      tablesAt: flags.tables,
      page,
      json: flags.json === true,
    });
  }
  if (endings.length > 0 || flags.metric !== undefined || flags.tables !== undefined) {
    throw new UserError(
      'all tables of the store are served: endings, --metric and --tables go with --export',
    );
  }

  const { newService } = await import('../server/service.js');
  const { newApp } = await import('../server/app.js');
  const { monitorRoutes } = await import('../server/monitor/routes.js');
  const { listen } = await import('../server/listen.js');
  const { openLog } = await import('../logs.js');
  const log = flags.log === undefined ? undefined : openLog(flags.log === '-' ? null : flags.log);
  const report = (error: unknown): void => {
    const problem = error instanceof Error ? error.message : String(error);
    if (log === undefined) complain(problem);
    else log.error('failed', { problem });
  };
  const service = newService({ store, published, games: [...games.values()], cacheBytes, reach, report });
  const there = await service.catalogue.games();
  const ending = new AbortController();
  const monitor = monitorRoutes({ store, games: storedGames(), ending: ending.signal });
  const pages = existsSync(page) ? page : null;
  const app = newApp(service, { pages, version: versionOf(), monitor, log });
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
  const names = there.map(({ name }) => name);
  const graphs = (await service.graphs.list()).map(({ graph }) => graph);
  if (flags.json) return printJson({ url, store: store.uri, games: names, graphs });
  const has =
    graphs.length === 0
      ? names
      : [...names, `${graphs.length === 1 ? '1 graph' : `${graphs.length} graphs`}`];
  await print(`${store.uri} (${has.join(', ') || 'no tables yet'}) is served at ${url}\n`);
}

/** Throws StorageError if the store is not there: a folder that does not exist has no tables, and never will. */
function reacher(uri: string, store: Store): () => Promise<void> {
  const folder = storeFolder(uri);
  return async () => {
    // To be asked for one object, a bucket that is gone answers as one that has no such object.
    if (folder === null) await store.list('reached/');
    else requireFolder(uri);
  };
}
