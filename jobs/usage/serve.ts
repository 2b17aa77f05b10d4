import type { Command } from 'commander';
import { Defaults } from '../bounds.js';
import { wholeNumber, withCache, withStore } from './options.js';

export function addServe(program: Command): void {
  withCache(withStore(program.command('serve [endings...]')))
    .summary('serve tables over HTTP, with a page to look at them')
    .description(
      'Answers what positions are worth over HTTP, until it is interrupted: for programs (/openapi.json describes the API,\n' +
        '/standard answers as the public Lichess tablebase API does), and as a page to explore endings on a board.\n' +
        'Reads the store and changes nothing. /health and /metrics (Prometheus) are for those who keep it running.\n\n' +
        'With --export it writes the page and tables into a folder instead, for any plain file server: all tables of the store,\n' +
        'or those of a --game, a --metric, and endings with all they convert to; with --syzygy those files, too. Done again, it\n' +
        'continues.',
    )
    .option(
      '--port <n>',
      'the port to listen on; 0: any that is free',
      wholeNumber('--port', 0, 65_535),
      Defaults.port,
    )
    .option('--host <address>', 'the address to listen on; 0.0.0.0: all of this machine', '127.0.0.1')
    .option('--published <uri>', 'published tables, which answer for wins, draws and losses')
    .option(
      '--syzygy <uri>',
      "Syzygy's files (a folder, S3, http://), which answer under dtz where the store has no tables; they need no store",
    )
    .option(
      '--game <module>',
      'a game of your own besides chess and checkers (repeatable), keyed games with their page; with --export: this game only',
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
    .action(async (endings, flags) => (await import('../commands/serve.js')).runServe(endings, flags));
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
