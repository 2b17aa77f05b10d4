/** `mergemate plan`: the forecast for solving endings, and how its slices are cut. */

import { UserError } from '../../operators/core/errors.js';
import { type CutSlice, cutSlices } from '../../pipeline/engine/crew/cut.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Game } from '../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../pipeline/game/manifest.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { waveSizes } from '../../pipeline/game/plan.js';
import type { Metric } from '../../pipeline/game/value.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { askEndings, metricOf, slicesOf } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { costOf, costText, solvedIn } from '../plan/cost.js';
import { estimateText } from '../plan/estimate-text.js';
import { type Forecast, makeForecast } from '../plan/forecast.js';
import { findGame } from '../registry.js';
import { type AskedRoot, askedRoot } from '../roots/asked-root.js';
import { type RootFlags, requireRoot } from '../roots/root-flags.js';
import { rootJson, rootText } from '../roots/root-text.js';
import { openStore } from '../stores.js';
import { planText } from '../ui/plan-text.js';

interface PlanFlags extends RootFlags {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory: number;
  readonly partitions?: number;
  readonly wholeBelow: number;
  readonly machines?: number;
  readonly workers: number;
  readonly rounds?: number;
  readonly verify: boolean;
  readonly json?: boolean;
  readonly estimate?: boolean;
  readonly decided?: number;
  readonly bandwidth: number;
  readonly phaseSeconds: number;
  readonly store?: string;
  readonly compareStops?: boolean;
}

/** The flags, with the metric filled in. */
type Asked = PlanFlags & { readonly metric: Metric };

export async function runPlan(gameName: string, names: string[], given: PlanFlags): Promise<void> {
  const found = await findGame(gameName);
  const flags = { ...given, metric: metricOf(found, given.metric) };
  const game = namedFor(found, flags.metric);
  if (flags.compareStops) return compare(names, flags);
  const root = await rootOf(game, names, flags);
  const slices = slicesOf(askEndings(game, root === null ? names : [root.name], flags.pieces));
  const { memory, partitions, wholeBelow } = flags;
  const ranks = flags.machines ?? 1;
  const cuts = cutSlices(game, slices, { metric: flags.metric, memory, ranks, partitions, wholeBelow });
  const forecast = flags.estimate ? await forecastOf(game, cuts, flags) : null;
  if (flags.json) {
    const { metric } = flags;
    const estimated = forecast === null ? {} : { estimate: forecast };
    const from = root === null ? {} : { root: rootJson(root) };
    await printJson({ game: game.name, metric, ...from, slices: cuts, waves: waveSizes(cuts), ...estimated });
    return;
  }
  if (root !== null) {
    const cost = await costOf(game, slices, { ...flags, solved: await solvedSlices(flags), cpuMs: 20_000 });
    await print(`${rootText(root)}${cost === null ? '' : `To solve: ${costText(cost)}\n`}\n`);
  }
  await print(planText(game, cuts));
  if (forecast !== null) await print(`\n${estimateText(game, forecast)}`);
}

/** What each place to stop at takes, of the position that `--from` gives. */
async function compare(names: readonly string[], flags: Asked): Promise<void> {
  const { from, metric, store, json } = flags;
  requireRoot(flags, names);
  const { cheapest, compareStops, requireNoLimits, stopsText } = await import('../roots/stops.js');
  requireNoLimits(flags);
  const stops = await compareStops(
    { ...flags, from: from! },
    store === undefined ? null : openStore(store),
    metric,
  );
  await (json
    ? printJson({ game: 'chess', metric, stops, cheapest: cheapest(stops) })
    : print(stopsText(stops)));
}

/** The root that `--from` asks for; null without it. Throws UserError. */
async function rootOf(game: Game, names: readonly string[], flags: Asked): Promise<AskedRoot | null> {
  const { from, metric, store } = flags;
  requireRoot(flags, names);
  if (from === undefined) return null;
  return askedRoot(game.name, { ...flags, from }, store === undefined ? null : openStore(store), metric);
}

async function solvedSlices({ store, metric }: Asked): Promise<Set<string>> {
  return store === undefined ? new Set() : solvedIn(openStore(store), 'chess', metric);
}

async function forecastOf(game: Game, cuts: readonly CutSlice[], flags: Asked): Promise<Forecast> {
  const { bandwidth } = flags;
  if (isClocked(flags.metric))
    throw new UserError(
      `--estimate foresees rounds that stream: under ${flags.metric} slices are solved in memory, which plan says without it`,
    );
  if (bandwidth === 0) throw new UserError('--bandwidth must be more than 0 bytes a second');
  const { metric, verify, rounds, decided, workers, phaseSeconds } = flags;
  return await makeForecast(game, cuts, {
    metric,
    verify,
    rounds,
    decided,
    solved: await roundsOfSolved(game, cuts, flags),
    machines: { count: flags.machines ?? 1, workers, bandwidth, phaseSeconds },
  });
}

/** The rounds of the tables that are in the store, if one is named. */
async function roundsOfSolved(
  game: Game,
  cuts: readonly CutSlice[],
  { store: uri, metric }: Asked,
): Promise<Map<string, number>> {
  const solved = new Map<string, number>();
  if (uri === undefined) return solved;
  const store = openStore(uri);
  for (const { slice } of cuts) {
    const table = await readManifest(store, tableManifestName(game.name, metric, slice), TableManifest);
    if (table !== null) solved.set(slice, table.rounds);
  }
  return solved;
}
