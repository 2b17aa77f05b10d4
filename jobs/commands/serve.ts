/** `mergemate serve`: tables over HTTP, and the page that shows them. */
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { complain, endAtSignal } from '../exit.js';
import { growHeap } from '../heap.js';
import { type CommonOptions, wholeNumber, withStore } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame, games, openStore, storeFolder } from '../registry.js';
import { parseSize } from '../sizes.js';
import { versionOf } from '../version.js';

interface ServeFlags extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly published?: string;
  readonly cache: string;
  readonly game: string[];
  readonly log?: string;
}

const PORT = 8080;

export function addServe(program: Command): void {
  withStore(program.command('serve'))
    .summary('serve tables over HTTP, with a page to look at them')
    .description(
      'Answers what positions are worth over HTTP, until it is interrupted: for programs (/openapi.json describes the API,\n' +
        '/standard answers as the public Lichess tablebase API does), and as a page to explore endings on a board.\n' +
        'Reads the store and changes nothing. /health and /metrics (Prometheus) are for those who keep it running.',
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
    .option('--game <module>', 'a game of your own besides chess and checkers (repeatable)', collect, [])
    .option('--log <path>', 'append a JSON line for every request; "-" is standard error')
    .action(runServe);
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

async function runServe(flags: ServeFlags): Promise<void> {
  const cacheBytes = parseSize(flags.cache, '--cache');
  for (const module of flags.game) await findGame(module);
  const store = openStore(flags.store);
  const reach = reacher(flags.store, store);
  await reach();
  const published = flags.published === undefined ? undefined : openStore(flags.published);
  if (published !== undefined) await reacher(flags.published!, published)();
  growHeap();

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
  const pages = fileURLToPath(new URL('../../web', import.meta.url));
  const ending = new AbortController();
  const monitor = monitorRoutes({ store, games, ending: ending.signal });
  const app = newApp(service, {
    ...{ pages: existsSync(pages) ? pages : null, version: versionOf(), monitor, log },
  });
  const { url, stop } = await listen(app, { host: flags.host, port: flags.port, limits: service.limits });
  endAtSignal(() => {
    ending.abort();
    return stop();
  });
  const names = there.map(({ name }) => name);
  if (flags.json) await printJson({ url, store: store.uri, games: names });
  else await print(`${store.uri} (${names.join(', ') || 'no tables yet'}) is served at ${url}\n`);
}

/** Throws StorageError if the store is not there: a folder that does not exist has no tables, and never will. */
function reacher(uri: string, store: Store): () => Promise<void> {
  const folder = storeFolder(uri);
  return async () => {
    if (folder === null) await store.size('reached');
    else if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new StorageError(store.uri, 'there is no such folder');
  };
}
