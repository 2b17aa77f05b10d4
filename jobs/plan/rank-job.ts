/** A plan as one job of ranks, for engines that start them: the parts that all formats share. */
import type { Metric } from '../../pipeline/game/value.js';

export interface RankJob {
  /** Lower case letters, digits and hyphens. */
  readonly name: string;
  readonly ranks: number;
  /** Bytes of buffers of a rank. */
  readonly memory: number;
  /** Command of each rank, without its number. */
  readonly command: readonly string[];
}

export interface AskedJob extends Omit<RankJob, 'command'> {
  /** The name of the game, or the path, on every machine, of its module. */
  readonly game: string;
  readonly endings: readonly string[];
  readonly metric: Metric;
  /** URI of the store, as every machine reaches it. */
  readonly store: string;
  readonly partitions: number | undefined;
  /** Bytes of labels. */
  readonly wholeBelow: number;
  /** A folder of the machine for runs that do not outlive a rank. */
  readonly scratch: string | undefined;
  readonly verify: boolean;
}

export function rankJob(asked: AskedJob): RankJob {
  const { game, endings, metric, store, partitions, wholeBelow, scratch, verify, memory } = asked;
  const flags = { store, metric, memory, partitions, 'whole-below': wholeBelow, scratch };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const command = [
    ...['mergemate', 'rank', game, ...endings],
    ...given.flatMap(([flag, value]) => [`--${flag}`, String(value)]),
    ...(verify ? [] : ['--no-verify']),
  ];
  return { name: asked.name, ranks: asked.ranks, memory, command };
}

/** How often a rank is started before its job counts as failed; a rank that is started again continues from the store. */
export const TRIES = 10;

const MIB = 2 ** 20;
/** Node, its threads and libraries beside the buffers, with something to spare, MiB. */
const OVERHEAD_MIB = 192;

/** MiB of a rank's process. */
export function processMebibytes({ memory }: Pick<RankJob, 'memory'>): number {
  return Math.ceil(memory / MIB) + OVERHEAD_MIB;
}

/** A name as part of a job's: lower case letters, digits and single hyphens. */
export function labelOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
