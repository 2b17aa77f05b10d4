/** `mergemate probe`: the value of positions and of all their moves. */

import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game.js';
import { newProber, type Probed, type Prober } from '../../pipeline/probe/prober.js';
import { newPublishedProber, type PublishedCounters } from '../../pipeline/probe/published-prober.js';
import { openPublication } from '../../pipeline/publish/publication.js';
import type { Metric } from '../../pipeline/value.js';
import { complain, ExitCode } from '../exit.js';
import { answer, answersTo, linesOf } from '../fen-lists.js';
import { type MetricOptions, metricOf } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { openReadable, storeToRead } from '../stores.js';
import { bytes, percent, whole } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';
import { distance, verdict } from '../ui/verdict.js';

/** Bytes of table blocks that a prober keeps. */
export const PROBE_CACHE = 64 << 20;

interface ProbeFlags extends MetricOptions {
  readonly published?: string;
  readonly syzygy?: string;
  readonly cache: number;
  readonly file?: string;
}

export async function runProbe(
  gameName: string,
  fen: string | undefined,
  options: ProbeFlags,
): Promise<void> {
  const game = await findGame(gameName);
  if ((fen === undefined) === (options.file === undefined)) {
    throw new UserError('give either a position (a FEN, in quotes) or --file');
  }
  const { prober, caches } = await openProber(game, options);
  if (options.file !== undefined) {
    await probeLines(game, prober, options.file);
    if (caches !== null) process.stderr.write(`${caches()}\n`);
    return;
  }
  const board = game.parse(fen!);
  const probed = await prober.probe(board);
  if (options.json) await printJson(answer(fen!, probed));
  else await print(describe(game, board, probed, prober.metric));
}

/** `caches` tells how often they held what was asked for. */
async function openProber(
  game: Game,
  options: ProbeFlags,
): Promise<{ prober: Prober<unknown>; caches: (() => string) | null }> {
  const cacheBytes = options.cache;
  if (options.syzygy !== undefined)
    return { prober: await openSyzygy(game, options, options.syzygy, cacheBytes), caches: null };
  if (options.published === undefined) {
    const metric = metricOf(game, options.metric);
    const prober = newProber({ game, metric, store: storeToRead(options.store), cacheBytes });
    return { prober, caches: null };
  }
  if (options.metric !== undefined && options.metric !== 'wdl')
    throw new UserError('published tables hold wins, draws and losses: --published goes without --metric');
  const publication = await openPublication(storeToRead(options.published), game);
  const positionBytes = Math.floor(cacheBytes / 16);
  const prober = newPublishedProber({ game, publication, cacheBytes, positionBytes });
  return { prober, caches: () => cacheText(prober.counters) };
}

async function openSyzygy(
  game: Game,
  { metric, published }: ProbeFlags,
  uri: string,
  cacheBytes: number,
): Promise<Prober<unknown>> {
  if (game.name !== 'chess')
    throw new UserError(`Syzygy's files are of chess: --syzygy goes without ${game.name}`);
  if (metric !== undefined && metric !== 'dtz')
    throw new UserError(
      "Syzygy's files hold plies under the metric dtz: --syzygy goes without any other --metric",
    );
  if (published !== undefined) throw new UserError('look positions up in one place: --syzygy or --published');
  const [{ syzygyProber }, { openSyzygyTables }] = await Promise.all([
    import('../../pipeline/games/chess/syzygy/read/prober.js'),
    import('../../pipeline/games/chess/syzygy/read/tables.js'),
  ]);
  return syzygyProber(openSyzygyTables(openReadable(uri), cacheBytes)) as Prober<unknown>;
}

function cacheText({ asked, blocks, search }: PublishedCounters): string {
  return (
    `${whole(asked.positions)} positions: ${percent(asked.known, asked.positions)} in the position cache; ` +
    `${whole(search.lookups)} values looked up for the others, ${percent(blocks.hits, blocks.hits + blocks.misses)} of them ` +
    `in the block cache; ${whole(blocks.misses)} blocks read (${bytes(blocks.bytesRead)})`
  );
}

/** Answers are written together, so that a million positions are not a million writes. */
const PRINT_CHARS = 1 << 16;

async function probeLines(game: Game, prober: Prober<unknown>, path: string): Promise<void> {
  const input: Readable = path === '-' ? process.stdin : createReadStream(path);
  input.setEncoding('utf8');
  let wrong = 0;
  let held = '';
  for await (const { text, bad } of answersTo(game, prober, linesOf(input, path))) {
    if (bad) wrong++;
    held += text;
    if (held.length < PRINT_CHARS && path !== '-') continue;
    await print(held);
    held = '';
    await breathe();
  }
  await print(held);
  if (wrong === 0) return;
  complain(
    `${path === '-' ? 'standard input' : path}: ${wrong} ${wrong === 1 ? 'line' : 'lines'} could not be answered`,
  );
  process.exitCode = ExitCode.failed;
}

function describe(game: Game, board: unknown, probed: Probed<unknown>, metric: Metric): string {
  // Games with one notation have it in both names.
  const twice = probed.moves.some((move) => move.san !== move.uci);
  const rows = probed.moves.map((move) => [
    move.san,
    ...(twice ? [move.uci] : []),
    move.wdl,
    distance(move.plies, metric, game) || '-',
  ]);
  const header = ['move', ...(twice ? ['uci'] : []), 'value', 'distance'];
  const moves = rows.length === 0 ? 'no legal moves\n' : textTable(header, rows);
  return `${game.diagram(board)}\n${verdict(probed, metric, game.mover(board), game)}\n\n${moves}`;
}
