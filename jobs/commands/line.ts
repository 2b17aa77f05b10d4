/** `mergemate probe --line`: the line of best play from a position. */

import { UserError } from '../../operators/core/errors.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { newBlockCache } from '../../pipeline/tables/probe/block-cache.js';
import { type MainLine, mainLine } from '../../pipeline/tables/probe/main-line.js';
import { isUnsure } from '../../pipeline/tables/probe/verdict.js';
import { positionReaderOf } from '../fen-lists.js';
import { PROBE_CACHE, tablesUnderRule } from '../open-prober.js';
import { type MetricOptions, metricOf } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { numbered } from '../ui/numbered-moves.js';
import { capital, hasMates, verdict } from '../ui/verdict.js';
import { positionWords } from '../user-game.js';
import { findGraph } from './asked-graph.js';
import { lookupsOf } from './graph-lookups.js';

export async function runLine(
  gameName: string,
  text: string | undefined,
  options: MetricOptions & { readonly published?: string; readonly syzygy?: string; readonly file?: string },
): Promise<void> {
  if (options.file !== undefined) throw new UserError('give either --line or --file');
  const graph = await findGraph(gameName, options.store);
  if (graph !== null) return (await lookupsOf(graph)).printLine(graph, text, options);
  if (options.syzygy !== undefined)
    throw new UserError('--line follows tables: Syzygy files do not say which win is shortest');
  if (options.published !== undefined)
    throw new UserError(
      'published tables hold wins, draws and losses, so they have no main line: --published is for keyed games',
    );
  if (text === undefined) throw new UserError(`give ${positionWords(gameName)}`);
  const game = await findGame(gameName);
  const fen = positionReaderOf(game.name)(text)?.fen ?? text;
  const board = game.parse(fen);
  const metric = metricOf(game, options.metric);
  const prober = tablesUnderRule(game, metric, storeToRead(options.store), newBlockCache(PROBE_CACHE));
  const line = await mainLine(game, prober, board);
  const mover = game.mover(board) === game.colours[0] ? 0 : 1;
  if (!options.json) return print(describe(game, board, line, metric, mover));
  await printJson({
    fen,
    metric,
    plies: line.start.plies,
    line: line.steps.map(({ san }) => san),
    uci: line.steps.map(({ uci }) => uci),
    conversions: line.steps.flatMap(({ conversion }, i) => (conversion ? [i + 1] : [])),
    restarts: line.steps.flatMap(({ restarts }, i) => (restarts ? [i + 1] : [])),
    wdl: line.result,
    precise: line.start.precise,
    category: line.start.category,
    ruleDrawsAt: line.ruleDrawsAt,
    result: score(line, mover),
  });
}

/** The points of the side that begins the game first; "*" where the 50-move rule draws this line, and may not draw a better one. */
function score(line: MainLine<unknown>, mover: Side): '1-0' | '0-1' | '1/2-1/2' | '*' {
  if (isUnsure(line.start.category) && line.ruleDrawsAt !== null) return '*';
  if (line.result !== 'win' && line.result !== 'loss') return '1/2-1/2';
  return (line.result === 'win') === (mover === 0) ? '1-0' : '0-1';
}

function describe(game: Game, board: unknown, line: MainLine<unknown>, metric: Metric, mover: Side): string {
  const head = `${game.diagram(board)}\n${verdict(line.start, metric, game.mover(board), game, game.clock?.(board))}\n`;
  if (line.result === 'draw') return `${head}\nA drawn position has no main line.\n`;
  const first = line.steps.findIndex((step) => step.restarts);
  const what = metric === 'dtz' || metric === 'dtm50' ? 'Zeroing move' : 'Conversion';
  const end = hasMates(game) ? 'mate' : 'the end';
  const note =
    first < 0 ? '' : `\n${what}: ${line.steps[first].san} (ply ${first + 1}); the line goes on to ${end}.\n`;
  const drawn =
    line.ruleDrawsAt === null
      ? ''
      : line.ruleDrawsAt === 0
        ? '\nThe 50-move rule draws the game here, before any move.\n'
        : `\nThe 50-move rule draws the game after ${line.steps[line.ruleDrawsAt - 1].san} (ply ${line.ruleDrawsAt}).\n`;
  const moves = numbered(
    line.steps.map(({ san }) => san),
    mover,
  );
  // Whose points come first is not the same in all games: others than chess say it in words.
  const colour = game.colours[(line.result === 'win') === (mover === 0) ? 0 : 1];
  const points = hasMates(game) ? score(line, mover) : `${capital(colour)} wins`;
  return `${head}\n${moves}${moves === '' ? '' : ' '}${points}\n${note}${drawn}`;
}
