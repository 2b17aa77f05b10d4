import { readFileSync } from 'node:fs';
import type { Meter } from '../../pipeline/engine/solve.js';
import { peakRss } from '../run/process-memory.js';

/** Counts this process, all its threads together. */
export const processMeter: Meter = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  peakRss,
};

/**
 * Processor time of the calling thread, in milliseconds. Linux reports it by thread; elsewhere it is that of the process, all threads
 * together.
 */
export function threadCpu(): number {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return processMeter.cpu();
  }
}
