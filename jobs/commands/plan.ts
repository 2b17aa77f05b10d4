/** `mergemate plan`: what solving endings would take, before anything is solved, and as a workflow for batch engines. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { type CutSlice, cutSlices, WHOLE_BELOW } from '../../pipeline/cut.js';
import type { Game } from '../../pipeline/game.js';
import { waveSizes } from '../../pipeline/plan.js';
import type { Metric } from '../../pipeline/value.js';
import { Bounds } from '../bounds.js';
import { readCalibration } from '../calibration-file.js';
import { askEndings, metricOf, slicesOf, withMetric, withPieces } from '../options.js';
import { print, printJson } from '../output.js';
import { awsBatchJson } from '../plan/aws-batch.js';
import { type Forecast, makeForecast } from '../plan/forecast.js';
import { kubernetesYaml } from '../plan/kubernetes.js';
import { labelOf, rankJob } from '../plan/rank-job.js';
import { slurmScript } from '../plan/slurm.js';
import { priceOf, readPrices } from '../prices.js';
import { findGame } from '../registry.js';
import { parseSize } from '../sizes.js';
import { askedWords } from '../tables.js';
import { estimateText } from '../ui/estimate-text.js';
import { planText } from '../ui/plan-text.js';
import { wholeNumber } from '../whole-number.js';

const formats = ['slurm', 'k8s', 'aws-batch'] as const;

interface PlanFlags {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory: string;
  readonly partitions?: number;
  readonly wholeBelow: string;
  readonly machines?: number;
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
  readonly scratch?: string;
}

/** With what the game's metric is. */
type Asked = PlanFlags & { readonly metric: Metric };

export function addPlan(program: Command): void {
  const command = withPieces(withMetric(program.command('plan <game> [endings...]')))
    .summary('what solving would take, before anything is solved')
    .description(
      'Lists the slices that have to be solved, in order, and how they are cut: small ones are solved by one rank each, large\n' +
        'ones by all ranks together. Slices of one wave do not depend on each other.\n' +
        'With --estimate, what that will take; with --format, a job of ranks for a batch engine. Nothing is solved.',
    )
    .option('--memory <size>', 'buffers of a rank', '256MiB')
    .option(
      '--partitions <n>',
      'the most partitions of a slice (default: as many as let their labels fit the memory; with --format, one for each rank)',
      wholeNumber('--partitions', 1, 65536),
    )
    .option(
      '--whole-below <size>',
      'slices with fewer bytes of labels are solved by one rank each',
      WHOLE_BELOW,
    )
    .option(
      '--machines <n>',
      'ranks that solve together (default: 1; with --format, as many as --partitions)',
      wholeNumber('--machines', 1, 65536),
    )
    .option(
      '--workers <n>',
      'threads of a machine',
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
      'seconds an engine takes from phase to phase',
      wholeNumber('--phase-seconds', 0, 86400),
      5,
    )
    .option('--calibration <file>', 'what "npm run bench -- --only estimate" measured on your machine')
    .option('--prices <file>', 'JSON: thousandPuts, thousandGets, gigabyteMonth, machineHour')
    .option('--price-puts <money>', 'a thousand PUTs or LISTs', priceOf('--price-puts'))
    .option('--price-gets <money>', 'a thousand GETs', priceOf('--price-gets'))
    .option('--price-storage <money>', 'a gigabyte (10^9 bytes) for a month', priceOf('--price-storage'))
    .option('--price-machine <money>', 'a machine for an hour', priceOf('--price-machine'));
}

/** Of the image (Containerfile). */
const SCRATCH = '/scratch';

function addFormatFlags(command: Command): void {
  command
    .addOption(new Option('--format <engine>', 'write a job of ranks to stdout').choices(formats))
    .option('--store <uri>', 'with --format: the store, as all machines reach it')
    .option('--image <name>', 'with --format k8s or aws-batch: a container image that has mergemate')
    .option('--queue <name>', 'with --format aws-batch: the job queue')
    .option(
      '--scratch <folder>',
      `with --format: folder for runs of a rank (default: ${SCRATCH} in containers)`,
    );
}

async function runPlan(gameName: string, names: string[], given: PlanFlags): Promise<void> {
  const game = await findGame(gameName);
  const flags = { ...given, metric: metricOf(game, given.metric) };
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const memory = parseSize(flags.memory, '--memory');
  if (memory < Bounds.memory.least)
    throw new UserError(`--memory: ${memory} bytes are too few, at least 1MiB is needed`);
  const wholeBelow = parseSize(flags.wholeBelow, '--whole-below');
  const cuts = cutSlices(game, slices, { memory, partitions: flags.partitions, wholeBelow });
  if (flags.format !== undefined) {
    if (flags.estimate || flags.json)
      throw new UserError('--format writes a job: --estimate and --json do not go with it');
    await print(jobText({ gameName, game, names, memory, wholeBelow }, flags));
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

async function forecastOf(game: Game, cuts: readonly CutSlice[], flags: Asked): Promise<Forecast> {
  const bandwidth = parseSize(flags.bandwidth, '--bandwidth');
  if (bandwidth === 0) throw new UserError('--bandwidth: 0 bytes a second move nothing');
  const { metric, verify, rounds, decided, workers, phaseSeconds } = flags;
  return await makeForecast(game, cuts, {
    metric,
    verify,
    rounds,
    decided,
    machines: { count: flags.machines ?? 1, workers, bandwidth, phaseSeconds },
    calibration: await readCalibration(flags.calibration),
    prices: await readPrices(flags.prices, {
      thousandPuts: flags.pricePuts,
      thousandGets: flags.priceGets,
      gigabyteMonth: flags.priceStorage,
      machineHour: flags.priceMachine,
    }),
  });
}

interface AskedPlan {
  readonly gameName: string;
  readonly game: Game;
  readonly names: readonly string[];
  /** Bytes. */
  readonly memory: number;
  readonly wholeBelow: number;
}

/** The job as its engine wants it. Throws UserError for what is missing. */
function jobText({ gameName, game, names, memory, wholeBelow }: AskedPlan, flags: Asked): string {
  const { format, metric, image, store, queue, partitions, pieces, verify } = flags;
  if (store === undefined) throw new UserError(`--format ${format}: name the store, --store URI`);
  const label = labelOf(askedWords(names, pieces));
  const job = rankJob({
    name: `mergemate-${game.name}-${metric}-${label}`.slice(0, 52).replace(/-$/, ''),
    ranks: flags.machines ?? partitions ?? 1,
    game: gameName,
    endings: askEndings(game, names, pieces).map(({ name }) => name),
    ...{ memory, wholeBelow, metric, store, partitions, verify },
    scratch: flags.scratch ?? (format === 'slurm' ? undefined : SCRATCH),
  });
  if (format === 'slurm') return slurmScript(job);
  if (image === undefined) throw new UserError(`--format ${format}: name the container image, --image NAME`);
  if (format === 'k8s') return kubernetesYaml(job, image, flags.scratch ?? SCRATCH);
  if (queue === undefined) throw new UserError('--format aws-batch: name the job queue, --queue NAME');
  return awsBatchJson(job, image, queue);
}

function readShare(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new UserError(`--decided: ${JSON.stringify(text)} is no share from 0 to 1`);
}
