/** Solves one slice, verifies its table, and says what that took. */

import type { TableManifest } from '../formats/manifest.js';
import { type SolveSliceOptions, solveSlice } from '../solvers/external/solve-slice.js';
import { tableManifestName } from '../table/table-names.js';
import { commitVerified, readVerified } from '../table/verified.js';
import type { ProgressListener } from './progress.js';
import type { PhaseTime, SliceSummary } from './slice-summary.js';
import { requireNoneWrong, verifySlice } from './verify-slice.js';

/** Reads the resources that the process has used so far; from jobs/, which alone looks at clock and process. */
export interface Meter {
  /** Milliseconds, from any origin. */
  wall(): number;
  cpu(): number;
  /** Greatest resident set of the process so far, bytes. */
  peakRss(): number;
}

export interface SolveOneOptions extends SolveSliceOptions {
  readonly verify: boolean;
  readonly meter: Meter;
}

/**
 * Solves and verifies a slice whose dependencies are solved.
 * @throws Error if the table fails its verification: a bug; the table is left for inspection but not marked verified.
 */
export async function solveOne(options: SolveOneOptions): Promise<SliceSummary> {
  const { game, slice, metric, store, progress, meter } = options;
  const wall = meter.wall();
  const cpu = meter.cpu();
  const found = (await store.size(tableManifestName(game.name, metric, slice))) !== null;
  const phases = phaseTimes(meter);
  const listener: ProgressListener = (event) => {
    if (event.type === 'phase') phases.begin(event.phase);
    progress(event);
  };
  const timed = { ...options, progress: listener };
  const table = await solveSlice(timed);
  const verified = options.verify ? await verifyOnce(timed, table) : null;
  return {
    slice,
    table,
    found,
    verified,
    wallMs: meter.wall() - wall,
    cpuMs: meter.cpu() - cpu,
    peakRss: meter.peakRss(),
    phases: phases.end(),
  };
}

/** Splits the time between calls of `begin` among the phases it names. */
function phaseTimes(meter: Meter) {
  const times: PhaseTime[] = [];
  let current: { phase: string; wall: number; cpu: number } | undefined;
  const end = (): PhaseTime[] => {
    if (current) {
      const { phase, wall, cpu } = current;
      times.push({ phase, wallMs: meter.wall() - wall, cpuMs: meter.cpu() - cpu });
    }
    current = undefined;
    return times;
  };
  const begin = (phase: string): void => {
    end();
    current = { phase, wall: meter.wall(), cpu: meter.cpu() };
  };
  return { begin, end };
}

/** Verifies a table unless this very table has been verified before. */
async function verifyOnce(options: SolveOneOptions, table: TableManifest): Promise<number> {
  const { game, metric, store } = options;
  const before = await readVerified(store, table);
  if (before !== null) return before.positions;
  const result = await verifySlice(options);
  requireNoneWrong(game, metric, table.slice, result);
  await commitVerified(store, table, result);
  return result.positions;
}
