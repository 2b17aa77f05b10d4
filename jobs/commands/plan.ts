/** `mergemate plan`: what solving endings would take, before anything is solved, and as a workflow for batch engines. */

import { UserError } from '../../operators/core/errors.js';
import { type CutSlice, cutSlices } from '../../pipeline/cut.js';
import { roundsByGrowth } from '../../pipeline/estimate/work.js';
import type { Game } from '../../pipeline/game.js';
import { readManifest, TableManifest } from '../../pipeline/manifest.js';
import { waveSizes } from '../../pipeline/plan.js';
import { fixPlan } from '../../pipeline/steps/plan.js';
import { tableManifestName } from '../../pipeline/table/names.js';
import type { Metric } from '../../pipeline/value.js';
import { readCalibration } from '../calibration-file.js';
import { askEndings, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { argoYaml } from '../plan/argo.js';
import { awsBatchJson } from '../plan/aws-batch.js';
import { type Forecast, makeForecast } from '../plan/forecast.js';
import type { WorkflowFormat } from '../plan/formats.js';
import { kubernetesYaml } from '../plan/kubernetes.js';
import { labelOf, type WorkflowPhase, workflowOf } from '../plan/workflow.js';
import { readPrices } from '../prices.js';
import { findGame } from '../registry.js';
import { openStore } from '../stores.js';
import { askedWords } from '../tables.js';
import { estimateText } from '../ui/estimate-text.js';
import { planText } from '../ui/plan-text.js';
import { isGameModule } from '../user-game.js';

interface PlanFlags {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory: number;
  readonly partitions?: number;
  readonly wholeBelow: number;
  readonly commit?: boolean;
  readonly machines: number;
  readonly workers: number;
  readonly rounds?: number;
  readonly verify: boolean;
  readonly json?: boolean;
  readonly estimate?: boolean;
  readonly decided?: number;
  readonly bandwidth: number;
  readonly phaseSeconds: number;
  readonly calibration?: string;
  readonly prices?: string;
  readonly pricePuts?: number;
  readonly priceGets?: number;
  readonly priceStorage?: number;
  readonly priceMachine?: number;
  readonly format?: WorkflowFormat;
  readonly store?: string;
  readonly image?: string;
  readonly queue?: string;
  readonly scratch: string;
}

/** With what the game's metric is. */
type Asked = PlanFlags & { readonly metric: Metric };

export async function runPlan(gameName: string, names: string[], given: PlanFlags): Promise<void> {
  const game = await findGame(gameName);
  const flags = { ...given, metric: metricOf(game, given.metric) };
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const { memory, partitions, wholeBelow } = flags;
  const cuts = cutSlices(game, slices, { memory, partitions, wholeBelow });
  if (flags.commit) await commitPlans(game, cuts, flags);
  if (flags.format !== undefined) {
    if (flags.estimate || flags.json)
      throw new UserError('--format writes a workflow: --estimate and --json do not go with it');
    await print(workflowText(game, gameName, askedWords(names, flags.pieces), cuts, flags));
    return;
  }
  const forecast = flags.estimate ? await forecastOf(game, cuts, flags) : null;
  if (flags.json) {
    const { metric } = flags;
    const estimated = forecast === null ? {} : { estimate: forecast };
    await printJson({ game: game.name, metric, slices: cuts, waves: waveSizes(cuts), ...estimated });
    return;
  }
  await print(planText(game, cuts));
  if (forecast !== null) await print(`\n${estimateText(game, forecast)}`);
}

/** Fixes in the store how slices are cut, for steps that no driver starts. */
async function commitPlans(game: Game, cuts: readonly CutSlice[], flags: Asked): Promise<void> {
  if (flags.store === undefined) throw new UserError('--commit: name the store, --store URI');
  const store = openStore(flags.store);
  for (const { slice, partitions } of cuts) {
    if (partitions === 1) continue;
    const plan = await fixPlan({ store, game, metric: flags.metric, slice }, partitions);
    const fixed = plan.partitions.length;
    if (fixed !== partitions)
      throw new UserError(
        `${slice} was cut into ${fixed} partitions before: plan with --partitions ${fixed}`,
      );
  }
}

async function forecastOf(game: Game, cuts: readonly CutSlice[], flags: Asked): Promise<Forecast> {
  const { bandwidth } = flags;
  if (bandwidth === 0) throw new UserError('--bandwidth: 0 bytes a second move nothing');
  const { metric, verify, rounds, decided, workers, phaseSeconds } = flags;
  return await makeForecast(game, cuts, {
    solved: await roundsOfSolved(game, cuts, flags),
    metric,
    verify,
    rounds,
    decided,
    machines: { count: flags.machines, workers, bandwidth, phaseSeconds },
    calibration: await readCalibration(flags.calibration),
    prices: await readPrices(flags.prices, {
      thousandPuts: flags.pricePuts,
      thousandGets: flags.priceGets,
      gigabyteMonth: flags.priceStorage,
      machineHour: flags.priceMachine,
    }),
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

function workflowText(
  game: Game,
  gameName: string,
  asked: string,
  cuts: readonly CutSlice[],
  flags: Asked,
): string {
  const { format, metric, image, store, queue, workers, machines, scratch, verify, rounds } = flags;
  if (store === undefined) throw new UserError(`--format ${format}: name the store, --store URI`);
  if (image === undefined) throw new UserError(`--format ${format}: name the container image, --image NAME`);
  const options = {
    game: game.name,
    module: isGameModule(gameName) ? gameName : undefined,
    metric,
    store,
    image,
    workers,
    machines,
    scratch,
    verify,
    // Nobody knows the rounds beforehand: twice what they usually grow to.
    rounds: (positions: number) => rounds ?? 2 * roundsByGrowth(positions),
  };
  const name = `mergemate-${game.name}-${metric}-${labelOf(asked)}`.slice(0, 52).replace(/-$/, '');
  const phases: WorkflowPhase[] = workflowOf(cuts, options);
  if (format === 'argo') return argoYaml(phases, name, options);
  if (format === 'k8s') return kubernetesYaml(phases, name, options);
  if (queue === undefined) throw new UserError('--format aws-batch: name the job queue, --queue NAME');
  return awsBatchJson(phases, name, queue, options);
}
