/**
 * Commands for modules that have a keyed game: its positions lie in the store as a graph, so the commands of graphs do the
 * work. Flags that mean nothing to such a game are refused.
 */
import { UserError } from '../../operators/core/errors.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-game.js';
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import type { KeyedProber, ProbedPosition } from '../../pipeline/graph/keyed-prober.js';
import { tableManifestName } from '../../pipeline/table/names.js';
import type { Metric } from '../../pipeline/value.js';
import { Defaults } from '../bounds.js';
import type { EngineName } from '../engines/names.js';
import type { Format } from '../export/format.js';
import type { CommonOptions, MetricOptions, VerifyOptions } from '../options.js';
import { metricOf } from '../options.js';
import { print, printJson } from '../output.js';
import { parseMemory } from '../sizes.js';
import { storeToRead } from '../stores.js';

/** A keyed game, and the path by which it was asked for. */
export interface AskedKeyed {
  readonly game: KeyedRules;
  readonly path: string;
}

/** @throws UserError for endings, and for flags that were given. */
export function requireNone({ game }: AskedKeyed, names: readonly string[], flags: object = {}): void {
  if (names.length > 0)
    throw new UserError(`${game.name} is a keyed game, which has no endings: it is solved as a whole`);
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined || value === false) continue;
    const called = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UserError(`--${called} is not for keyed games, and ${game.name} is one`);
  }
}

function keyedMetric({ game }: AskedKeyed, asked: string | undefined): Metric {
  return metricOf({ name: game.name, metrics: graphs.metrics }, asked);
}

/** The metric that is asked for. @throws UserError, with the command that solves the game, if it is not solved for it. */
export async function solvedMetric(
  asked: AskedKeyed,
  { store: uri, metric: named }: MetricOptions,
): Promise<Metric> {
  const metric = keyedMetric(asked, named);
  const store = storeToRead(uri);
  if ((await store.size(tableManifestName(GRAPH, metric, asked.game.name))) !== null) return metric;
  throw new UserError(
    `${asked.game.name} is not solved for ${metric} in ${store.uri}: run "mergemate solve ${asked.path} --metric ${metric}" first`,
  );
}

/** The options of `mergemate solve` that mean something to keyed games. */
export interface KeyedSolveFlags extends MetricOptions {
  readonly memory?: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly workers?: number;
  readonly engine?: EngineName;
  readonly sbatchArg?: string[];
  readonly logs?: string;
}

export async function solveKeyedGame(
  asked: AskedKeyed,
  names: readonly string[],
  flags: KeyedSolveFlags & { readonly [other: string]: unknown },
): Promise<void> {
  const { store, json, metric, memory, scratch, verify, workers, engine, sbatchArg, logs, ...others } = flags;
  requireNone(asked, names, others);
  const given = { json, scratch, workers, engine, sbatchArg, logs };
  const { runSolve } = await import('./graph-solve.js');
  await runSolve(asked.path, {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    ...{ store, verify, metric: keyedMetric(asked, metric) },
    memory: memory ?? parseMemory(Defaults.memory, 'default'),
  });
}

export async function statsOfKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  { pieces, ...flags }: MetricOptions & { readonly pieces?: number },
): Promise<void> {
  requireNone(asked, names, { pieces });
  const { runStats } = await import('./graph-stats.js');
  await runStats(asked.path, { ...flags, metric: await solvedMetric(asked, flags) });
}

export async function verifyKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  flags: VerifyOptions,
): Promise<void> {
  const { pieces, published, workers } = flags;
  requireNone(asked, names, { pieces, published, workers: workers > 1 });
  const { runVerify } = await import('./graph-verify.js');
  await runVerify(asked.path, { ...flags, metric: await solvedMetric(asked, flags) });
}

interface ExportFlags extends MetricOptions {
  readonly format?: Format;
  readonly out: string;
  readonly force?: boolean;
  readonly pieces?: number;
  readonly columns?: string;
}

export async function exportKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  flags: ExportFlags,
): Promise<void> {
  const { pieces, columns } = flags;
  requireNone(asked, names, { pieces, columns });
  const { runExport } = await import('./graph.js');
  const memory = parseMemory(Defaults.memory, 'default');
  await runExport(asked.path, { ...flags, memory, metric: await solvedMetric(asked, flags) });
}

/** A prober that reads a few blocks for each position. */
export async function keyedProber(
  asked: AskedKeyed,
  { published, ...flags }: MetricOptions & { readonly published?: string },
): Promise<KeyedProber<unknown>> {
  if (published !== undefined) {
    const { openPublishedKeyed } = await import('../../pipeline/publish/keyed/published-keyed.js');
    return openPublishedKeyed(asked.game, storeToRead(published), keyedMetric(asked, flags.metric));
  }
  const metric = await solvedMetric(asked, flags);
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  return openKeyedProber(asked.game, storeToRead(flags.store), metric);
}

/** Looks a position up, or all roots if none is asked for. */
export async function probeKeyed(
  asked: AskedKeyed,
  text: string | undefined,
  flags: MetricOptions & { readonly published?: string },
): Promise<void> {
  const { game } = asked;
  const { probedPositionJson, probedPositionText, rootLine } = await import('../ui/keyed-text.js');
  const position = text === undefined ? null : game.parse(text);
  const prober = await keyedProber(asked, flags);
  if (text !== undefined) {
    const probed = await prober.probe(position);
    if (flags.json) await printJson(probedPositionJson(game, position, probed));
    else await print(probedPositionText(game, position, probed));
    return;
  }
  const roots = [...game.roots()];
  const probed: ProbedPosition<unknown>[] = [];
  for (const root of roots) probed.push(await prober.probe(root));
  if (flags.json)
    return printJson({ roots: roots.map((root, i) => probedPositionJson(game, root, probed[i]!)) });
  if (roots.length === 1) return print(probedPositionText(game, roots[0], probed[0]!));
  await print(roots.map((root, i) => rootLine(game, root, probed[i]!)).join(''));
}

/** The line of best play from a position, or from the first root. */
export async function lineOfKeyed(
  asked: AskedKeyed,
  text: string | undefined,
  flags: MetricOptions,
): Promise<void> {
  const { game } = asked;
  const position = text === undefined ? [...game.roots()][0] : game.parse(text);
  const prober = await keyedProber(asked, flags);
  const { keyedLine } = await import('../../pipeline/graph/keyed-line.js');
  const { keyedLineJson, keyedLineText } = await import('../ui/keyed-text.js');
  const line = await keyedLine(prober, position);
  if (flags.json) await printJson(keyedLineJson(game, position, line, prober.metric));
  else await print(keyedLineText(game, position, line));
}

/** Roots that are printed when a game is solved. */
const MOST_ROOTS = 20;

/** Winners from the first few roots of a game that was solved as `name`. */
export async function solvedRoots(
  game: KeyedRules,
  name: string,
  { store, metric }: CommonOptions & { readonly metric: Metric },
): Promise<{ text: string; json: object[] }> {
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  const { rootJson, rootLine } = await import('../ui/keyed-text.js');
  const prober = await openKeyedProber(game, storeToRead(store), metric, name);
  const json: object[] = [];
  let text = '';
  for (const root of game.roots()) {
    if (json.length === MOST_ROOTS) {
      text += '… "mergemate probe" without a position tells of all roots\n';
      break;
    }
    const probed = await prober.probe(root);
    json.push(rootJson(game, root, probed));
    text += rootLine(game, root, probed);
  }
  return { text, json };
}
