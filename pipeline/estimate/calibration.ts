/**
 * The constants of the cost model. `npm run bench -- --only estimate --calibration FILE` measures them on a machine, and
 * `mergemate plan --calibration FILE` reads them. How those of `MEASURED` came about is in docs/estimate.md.
 * `ASSUMED` is what one machine cannot measure, or what nobody knows before the slice is solved.
 */
export interface Calibration {
  /** Where it was measured. */
  readonly machine: string;
  /** CPU seconds of a process before it has done anything, and until its code is compiled. */
  readonly processSeconds: number;
  /** CPU nanoseconds: an index enumerated, a conversion converted, a request in the rounds, an index finished, ... */
  readonly enumerateNs: number;
  readonly convertNs: number;
  readonly requestNs: number;
  readonly finishNs: number;
  /** ... and a row of the verification. */
  readonly verifyNs: number;
  /** CPU nanoseconds of a byte that a round reads or writes. */
  readonly byteNs: number;
  /** Share of the labels of a plane that a round that uses it passes through memory: blocks without a request rest. */
  readonly touched: number;
  /** Requests of large rounds over those of the mean round: tells how many requests do not fit the pool. */
  readonly peak: number;
  /** Bytes of tables that verification reads for a row. */
  readonly verifyReadBytes: number;
}

export const MEASURED: Calibration = {
  machine: 'a shared virtual machine of two cores, AMD EPYC, Node 20.20',
  processSeconds: 0.4,
  enumerateNs: 46,
  convertNs: 231,
  requestNs: 37,
  finishNs: 25,
  verifyNs: 85,
  byteNs: 0.27,
  touched: 0.5,
  peak: 3.3,
  verifyReadBytes: 3.2,
};

/** What is assumed of slices and machines unless the user says otherwise. */
export const ASSUMED = {
  /**
   * Share of the positions that are won or lost. Between nothing and nearly all of them; 0.65 is the mean of
   * KQKR, KBNK, KRKN and KBBKN.
   */
  decided: 0.65,
  /**
   * Rounds grow with the slice's size: `factor * positions ^ exponent`. Two like this: 32 rounds where there are 30
   * thousand positions (KRK) and 550 moves, 1100 rounds, in the longest known win with seven men.
   */
  rounds: { factor: 4, exponent: 0.2 },
  /** Share of what a thread does that a second, third ... thread of the same process adds. */
  threadGain: 0.25,
  /** Bytes moved by one GET, or by one PUT of an upload in pieces. */
  objectBytes: 8 * 2 ** 20,
  /** GETs of a run beside those for its rows: the footer. */
  getsPerRun: 1,
  /** Seconds before the first byte of an object operation, and how many of them are under way at once. */
  latencySeconds: 0.03,
  streams: 4,
} as const;
