/** The report of a solve on each slice. */
import type { TableManifest } from '../game/manifest.js';
import type { ChosenMode } from '../game/mode.js';

/** The work that was done on a slice, and its result. */
export interface SliceSummary {
  readonly slice: string;
  readonly table: TableManifest;
  /** The table was there already: nothing was solved. */
  readonly found: boolean;
  /** How it was solved; null where nothing was solved, or others solved it. */
  readonly mode: ChosenMode | null;
  /** Positions verified by forward moves, now or before; null if not asked for. */
  readonly verified: number | null;
  readonly wallMs: number;
  /**
   * Null where it is not known. Then other slices were solved by the same process at the same time, or other
   * processes did the work and left no word of it.
   */
  readonly cpuMs: number | null;
  readonly peakRss: number | null;
  /** The time of each phase that was run now, in order. */
  readonly phases: readonly PhaseTime[];
}

/** Time that a phase took. */
export interface PhaseTime {
  readonly phase: string;
  readonly wallMs: number;
  /** Null where the slice's own figure is null. */
  readonly cpuMs: number | null;
}
