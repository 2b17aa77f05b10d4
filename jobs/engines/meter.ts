import type { Meter } from '../../pipeline/solve.js';

/** Of this process, all its threads together. */
export const processMeter: Meter = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  peakRss: () => process.resourceUsage().maxRSS * 1024,
};
