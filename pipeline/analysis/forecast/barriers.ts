/**
 * The cost of a barrier (pipeline/engine/rank-crew.ts). Every rank asks for the joined manifest, and every
 * partition commits a manifest of its own. The leading rank lists them, reads all and joins them.
 */
import { ASSUMED } from './calibration.js';
import { NO_TRAFFIC, type Traffic } from './traffic.js';

/** Operations that follow each other: to look for both manifests, commit a part, list, join, read what was joined. */
const IN_A_ROW = 7;
/** Manifests of parts that the leading rank reads at once. */
const TOGETHER = 16;

/** @param count barriers that so many ranks meet at. Their manifests are deleted when the table is finished. */
export function barrierTraffic(count: number, ranks: number, partitions: number): Traffic {
  const { polls } = ASSUMED;
  return {
    ...NO_TRAFFIC,
    manifestsRead: count * (ranks - 1 + partitions),
    manifestsWritten: count * (partitions + 1),
    looks: count * (ranks + partitions + ranks * polls),
    lists: count * (1 + polls),
    deletes: count * (partitions + 1),
  };
}

/** Operations of these that the leading rank alone asks of the store. */
export function leadingOperations(count: number, partitions: number): number {
  return count * (IN_A_ROW + 2 * partitions + 2 * ASSUMED.polls);
}

/** Seconds for which ranks wait at a barrier that all reach at once. */
export function barrierSeconds(partitions: number, latencySeconds: number): number {
  const reading = 2 * Math.ceil(partitions / TOGETHER) * latencySeconds;
  return (IN_A_ROW * latencySeconds + reading) * (1 + ASSUMED.overslept);
}
