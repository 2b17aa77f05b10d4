/**
 * Does one slice: a crew solves it, another verifies its table. The crew may be one worker, all workers of an engine or all
 * ranks: the caller opens it.
 */
import type { Budget } from '../../../operators/core/budget.js';
import type { ChosenMode } from '../../game/mode.js';
import type { PhaseTime, ProgressListener, SliceSummary } from '../../game/progress.js';
import { tableManifestName } from '../../tables/table-names.js';
import { type Crew, contested } from './crew.js';
import { type Engine, openCrew } from './engine.js';
import type { ModeChoice } from './mode.js';
import { solveByCrew } from './slice-steps.js';
import type { SliceOptions } from './slice-work.js';
import { verifyByCrew } from './verify-slice.js';

/** Reads the resources that the process has used so far; from jobs/, which alone looks at clock and process. */
export interface Meter {
  /** Milliseconds, from any origin. */
  wall(): number;
  cpu(): number;
  /** Greatest resident set of the process so far, bytes. */
  peakRss(): number;
}

/** For callers that ask no clock. */
export const NO_METER: Meter = { wall: () => 0, cpu: () => 0, peakRss: () => 0 };

export interface DoSliceOptions extends SliceOptions {
  readonly verify: boolean;
  readonly meter: Meter;
}

/** Opens a crew for a task: a new one whenever another process was ahead. */
export type CrewOpener = (task: ModeChoice['task']) => Crew | Promise<Crew>;

/**
 * Solves and verifies a slice whose dependencies are solved. Another process may do so in the same store: the table is the same.
 * @throws Error if the table fails its verification: a bug; the table is left for inspection but not marked verified.
 */
export async function doSlice(options: DoSliceOptions, open: CrewOpener): Promise<SliceSummary> {
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
  const trouble = (what: string) => progress({ type: 'trouble', slice, what });
  let mode: ChosenMode | null = null;
  const table = await contested(async () => {
    const crew = await open('solve');
    if (!found) progress({ type: 'mode', slice, chosen: (mode = crew.chosen) });
    return solveByCrew(timed, crew);
  }, trouble);
  const verified = options.verify
    ? await contested(async () => verifyByCrew(timed, table, await open('verify')), trouble)
    : null;
  return {
    slice,
    table,
    found,
    mode,
    verified,
    wallMs: meter.wall() - wall,
    cpuMs: meter.cpu() - cpu,
    peakRss: meter.peakRss(),
    phases: phases.end(),
  };
}

export interface SolveOneOptions extends DoSliceOptions {
  readonly budget: Budget;
  readonly engine: Engine;
}

/** Does a slice by the workers of an engine. */
export function solveOne(options: SolveOneOptions): Promise<SliceSummary> {
  return doSlice(options, (task) => openCrew(options, task));
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
