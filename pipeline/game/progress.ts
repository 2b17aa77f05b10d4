import type { Counters } from '../../operators/core/counters.js';
import type { TableManifest } from './manifest.js';
import type { ChosenMode } from './mode.js';

/**
 * Events of a running solve, for listeners. Plain facts, in order; listeners derive speed and estimates. Several slices may
 * be under way at once: a slice lasts from the event `slice` to the event `finished`.
 */
export type Progress =
  /** A slice is begun, as the `number`th of so many. `together`: by this process and other ranks. */
  | {
      readonly type: 'slice';
      readonly slice: string;
      readonly number: number;
      readonly of: number;
      readonly together?: boolean;
    }
  /** How the slice is solved, before its first phase. */
  | { readonly type: 'mode'; readonly slice: string; readonly chosen: ChosenMode }
  /** `total`: positions the phase walks over, where that is known. */
  | { readonly type: 'phase'; readonly slice: string; readonly phase: string; readonly total: number | null }
  | { readonly type: 'work'; readonly slice: string; readonly done: number }
  | {
      readonly type: 'round';
      readonly slice: string;
      readonly ply: number;
      readonly requests: number;
      readonly labelled: number;
      /** How many of them are won, where that is known: the others are lost. */
      readonly won?: number;
    }
  /** Counts of the operators since the last such event: at the end of every round and phase. */
  | { readonly type: 'counted'; readonly slice: string; readonly counters: Counters }
  | { readonly type: 'finished'; readonly slice: string }
  /** A failure after which the solve tries again. */
  | { readonly type: 'trouble'; readonly slice: string; readonly what: string };

/** Called with each event. */
export type ProgressListener = (progress: Progress) => void;

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
