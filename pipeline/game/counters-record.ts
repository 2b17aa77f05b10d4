import { addCounters, newCounters } from '../../operators/core/counters.js';

/** Counters as manifests hold them, added up; those that a manifest does not know are 0 there. */
export function sumCounters(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum = newCounters();
  for (const counters of all) addCounters(sum, { ...newCounters(), ...counters });
  return { ...sum };
}
