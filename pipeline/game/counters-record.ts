import { addCounters, newCounters } from '../../operators/core/counters.js';

/** Adds up the counters of manifests. A counter that a manifest lacks, because an earlier version wrote it, counts as 0. */
export function sumCounters(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum = newCounters();
  for (const counters of all) addCounters(sum, { ...newCounters(), ...counters });
  return { ...sum };
}
