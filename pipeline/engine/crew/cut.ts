/**
 * How slices are cut into partitions for ranks, which share nothing but the store. Data only; nothing is run here. Every rank
 * cuts for itself, so the cut depends on nothing but the slice and the options.
 */
import { isClocked } from '../../game/clocked.js';
import type { SliceCatalogue, SliceIndex } from '../../game/game.js';
import { bitBytes, planesBytes } from '../../game/labels.js';
import { type PlannedSlice, planSlices } from '../../game/plan.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { type RowedSlice, rowsOf } from '../memory/rows.js';
import { requireFitting } from '../phases/clocked.js';
import type { MayBeResident } from '../phases/resident.js';
import { leastMemory } from './least-memory.js';
import { fitsMemory } from './mode.js';

/** The facts that cutting needs of a slice: its rows say how its counts are held. */
export type CuttableSlice = SliceIndex & RowedSlice & MayBeResident;

export interface CutOptions {
  /** One that streams, unless it is given. */
  readonly metric?: Metric;
  /** Default: `count`. */
  readonly strategy?: Strategy;
  /** Bytes of buffers that a rank may use. */
  readonly memory: number;
  /** How many ranks there are; 1 unless given. */
  readonly ranks?: number | undefined;
  /** Partitions of every slice that is cut; without it as many as pay, and no more than ranks. */
  readonly partitions?: number | undefined;
  /** A slice with fewer bytes of labels is solved whole, by one rank. */
  readonly wholeBelow: number;
  /** Slices that are left out, and with them the slices to which only they convert. */
  readonly solved?: ReadonlySet<string>;
}

export interface CutSlice extends PlannedSlice {
  /** Positions of a side, and parts of its index space. */
  readonly size: number;
  readonly parts: number;
  /** Labels of both sides: {@link labelBytesOf}. */
  readonly labelBytes: number;
  /** 1: solved whole, by one rank. */
  readonly partitions: number;
  /** Solved and verified in memory: it is whole, and fits the memory of a rank with what it converts to. */
  readonly resident: boolean;
  /** Bytes of buffers of a rank: what was given, or the least with which the slice can be solved. */
  readonly memory: number;
}

/**
 * The slices `wanted` and all they convert to, in the order they are solved.
 * @throws UserError if one of them is solved in memory only, and needs more than `memory`.
 */
export function cutSlices(
  game: SliceCatalogue<CuttableSlice>,
  wanted: readonly string[],
  options: CutOptions,
): CutSlice[] {
  const plan = planSlices(game, wanted, options.solved);
  const slices = plan.map(({ slice }) => game.slice(slice));
  if (options.metric !== undefined && isClocked(options.metric)) requireFitting(slices, options.memory);
  return plan.map((planned, i) => ({ ...planned, ...cutSlice(game, slices[i], options) }));
}

function cutSlice(
  game: Pick<SliceCatalogue<CuttableSlice>, 'slice'>,
  slice: CuttableSlice,
  { metric = 'dtm', strategy = 'count', memory, ranks = 1, partitions, wholeBelow }: CutOptions,
): Omit<CutSlice, keyof PlannedSlice> {
  const { size, parts } = slice;
  const labelBytes = labelBytesOf(slice, metric);
  const cut =
    isClocked(metric) || labelBytes < wholeBelow
      ? 1
      : Math.min(parts, partitions ?? partitionsThatPay(size, Math.min(ranks, parts)));
  return {
    size,
    parts,
    labelBytes,
    partitions: cut,
    resident: cut === 1 && fitsMemory(slice, { metric, strategy, memory }),
    memory: isClocked(metric) ? memory : Math.max(memory, leastMemory(game, slice, strategy, metric).bytes),
  };
}

/**
 * Seconds that one rank takes for an index, rounds and verification included, and seconds of a barrier. Every partition adds
 * some to it, because the leading rank reads what each has done and each opens the runs of all. Round figures between those
 * of docs/lab/forecast.md: the choice among neighbouring numbers of partitions hardly changes the time.
 */
const PAYING = { indexSeconds: 2e-7, barrierSeconds: 0.05, partitionSeconds: 0.002 } as const;

/**
 * The number of partitions, from 1 to `most`, with the least time for a slice of so many positions a side. The barriers are
 * taken to be as many as rounds usually are, because nothing is sampled here.
 */
export function partitionsThatPay(size: number, most: number): number {
  const { indexSeconds, barrierSeconds, partitionSeconds } = PAYING;
  const work = 2 * size * indexSeconds;
  const barriers = roundsByGrowth(size);
  let best = 1;
  let least = work;
  for (let partitions = 2; partitions <= most; partitions++) {
    const seconds = work / partitions + barriers * (barrierSeconds + partitions * partitionSeconds);
    if (seconds < least) [best, least] = [partitions, seconds];
  }
  return best;
}

/**
 * Rounds grow with the positions. Two endings show how: 32 rounds where there are 30 thousand positions (KRK), and
 * 1,100 in the longest known win with seven men. What endings really take differs from that by the factors in
 * docs/lab/forecast.md.
 */
export function roundsByGrowth(positions: number): number {
  return Math.max(1, Math.round(4 * positions ** 0.2));
}

/**
 * Labels of both sides under strategy `count`: a bit a position, and its count, a bit in each of the planes of its side.
 * @param metric as of `rowsOf`.
 */
export function labelBytesOf(slice: CuttableSlice, metric?: Metric): number {
  const { size, parts, width, partSize } = slice;
  const bits = (parts - 1) * bitBytes(width) + bitBytes(partSize(parts - 1));
  const [white, black] = rowsOf(slice, 'count', metric).countPlanes;
  return 2 * bits + planesBytes(white + black, size);
}
