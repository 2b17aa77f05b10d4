/** `mergemate probe`: the value of positions and of all their moves. */

import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { Probed } from '../../pipeline/tables/probe/prober.js';
import { complain, ExitCode } from '../exit.js';
import { answer, answersTo, LONGEST_LINE, positionReaderOf, type ReadPosition } from '../fen-lists.js';
import {
  type LookupFlags,
  openAllMetrics,
  openProber,
  type Probings,
  type UnderMetric,
} from '../open-prober.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { linesOf, textOf } from '../text-lines.js';
import { count } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';
import { distance, isDoubtful, verdict } from '../ui/verdict.js';
import { positionWords } from '../user-game.js';
import { type AskedGraph, findGraph, refuse } from './asked-graph.js';
import { lookupsOf } from './graph-lookups.js';

interface ProbeFlags extends LookupFlags {
  readonly file?: string;
}

export async function runProbe(
  gameName: string,
  text: string | undefined,
  options: ProbeFlags,
): Promise<void> {
  const graph = await findGraph(gameName, options.store);
  if (graph !== null) return probeGraph(graph, text, options);
  const game = await findGame(gameName);
  const read = positionReaderOf(game.name);
  const fen = text === undefined ? undefined : (read(text)?.fen ?? text);
  if ((fen === undefined) === (options.file === undefined)) {
    throw new UserError(`give either ${positionWords(gameName)} or --file`);
  }
  const asksOne = [options.metric, options.published, options.syzygy].some((each) => each !== undefined);
  const { probe, caches } = asksOne
    ? await openOneMetric(game, options)
    : { probe: openAllMetrics(game, options), caches: null };
  const answerTo = (text: string, all: Probings) =>
    asksOne ? answer(game.name, text, all[0].probed) : answerUnderAll(game.name, text, all);
  if (options.file !== undefined) {
    await probeLines(async (line) => answerTo(line, await probe(game.parse(line))), options.file, read);
    if (caches !== null) process.stderr.write(`${caches()}\n`);
    return;
  }
  const board = game.parse(fen!);
  const probed = await probe(board);
  if (!options.json) return print(describe(game, board, probed));
  await printJson(answerTo(fen!, probed));
}

async function openOneMetric(
  game: Game,
  options: ProbeFlags,
): Promise<{ probe: (board: unknown) => Promise<Probings>; caches: (() => string) | null }> {
  const { prober, caches } = await openProber(game, options);
  const probe = async (board: unknown): Promise<Probings> => [
    { metric: prober.metric, probed: await prober.probe(board) },
  ];
  return { probe, caches };
}

/** The answer under the first metric, with those under each as `metrics`. */
function answerUnderAll(game: string, fen: string, all: Probings): object {
  const answers = all.map(({ metric, probed }) => [metric, answer(game, fen, probed)] as const);
  return { ...answers[0][1], metrics: Object.fromEntries(answers) };
}

async function probeGraph(
  asked: AskedGraph,
  text: string | undefined,
  { file, syzygy, ...flags }: ProbeFlags,
): Promise<void> {
  refuse(asked, [], { syzygy });
  const lookups = await lookupsOf(asked);
  if (file === undefined) return lookups.probeOne(asked, text, flags);
  if (text !== undefined)
    throw new UserError(`give either a ${asked.game === null ? 'node' : 'position'} or --file`);
  await probeLines(await lookups.answersOf(asked, flags), file, positionReaderOf(''));
}

/** Answers are written together, so that a million positions are not a million writes. */
const PRINT_CHARS = 1 << 16;

async function probeLines(
  answered: (fen: string) => Promise<object>,
  path: string,
  read: ReadPosition,
): Promise<void> {
  let wrong = 0;
  let held = '';
  for await (const { text, bad } of answersTo(answered, linesOf(textOf(path), path, LONGEST_LINE), read)) {
    if (bad) wrong++;
    held += text;
    if (held.length < PRINT_CHARS && path !== '-') continue;
    await print(held);
    held = '';
    await breathe();
  }
  await print(held);
  if (wrong === 0) return;
  complain(`${path === '-' ? 'standard input' : path}: ${count(wrong, 'line')} could not be answered`);
  process.exitCode = ExitCode.failed;
}

/** @param all under one metric or more: the first orders the moves. */
function describe(game: Game, board: unknown, all: Probings): string {
  const [{ metric, probed }, ...others] = all;
  // Games with one notation have it in both names.
  const twice = probed.moves.some((move) => move.san !== move.uci);
  const clock = game.clock?.(board) ?? 0;
  const rows = probed.moves.map((move) => [
    move.san,
    ...(twice ? [move.uci] : []),
    worth(move, metric, clock),
    ...(others.length === 0 ? [distance(move, metric, game) || '-'] : []),
    ...(others.length === 0
      ? []
      : all.map((each) => cell(each, worth(move, metric, clock), move.uci, clock))),
  ]);
  const distances = others.length === 0 ? ['distance'] : all.map((each) => each.metric);
  const header = ['move', ...(twice ? ['uci'] : []), 'value', ...distances];
  const moves = rows.length === 0 ? 'no legal moves\n' : textTable(header, rows);
  const verdicts = all.map((each) => {
    const says = verdict(each.probed, each.metric, game.mover(board), game, clock);
    return others.length === 0 ? says : `${each.metric.padEnd(5)}  ${says}`;
  });
  return `${game.diagram(board)}\n${verdicts.join('\n')}\n\n${moves}`;
}

type ListedMove = Probed<unknown>['moves'][0];

/** "win", "win?" where the 50-move rule may make a draw of it. */
function worth({ wdl, category }: ListedMove, metric: Metric, clock: number): string {
  return isDoubtful(category, metric, clock) ? `${wdl}?` : wdl;
}

/** Plies of a move under a metric; with what it is worth, where that is not what the first metric says. */
function cell({ metric, probed }: UnderMetric, first: string, uci: string, clock: number): string {
  const move = probed.moves.find((each) => each.uci === uci)!;
  const plies = move.plies === null ? '-' : String(move.plies);
  const own = worth(move, metric, clock);
  return own === first ? plies : `${own}${move.plies === null ? '' : ` ${plies}`}`;
}
