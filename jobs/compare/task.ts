/** Messages between `compare` and the processes it starts. */
import type { Metric } from '../../pipeline/game/value.js';
import type { IoCounts } from './io-counts.js';
import type { SolverName } from './solvers.js';

export const ioModes = ['cached', 'direct'] as const;
/** `direct`: all that a compared process reads and writes passes the operating system's cache by. */
export type IoMode = (typeof ioModes)[number];

/** Solve one slice with one solver and measure it. Its dependencies' tables are in the store. */
export interface Race {
  readonly game: string;
  readonly metric: Metric;
  readonly solver: SolverName;
  readonly slice: string;
  readonly io: IoMode;
  /** Bytes of buffers. */
  readonly memory: number;
  /** The folder of the store that tables are read from and written to. */
  readonly store: string;
  /** A folder for files that do not outlive the process. */
  readonly scratch: string;
}

/** Result of a run that solved its slice. */
export interface Measured {
  readonly status: 'solved';
  /** Time by the clock, from the call of the solver to the published table, without the start of the process. */
  readonly wallMs: number;
  /** User and system time of the process in that time. */
  readonly cpuMs: number;
  /** Greatest resident set of the process in its life, and the set before the solver was called. */
  readonly peakRssBytes: number;
  readonly startRssBytes: number;
  /** Bytes that reached the device by the system's count; 0 if its page cache took all of them. */
  readonly deviceReadBytes: number;
  readonly deviceWrittenBytes: number;
  /** The system's page faults that had to read. */
  readonly majorFaults: number;
  /** Counted at the calls that leave the solver. */
  readonly io: IoCounts;
  /** Values looked up that were in no page buffer; null for solvers without pages. */
  readonly pageFaults: number | null;
  /** The solver's unit of work: see `requestsAre` of solvers.ts. */
  readonly requests: number;
  readonly digests: readonly [string, string];
  /** Legal positions of both sides. */
  readonly positions: number;
  /** Bytes of the finished table. */
  readonly tableBytes: number;
  /** The solver's own counters. */
  readonly counters: Readonly<Record<string, number>>;
}

/** The solver does not work in this budget, or not for this ending: no failure of the comparison. */
interface Unable {
  readonly status: 'unable';
  readonly reason: string;
}

export type RunOutcome = Measured | Unable;
