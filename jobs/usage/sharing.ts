/** The commands by which others get what is solved. */
import { codecs } from '../../pipeline/tables/codec/codec.js';
import { Defaults, FORMS } from '../cli/bounds.js';
import {
  cache,
  json,
  lookup,
  memory,
  metric,
  option,
  plies,
  scratch,
  store,
  tables,
  type Usage,
  workers,
} from './options.js';

export const publish: Usage = {
  operands: '[game] [endings...]',
  summary: 'write small tables, Syzygy files or a web site',
  text: 'Writes what is solved, and all that it converts to, for others: compact files that "probe --published" reads, Syzygy files, or a web site; done again, it continues.',
  examples: [
    'publish chess KQKR --metric dtm --to published',
    'publish chess --men 4 --as syzygy --to syzygy',
  ],
  options: [
    ...tables('the first that the game has; of a site all that are solved'),
    option(
      '--as <form>',
      'compact: a small file for each slice and side to move (keyed games and graphs: one or two), verified by the moves of every position; syzygy: .rtbw and .rtbz of chess solved under dtz; site: a page with its tables for any file server, without a game of the whole store',
    )
      .choices(Object.keys(FORMS))
      .default('compact'),
    option(
      '--to <uri>',
      `where the files go: a folder or s3://bucket/prefix; a site, to a folder (default: ${Object.values(FORMS).join(', ')})`,
    ),
    option(
      '--codec <name>',
      'packed: five positions a byte and runs, as in 1994; huffman: run lengths, as in 2003; rows, the default: runs by what is near in the index; bytes: the same for plies and solutions of problems',
    )
      .choices(codecs)
      .needs('--as compact'),
    option(
      '--one-side',
      'of each slice only the side to move whose file is smaller: half of the bytes, some eight lookups for positions of the other side',
    ).needs('--as compact'),
    option(
      '--verify-by <what>',
      'moves, the default: derive each value from the moves of its position; tables: compare it with the tables, which takes a tenth of the time',
    )
      .choices(['moves', 'tables'])
      .conflicts('verify')
      .needs('--as compact'),
    option('--no-verify', 'do not verify the files').needs('--as compact'),
    plies().needs('--as syzygy'),
    option('--force', 'write files again that are there').needs('--as syzygy'),
    option(
      '--published <uri>',
      'published tables, which answer for wins, draws and losses, and for problems',
    ).needs('--as site'),
    option('--syzygy <uri>', 'Syzygy files, which answer under dtz where the store has no tables').needs(
      '--as site',
    ),
    option(
      '--tables <url>',
      'where the folder "tables" of the site will be, if not beside the page: a bucket, another host',
    ).needs('--as site'),
    workers('threads, which write an ending together or several at once; they share the memory').needs(
      '--as syzygy',
    ),
    memory()
      .fits(({ as, workers }) => (as === 'syzygy' ? { kind: 'solve', workers } : null))
      .needs('--as syzygy'),
    scratch().needs('--as syzygy'),
  ],
  load: async () => (await import('../commands/publish.js')).runPublish,
};

export const uci: Usage = {
  operands: '',
  summary: 'play chess perfectly from tables, as a UCI engine',
  text: 'Plays the best move of the tables as a UCI engine, for chess programs; its UCI options Store and SyzygyPath set the places of tables, too.',
  examples: ['uci --store tables', 'uci --syzygy ~/syzygy'],
  options: [store(), metric('the first that the ending is solved for'), cache(), ...lookup()],
  load: async () => (await import('../commands/uci.js')).runUci,
};

export const serve: Usage = {
  operands: '',
  summary: 'serve tables over HTTP, with a page to look at them',
  text: 'Serves the values of positions over HTTP to programs (/openapi.json) and as a page, until it is interrupted.',
  examples: ['serve --port 8080', 'serve --syzygy ~/syzygy --game ./my-game.ts'],
  options: [
    store(),
    json(),
    cache().fits(() => ({ kind: 'serve' })),
    option('--port <n>', 'the port to listen on; 0: any that is free')
      .number(0, 65_535)
      .default(Defaults.port),
    option('--host <address>', 'the address to listen on; 0.0.0.0: all of this machine').default('127.0.0.1'),
    option(
      '--published <uri>',
      'published tables, which answer for wins, draws and losses, and for problems',
    ),
    option(
      '--syzygy <uri>',
      'Syzygy files (a folder, S3, http://), which answer under dtz where the store has no tables; they need no store',
    ),
    option(
      '--game <module>',
      'a game of your own besides chess and checkers (repeatable), keyed games with their page',
    )
      .repeatable()
      .default([]),
    option(
      '--allow-host <name>',
      'a name by which browsers and Prometheus reach this server (repeatable): /metrics, /api/run and pages of games are for addresses, ' +
        '"localhost", this machine\'s name and these',
    )
      .repeatable()
      .default([]),
    option('--log <path>', 'append a JSON line for every request; "-" is standard error'),
  ],
  load: async () => (await import('../commands/serve.js')).runServe,
};
