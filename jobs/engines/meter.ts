import type { Meter } from '../../pipeline/engine/solve.js';
import { peakRss } from '../peak-rss.js';

/** Counts this process, all its threads together. */
export const processMeter: Meter = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  peakRss,
};
