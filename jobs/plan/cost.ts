/** The cost of a solve in one line, forecast within seconds: for errors that advise a solve, and before large solves. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { estimate } from '../../pipeline/analysis/forecast/estimate.js';
import { sampleOfPlan } from '../../pipeline/analysis/forecast/sample.js';
import { cutSlices } from '../../pipeline/engine/crew/cut.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Game } from '../../pipeline/game/game.js';
import { lookedUpBehind, planSlices } from '../../pipeline/game/plan.js';
import type { Metric } from '../../pipeline/game/value.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { Defaults } from '../cli/bounds.js';
import { parseSize } from '../cli/quantities.js';
import { DEFAULT_SETTINGS } from '../cli/settings.js';
import { threadCpu } from '../engines/meter.js';
import { gameNames } from '../registry.js';
import { bytes, count, whole } from '../ui/numbers.js';
import { assumedOf, samplesOf } from './forecast.js';

export interface Cost {
  /** Those that are not solved. */
  readonly slices: number;
  readonly cpuSeconds: number;
  /** Positions of the slices that were named, without those that they convert to. */
  readonly positions: number;
  /** Bytes that the tables take. */
  readonly tableBytes: number;
  /** Bytes that are taken at most while they are solved, tables included. */
  readonly mostBytes: number;
  /** Positions that are looked up in Syzygy files before, at most. The CPU for that is not in the forecast. */
  readonly lookups: number;
}

interface Asked {
  readonly metric: Metric;
  readonly verify?: boolean;
  readonly memory?: number;
  /** Slices that have tables. */
  readonly solved: ReadonlySet<string>;
  /** CPU milliseconds of this thread after which sampling is given up. */
  readonly cpuMs: number;
}

/** Samples of each side to move: a few percent of what `plan --estimate` looks at. The costs are less exact by some percent. */
const QUICK = { indices: 1e6, blocks: 32 };
/** Plans with more slices get fewer samples for each slice, because their errors cancel out. */
const MANY_SLICES = 1000;
const QUICKEST = { indices: 1e6, blocks: 8 };
/** CPU under clocks, where a slice has values for each half-move, over that under dtm (docs/speed.md). */
const CLOCKED_FACTOR = 5;

/** Null for games that are not built in, whose rules may take any time, and if the forecast takes too long. */
export async function costOf(game: Game, wanted: readonly string[], asked: Asked): Promise<Cost | null> {
  if (!gameNames.includes(game.name)) return null;
  const { metric, verify = true, solved } = asked;
  const clocked = isClocked(metric);
  const modelled = clocked ? 'dtm' : metric;
  const cuts = cutSlices(game, wanted, {
    metric: modelled,
    memory: asked.memory ?? DEFAULT_SETTINGS.memory,
    wholeBelow: parseSize(Defaults.wholeBelow, 'default'),
    solved,
  });
  const sampling = sampleOfPlan(
    cuts.map(({ size }) => size),
    cuts.length > MANY_SLICES ? QUICKEST : QUICK,
  );
  // The time starts here: planning thousands of slices takes long itself, and a solve does it anyway.
  const until = threadCpu() + asked.cpuMs;
  const samples = await samplesOf(game, cuts, sampling, () => threadCpu() > until);
  if (samples === null) return null;
  const found = estimate(cuts, samples, { metric: modelled, verify, ...assumedOf(modelled, { workers: 1 }) });
  const works = clocked ? [0] : found.slices.map(({ workBytes }) => workBytes);
  const named = new Set(wanted);
  const positions = found.slices
    .filter(({ slice }) => named.has(slice))
    .reduce((sum, { work }) => sum + work.positions, 0);
  return {
    slices: cuts.length,
    positions,
    cpuSeconds: found.total.cpuSeconds * (clocked ? CLOCKED_FACTOR : 1),
    tableBytes: found.tableBytes,
    mostBytes: found.tableBytes + Math.max(0, ...works),
    lookups: lookupsIn(game, cuts, solved),
  };
}

function lookupsIn(
  game: Game,
  plan: readonly { readonly slice: string }[],
  made: ReadonlySet<string>,
): number {
  const missing = lookedUpBehind(game, plan).filter((slice) => !made.has(slice));
  return missing.reduce((sum, slice) => sum + 2 * game.slice(slice).size, 0);
}

/** "297 slices, 28 CPU minutes, 22.3 GiB", "…, up to 924,672 positions looked up in Syzygy files" */
export function costText({ slices, cpuSeconds, mostBytes, lookups }: Cost): string {
  const text = `${count(slices, 'slice')}, ${cpuText(cpuSeconds)}, ${bytes(Math.round(mostBytes))}`;
  return lookups === 0 ? text : `${text}, up to ${count(lookups, 'position')} looked up in Syzygy files`;
}

