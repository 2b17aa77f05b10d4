/**
 * The constants of the cost model. `npm run bench -- --only estimate --calibration FILE` measures them on a machine, and
 * `mergemate plan --calibration FILE` reads them. `MEASURED` (measured.ts) is what such a run wrote.
 * `ASSUMED` holds figures that one machine cannot measure, or that are unknown before the slice is solved.
 */
export interface Calibration {
  /** Where it was measured, and on which ending. */
  readonly machine: string;
  /** CPU seconds of the phases of a slice with next to nothing to do: a process's, until its code is compiled. */
  readonly processSeconds: number;
  /** CPU nanoseconds of an index while the slice is enumerated, and while it is finished. */
  readonly enumerateNs: number;
  readonly finishNs: number;
  /** CPU nanoseconds of a conversion, decided or not: a sample says how many there are, but not how many are decided. */
  readonly convertNs: number;
  /** CPU nanoseconds of a request in the rounds, sent or not; it is a set. {@link SETS} has the cost of a key. */
  readonly requestNs: number;
  /** CPU nanoseconds of a move or conversion in a verification by rows. {@link VERIFIED_BY_KEYS} says what others cost. */
  readonly verifyNs: number;
  /** CPU nanoseconds of a byte that a round reads or writes. */
  readonly byteNs: number;
  /** Share of the labels of a plane that a round that uses it passes through memory: blocks without a request rest. */
  readonly touched: number;
  /** Sent requests of large rounds over those of the mean round: says how many requests do not fit the pool. */
  readonly peak: number;
  /** Bytes of tables that a verification by rows reads for a move or conversion. */
  readonly verifyReadBytes: number;
}

/**
 * A verification by keys: its CPU over that of one by rows, and the bytes of tables that it reads for a move or conversion.
 * It reads the parts that moves lead to again and again. CPU was measured on 2200 of checkers in 1 MiB,
 * 87 ns a move; KBBK takes 33. Bytes were measured on KBBKN.
 */
export const VERIFIED_BY_KEYS = { cpu: 44, readBytes: 2.92 } as const;

/**
 * CPU nanoseconds of a position of a slice that is solved in memory, and of its verification. It is the mean of 370
 * million positions of checkers with six pieces. They hardly depend on rounds, because most of the time is spent on
 * moves and conversions.
 */
export const RESIDENT = { solveNs: 195, verifyNs: 137 } as const;

/** Bytes a row of ordered runs of keys, which are packed; measured on KBBKN and KQRK. Denser runs take less. */
export const ROW_BYTES = { frontier: 1.4, conversion: 1.3, request: 0.35 } as const;

/**
 * Slices by rows, whose requests and frontiers are sets of positions. How many positions a request asks about depends on how the
 * rounds fall: `factor / rounds ^ power`. Measured as requests by keys over those by rows: KBNKN 2.7, KRKN 2.9, KBBKN 3.2, KRKB
 * 4.7, KQKR 5.7, KQKN 6.5, KBNK 9.2, KQQKN 11.8. The law is within 1.9 times of all of them; of three men, KQK has 34.7, and the forecast is 17.
 * `frontierPositions`: in a set of a frontier: KBNKN 2.4, KBBKN 3.3, KRBKR 4.1, KQRKR 8.1. `bytes` of a set: a row and two
 * halves, which are not packed. `keyShare`: CPU of a request that is a key over that of a set, of KBBKN.
 */
export const SETS = {
  requestPositions: { factor: 140, power: 0.7 },
  frontierPositions: 4,
  bytes: 12,
  keyShare: 0.9,
} as const;

/**
 * CPU nanoseconds of an index in a round by rows, whatever is requested: parts that few sets strike, or that are only looked at. Fitted
 * on KQQKN, KBBKN, KBNKN, KRBKR and KQRKR. Without it a set would cost 18 to 54 ns.
 */
export const SWEEP_NS = 0.15;

/**
 * The moves that a slice without unmoves writes down. Bytes each, as rows of the edge run and in scratch. CPU nanoseconds to
 * make, order and write one, and to read a byte of them in a round. The share of them that a round reads. Measured on KQKR
 * in 64 MiB, its unmoves left out.
 */
export const EDGES = { bytes: 8, makeNs: 94, byteNs: 0.8, read: 0.4 } as const;

/**
 * The cost of partitions that share nothing but the store. `rowNs`: CPU nanoseconds of a row that leaves its partition, to be
 * ordered, written, read and interleaved. `runSeconds`: CPU seconds to write and open a run of a parcel. `partSeconds`: CPU
 * seconds of a partition's part in any step. `runBytes`: bytes of such a run in addition to its rows; `entryBytes`: of its
 * record in the manifest. `together`: runs that are opened at once. `skew`: the longest part of a step over the mean.
 * Bytes and `runSeconds` were measured, the others assumed: `npm run bench -- --only scaling` compares them with ranks.
 */
export const PARCELS = {
  rowNs: 12,
  runSeconds: 0.0004,
  partSeconds: 0.0015,
  runBytes: 1300,
  entryBytes: 20,
  together: 16,
  skew: 1.15,
} as const;

/** Assumptions about slices and machines that the user may replace. */
export const ASSUMED = {
  /**
   * Share of the positions that are won or lost. Between nothing and nearly all of them; 0.65 is the mean of
   * KQKR, KBNK, KRKN and KBBKN.
   */
  decided: 0.65,
  /** Share of a thread's work that a second, third ... thread of the same process adds. */
  threadGain: 0.25,
  /** Bytes moved by one GET, or by one PUT of an upload in pieces. */
  objectBytes: 8 * 2 ** 20,
  /** GETs of a run beside those for its rows: its size, and its footer. */
  getsPerRun: 3,
  /**
   * Looks in vain of a waiting rank at a barrier, and the share of a barrier for which it oversleeps. It looks less
   * and less often.
   */
  polls: 6,
  overslept: 0.1,
  /** Seconds before the first byte of an object operation, and how many of them are under way at once. */
  latencySeconds: 0.03,
  streams: 4,
} as const;
