import type { Meter } from '../../pipeline/engine/crew/solve.js';
import { cpuOfThread } from '../runtime/platform.js';
import { peakRss } from '../runtime/process-memory.js';

/** Counts this process, all its threads together. */
export const processMeter: Meter = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  peakRss,
};

/** Processor time of the calling thread, in milliseconds; where the system does not tell, that of all threads of the process together. */
export const threadCpu = (): number => cpuOfThread() ?? processMeter.cpu();
