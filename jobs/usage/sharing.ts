/** The options of the commands by which others get what is solved: publish, serve. */
import { type Command, Option } from 'commander';
import { codecs } from '../../pipeline/tables/codec/codec.js';
import { Defaults, FORMS } from '../cli/bounds.js';
import {
  describe,
  onlyWith,
  pliesOption,
  wholeNumber,
  withCache,
  withLookup,
  withMemory,
  withMetric,
  withScratch,
  withStore,
  withStoreOnly,
  withTables,
  withWorkers,
} from './options.js';

export function addPublish(program: Command): void {
  const command = describe(
    withTables(
      program.command('publish [game] [endings...]'),
      'the first that the game has; of a site all that are solved',
    ),
    'write small tables, Syzygy files or a web site',
    'Writes what is solved, and all that it converts to, for others: compact files that "probe --published" reads, Syzygy files, or a web site; done again, it continues.',
    `publish chess KQKR --metric dtm --to published
     publish chess --men 4 --as syzygy --to syzygy`,
  )
    .addOption(
      new Option(
        '--as <form>',
        'compact: a small file for each slice and side to move (keyed games and graphs: one or two), verified by the moves of every position; syzygy: .rtbw and .rtbz of chess solved under dtz; site: a page with its tables for any file server, without a game of the whole store',
      )
        .choices(Object.keys(FORMS))
        .default('compact'),
    )
    .option(
      '--to <uri>',
      `where the files go: a folder or s3://bucket/prefix; a site, to a folder (default: ${Object.values(FORMS).join(', ')})`,
    )
    .addOption(
      new Option(
        '--codec <name>',
        'compact: packed: five positions a byte and runs, as in 1994; huffman: run lengths, as in 2003; rows, the default: runs by what is near in the index; bytes: the same for plies and solutions of problems',
      ).choices(codecs),
    )
    .option(
      '--one-side',
      'compact: of each slice only the side to move whose file is smaller: half of the bytes, some eight lookups for positions of the other side',
    )
    .addOption(
      new Option(
        '--verify-by <what>',
        'compact: moves, the default: derive each value from the moves of its position; tables: compare it with the tables, which takes a tenth of the time',
      ).choices(['moves', 'tables']),
    )
    .option('--no-verify', 'compact: do not verify the files')
    .addOption(pliesOption())
    .option('--force', 'syzygy: write files again that are there')
    .option(
      '--published <uri>',
      'site: published tables, which answer for wins, draws and losses, and for problems',
    )
    .option('--syzygy <uri>', 'site: Syzygy files, which answer under dtz where the store has no tables')
    .option(
      '--tables <url>',
      'site: where the folder "tables" of the site will be, if not beside the page: a bucket, another host',
    );
  onlyWith(command, ['--as compact'], ['--codec', '--one-side', '--verify-by', '--no-verify']);
  onlyWith(command, ['--as syzygy'], ['--plies', '--force', '--workers', '--memory', '--scratch']);
  onlyWith(command, ['--as site'], ['--published', '--syzygy', '--tables']);
  withScratch(
    withMemory(
      withWorkers(
        command,
        'syzygy: threads, which write an ending together or several at once; they share the memory',
      ),
      ({ as, workers }) => (as === 'syzygy' ? { kind: 'solve', workers } : null),
      'syzygy: memory for buffers',
    ),
  ).action(async (gameName, names, flags) =>
    (await import('../commands/publish.js')).runPublish(gameName, names, flags),
  );
}

export function addUci(program: Command): void {
  describe(
    withLookup(
      withCache(withMetric(withStoreOnly(program.command('uci')), 'the first that the ending is solved for')),
    ),
    'play chess perfectly from tables, as a UCI engine',
    'Plays the best move of the tables as a UCI engine, for chess programs; its UCI options Store and SyzygyPath set the places of tables, too.',
    `uci --store tables
     uci --syzygy ~/syzygy`,
  ).action(async (flags) => (await import('../commands/uci.js')).runUci(flags));
}

export function addServe(program: Command): void {
  describe(
    withCache(withStore(program.command('serve')), () => ({ kind: 'serve' })),
    'serve tables over HTTP, with a page to look at them',
    'Serves the values of positions over HTTP to programs (/openapi.json) and as a page, until it is interrupted.',
    `serve --port 8080
     serve --syzygy ~/syzygy --game ./my-game.ts`,
  )
    .option(
      '--port <n>',
      'the port to listen on; 0: any that is free',
      wholeNumber('--port', { least: 0, most: 65_535 }),
      Defaults.port,
    )
    .option('--host <address>', 'the address to listen on; 0.0.0.0: all of this machine', '127.0.0.1')
    .option(
      '--published <uri>',
      'published tables, which answer for wins, draws and losses, and for problems',
    )
    .option(
      '--syzygy <uri>',
      'Syzygy files (a folder, S3, http://), which answer under dtz where the store has no tables; they need no store',
    )
    .option(
      '--game <module>',
      'a game of your own besides chess and checkers (repeatable), keyed games with their page',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option(
      '--allow-host <name>',
      'a name by which browsers and Prometheus reach this server (repeatable): /metrics, /api/run and pages of games are for addresses, ' +
        '"localhost", this machine\'s name and these',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option('--log <path>', 'append a JSON line for every request; "-" is standard error')
    .action(async (flags) => (await import('../commands/serve.js')).runServe(flags));
}