/** "28 CPU minutes": a forecast has two digits at most that mean something. */
export function cpuText(seconds: number): string {
  if (seconds < 1) return 'less than a CPU second';
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    const units = seconds / size;
    if (units >= 2)
      return `${units < 10 ? whole(Math.round(units * 10) / 10) : whole(Math.round(units))} CPU ${unit}s`;
  }
  return count(Math.round(seconds), 'CPU second');
}

/** The slices of a game that have tables in a store. */
export async function solvedIn(store: Store, game: string, metric: Metric): Promise<Set<string>> {
  const prefix = `${game}/${metric}/`;
  const names = await store.list(prefix);
  const slices = names.map((name) => name.slice(prefix.length).split('/')[0]);
  const there = new Set(names);
  return new Set(slices.filter((slice) => there.has(tableManifestName(game, metric, slice))));
}

/** Fewer indices than this are solved within minutes, in any ending. */
const SMALL = 5e8;
const SMALL_CLOCKED = 1e8;
/** Bytes of an index while it is solved: its value and everything else. */
const INDEX_BYTES = 8;
/** CPU that the forecast before a solve may take. */
const BEFORE_MS = 8000;
const MUCH_CPU_SECONDS = 180;
const MUCH_FILE_SECONDS = 60;
const MUCH_OF_DISK = 1 / 4;
/** No table was ever smaller than this share of its forecast. */
const SURELY = 1 / 2;

export interface Begun {
  readonly game: Game;
  readonly slices: readonly string[];
  readonly metric: Metric;
  readonly verify: boolean;
  readonly memory: number;
  readonly store: Store;
  /** The folder of the store and free bytes there; null where the store is none. */
  readonly disk: { readonly folder: string; readonly free: number } | null;
  /** Syzygy files are written of the tables, and verified. */
  readonly files: boolean;
}

/**
 * A line about a solve that will take minutes or much of the disk, null for others.
 * @throws UserError if the disk certainly cannot hold the tables.
 */
export async function forecastBefore(begun: Begun): Promise<string | null> {
  const { game, slices, metric, disk } = begun;
  if (!gameNames.includes(game.name)) return null;
  const solved = await solvedIn(begun.store, game.name, metric);
  const plan = planSlices(game, slices, solved);
  const indices = plan.reduce((sum, { slice }) => sum + 2 * game.slice(slice).size, 0);
  const isRoomy = disk === null || INDEX_BYTES * indices < MUCH_OF_DISK * disk.free;
  if (isRoomy && indices < (isClocked(metric) ? SMALL_CLOCKED : SMALL)) return null;
  const cost = await costOf(game, slices, { ...begun, solved, cpuMs: BEFORE_MS });
  if (cost === null) return `forecast: ${count(plan.length, 'slice')}, too many to say soon what they take`;
  const { tableBytes, mostBytes } = cost;
  const cpuSeconds = cost.cpuSeconds + (begun.files ? fileSeconds(cost) : 0);
  if (disk !== null && SURELY * tableBytes > disk.free)
    throw new UserError(
      `the tables take about ${bytes(Math.round(tableBytes))}, and ${disk.folder} has ${bytes(disk.free)} free: give another --store, or --ignore-forecast to begin all the same`,
    );
  const isMuch = cpuSeconds > MUCH_CPU_SECONDS || (disk !== null && mostBytes > MUCH_OF_DISK * disk.free);
  if (!isMuch) return null;
  const free = disk === null ? '' : ` of ${bytes(disk.free)} free`;
  const lacks = disk !== null && mostBytes > disk.free ? ': it may not fit' : '';
  return `forecast: ${costText({ ...cost, cpuSeconds })}${free}${lacks}`;
}

/** CPU to write the Syzygy files of a position and verify them: all endings of three and four men took 151 s. */
const FILE_SECONDS = 151 / 132e6;

const fileSeconds = ({ positions }: Cost): number => FILE_SECONDS * positions;

/** A line about Syzygy files that will take minutes to write of solved tables, null for others. */
export async function forecastFiles(
  game: Game,
  slices: readonly string[],
  metric: Metric,
): Promise<string | null> {
  const indices = slices.reduce((sum, slice) => sum + 2 * game.slice(slice).size, 0);
  if (FILE_SECONDS * indices < MUCH_FILE_SECONDS) return null;
  const cost = await costOf(game, slices, { metric, solved: new Set(), cpuMs: BEFORE_MS });
  if (cost === null || fileSeconds(cost) < MUCH_FILE_SECONDS) return null;
  return `forecast: ${count(slices.length, 'slice')}, ${cpuText(fileSeconds(cost))}`;
}

/** Bytes that this user may still write to the file system of a folder, which need not be there yet; null if the system does not say. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? null : freeBytes(parent);
  }
}
