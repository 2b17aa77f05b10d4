/** `mergemate plan`: the forecast for solving endings, and the plan as a workflow for batch engines. */
import { UserError } from '../../operators/core/errors.js';
import { type CutSlice, cutSlices } from '../../pipeline/engine/cut.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Game } from '../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../pipeline/game/manifest.js';
import { waveSizes } from '../../pipeline/game/plan.js';
import type { Metric } from '../../pipeline/game/value.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { askEndings, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { awsBatchJson } from '../plan/aws-batch.js';
import { type Forecast, makeForecast } from '../plan/forecast.js';
import type { JobFormat } from '../plan/formats.js';
import { kubernetesYaml } from '../plan/kubernetes.js';
import { labelOf, rankJob } from '../plan/rank-job.js';
import { slurmScript } from '../plan/slurm.js';
import { findGame } from '../registry.js';
import { openStore } from '../stores.js';
import { askedWords } from '../tables.js';
import { estimateText } from '../ui/estimate-text.js';
import { planText } from '../ui/plan-text.js';

interface PlanFlags {
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
  readonly format?: JobFormat;
  readonly store?: string;
  readonly image?: string;
  readonly queue?: string;
  readonly scratch?: string;
}

/** The flags, with the metric filled in. */
type Asked = PlanFlags & { readonly metric: Metric };

/** The folder for scratch in the image (Containerfile). */
const SCRATCH = '/scratch';

export async function runPlan(gameName: string, names: string[], given: PlanFlags): Promise<void> {
  const game = await findGame(gameName);
  const flags = { ...given, metric: metricOf(game, given.metric) };
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const { memory, partitions, wholeBelow } = flags;
  const ranks = flags.machines ?? 1;
  const cuts = cutSlices(game, slices, { metric: flags.metric, memory, ranks, partitions, wholeBelow });
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
  const { bandwidth } = flags;
  if (isClocked(flags.metric))
    throw new UserError(
      `--estimate foresees rounds that stream: under ${flags.metric} slices are solved in memory, which plan says without it`,
    );
  if (bandwidth === 0) throw new UserError('--bandwidth: 0 bytes a second move nothing');
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

interface AskedPlan {
  readonly gameName: string;
  readonly game: Game;
  readonly names: readonly string[];
  /** Bytes. */
  readonly memory: number;
  readonly wholeBelow: number;
}

/** The job in the format of its engine. Throws UserError for settings that are missing. */
function jobText({ gameName, game, names, memory, wholeBelow }: AskedPlan, flags: Asked): string {
  const { format, metric, image, store, queue, partitions, pieces, verify } = flags;
  if (store === undefined) throw new UserError(`--format ${format}: name the store, --store URI`);
  const label = labelOf(askedWords(names, pieces));
  const job = rankJob({
    name: `mergemate-${game.name}-${metric}-${label}`.slice(0, 52).replace(/-$/, ''),
    ranks: flags.machines ?? partitions ?? 1,
    game: gameName,
    endings: askEndings(game, names, pieces).map(({ name }) => name),
    memory,
    wholeBelow,
    metric,
    store,
    partitions,
    verify,
    scratch: flags.scratch ?? (format === 'slurm' ? undefined : SCRATCH),
  });
  if (format === 'slurm') return slurmScript(job);
  if (image === undefined) throw new UserError(`--format ${format}: name the container image, --image NAME`);
  if (format === 'k8s') return kubernetesYaml(job, image, flags.scratch ?? SCRATCH);
  if (queue === undefined) throw new UserError('--format aws-batch: name the job queue, --queue NAME');
  return awsBatchJson(job, image, queue);
}
