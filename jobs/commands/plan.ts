/** `mergemate plan`: what solving endings would take, before anything is solved, and as a workflow for batch engines. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { type CutSlice, cutSlices, roundsByGrowth, WHOLE_BELOW } from '../../pipeline/cut.js';
import type { Game } from '../../pipeline/game.js';
import { readManifest, TableManifest } from '../../pipeline/manifest.js';
import { waveSizes } from '../../pipeline/plan.js';
import { fixPlan } from '../../pipeline/steps/plan.js';
import { tableManifestName } from '../../pipeline/table/names.js';
import type { Metric } from '../../pipeline/value.js';
import { Bounds } from '../bounds.js';
import { readCalibration } from '../calibration-file.js';
import { askEndings, metricOf, slicesOf, wholeNumber, withMetric, withPieces } from '../options.js';
import { print, printJson } from '../output.js';
import { argoYaml } from '../plan/argo.js';
import { awsBatchJson } from '../plan/aws-batch.js';
import { type Forecast, makeForecast } from '../plan/forecast.js';
import { kubernetesYaml } from '../plan/kubernetes.js';
import { labelOf, type WorkflowPhase, workflowOf } from '../plan/workflow.js';
import { priceOf, readPrices } from '../prices.js';
import { findGame } from '../registry.js';
import { parseSize } from '../sizes.js';
import { openStore } from '../stores.js';
import { askedWords } from '../tables.js';
import { estimateText } from '../ui/estimate-text.js';
import { planText } from '../ui/plan-text.js';
import { isGameModule } from '../user-game.js';

const formats = ['argo', 'k8s', 'aws-batch'] as const;

interface PlanFlags {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory: string;
  readonly partitions?: number;
  readonly wholeBelow: string;
  readonly commit?: boolean;
  readonly machines: number;
  readonly workers: number;
  readonly rounds?: number;
  readonly verify: boolean;
  readonly json?: boolean;
  readonly estimate?: boolean;
  readonly decided?: number;
  readonly bandwidth: string;
  readonly phaseSeconds: number;
  readonly calibration?: string;
  readonly prices?: string;
  readonly pricePuts?: number;
  readonly priceGets?: number;
  readonly priceStorage?: number;
  readonly priceMachine?: number;
  readonly format?: (typeof formats)[number];
  readonly store?: string;
  readonly image?: string;
  readonly queue?: string;
  readonly scratch: string;
}

/** With what the game's metric is. */
type Asked = PlanFlags & { readonly metric: Metric };

export function addPlan(program: Command): void {
  const command = withPieces(withMetric(program.command('plan <game> [endings...]')))
    .summary('what solving would take, before anything is solved')
    .description(
      'Lists the slices that have to be solved, in order, and how they are cut into tasks: small ones are one step, large\n' +
        'ones a sequence of phases of as many tasks as there are partitions. Slices of one wave do not depend on each other.\n' +
        'With --estimate, what that will take; with --format, the steps as a workflow for a batch engine. Nothing is solved.',
    )
    .option('--memory <size>', 'buffers of a rank', '256MiB')
    .option(
      '--partitions <n>',
      'partitions of a large slice (default: as many as pay, at most one for each machine)',
      wholeNumber('--partitions', 1, 65536),
    )
    .option(
      '--whole-below <size>',
      'slices with fewer bytes of labels are solved whole, by one rank',
      WHOLE_BELOW,
    )
    .option('--machines <n>', 'ranks, each on a machine of its own', wholeNumber('--machines', 1, 65536), 1)
    .option(
      '--workers <n>',
      'threads of a rank',
      wholeNumber('--workers', Bounds.workers.least, Bounds.workers.most),
      1,
    )
    .option('--rounds <n>', 'rounds of every large slice', wholeNumber('--rounds', 1, 65535))
    .option('--no-verify', 'leave the verification out')
    .option('--json', 'print JSON');
  addEstimateFlags(command);
  addFormatFlags(command);
  command.action(runPlan);
}

function addEstimateFlags(command: Command): void {
  command
    .option('--estimate', 'forecast work, traffic, time and cost')
    .option('--decided <share>', 'share of the positions that are won or lost, 0 to 1', readShare)
    .option('--bandwidth <size>', 'bytes a second between a machine and the store', '100MB')
    .option(
      '--phase-seconds <n>',
      'seconds that a barrier takes beside the answers of the store',
      wholeNumber('--phase-seconds', 0, 86400),
      0,
    )
    .option('--calibration <file>', 'what "npm run bench -- --only estimate" measured on your machine')
    .option('--prices <file>', 'JSON: thousandPuts, thousandGets, gigabyteMonth, machineHour')
    .option('--price-puts <money>', 'a thousand PUTs or LISTs', priceOf('--price-puts'))
    .option('--price-gets <money>', 'a thousand GETs', priceOf('--price-gets'))
    .option('--price-storage <money>', 'a gigabyte (10^9 bytes) for a month', priceOf('--price-storage'))
    .option('--price-machine <money>', 'a machine for an hour', priceOf('--price-machine'));
}

function addFormatFlags(command: Command): void {
  command
    .addOption(new Option('--format <engine>', 'write a workflow to stdout').choices(formats))
    .option(
      '--store <uri>',
      'the store; with --estimate, tables that are there take nothing more and tell their rounds',
    )
    .option(
      '--commit',
      'fix in the store how slices are cut, for steps that are not started by "mergemate solve"',
    )
    .option('--image <name>', 'with --format: a container image that has mergemate')
    .option('--queue <name>', 'with --format aws-batch: the job queue')
    .option('--scratch <folder>', 'with --format: folder in the container for runs of a task', '/scratch');
}

async function runPlan(gameName: string, names: string[], given: PlanFlags): Promise<void> {
  const game = await findGame(gameName);
  const flags = { ...given, metric: metricOf(game, given.metric) };
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const memory = parseSize(flags.memory, '--memory');
  if (memory < Bounds.memory.least)
    throw new UserError(`--memory: ${memory} bytes are too few, at least 1MiB is needed`);
  const wholeBelow = parseSize(flags.wholeBelow, '--whole-below');
  const { partitions, machines: ranks } = flags;
  const cuts = cutSlices(game, slices, { memory, ranks, partitions, wholeBelow });
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
  const bandwidth = parseSize(flags.bandwidth, '--bandwidth');
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

function readShare(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new UserError(`--decided: ${JSON.stringify(text)} is no share from 0 to 1`);
}
