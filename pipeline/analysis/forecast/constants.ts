/**
 * The constants of the cost model. docs/design/forecast.md says how each was measured, and on what. All nanoseconds are CPU time.
 */

/** Measured on one machine by `npm run bench -- --only estimate`, which prints them. */
export const MEASURED = {
  machine: '2 x AMD EPYC, 24 GiB, Node v20.20.2; KBBKN',
  /** CPU seconds of a process until its code is compiled: those of the phases of a slice with next to nothing to do. */
  processSeconds: 0.114,
  /** An index while the slice is enumerated, and while it is finished. */
  enumerateNs: 5.8,
  finishNs: 12,
  /** A conversion, decided or not: a sample says how many there are, but not how many are decided. */
  convertNs: 15.2,
  /** A request in the rounds that is a set of positions, sent or not. */
  requestNs: 19.7,
  /** A byte that a round reads or writes. */
  byteNs: 0.213,
  /** Share of the labels that a round passes through memory if they exceed it: blocks without a request rest. */
  touched: 0.153,
  /** Sent requests of large rounds over those of the mean round: says how many requests do not fit the pool. */
  peak: 3.2,
} as const;

/** A move or conversion in a verification by rows or by keys, and the bytes of tables read for it. */
export const VERIFIED = {
  byRows: { ns: 1.99, readBytes: 0.615 },
  byKeys: { ns: 88, readBytes: 2.92 },
} as const;

/** A position of a slice that is solved in memory, whatever its rounds, and of its verification. */
export const RESIDENT = { solveNs: 195, verifyNs: 137 } as const;

/**
 * Bytes a row. Keys in ordered runs are packed, those in the pool are not. A set is a row number and two words of 32 squares;
 * a set in a frontier has about four positions.
 */
const SET_BYTES = 12;
export const ROW_BYTES = {
  conversion: 1.3,
  keys: { frontier: 1.4, request: 0.35, pooled: 4 },
  sets: { frontier: SET_BYTES / 4, request: SET_BYTES, pooled: SET_BYTES },
} as const;

/**
 * Requests that are sets ask about `factor / rounds ^ power` positions each: how many depends on how the rounds fall, which no
 * sample shows. `keyShare`: CPU of a request that is a key over that of a set. `sweepNs`: an index in a round, whatever is requested.
 */
export const SETS = { factor: 140, power: 0.7, keyShare: 0.9, sweepNs: 0.15 } as const;

/**
 * The moves that a slice without unmoves writes down: bytes each, CPU to make one and to read a byte of them, and the share of them
 * that a round reads.
 */
export const EDGES = { bytes: 8, makeNs: 94, byteNs: 0.8, read: 0.4 } as const;

/**
 * The cost of partitions that share nothing but the store: CPU of a row that leaves its partition, of writing and opening a run
 * of a parcel, and of a partition's part in any step; bytes of a run in addition to its rows, of its record in the
 * manifest, and of a segment in its directory; runs opened at once; the longest part of a step over the mean.
 */
export const PARCELS = {
  rowNs: 12,
  runNs: 4e5,
  partNs: 1.5e6,
  runBytes: 1300,
  entryBytes: 20,
  segmentBytes: 16,
  together: 16,
  skew: 1.15,
} as const;

/**
 * A barrier: operations that follow each other, manifests that the leading rank reads at once, looks in vain of a waiting rank,
 * and the share of a barrier for which it oversleeps.
 */
export const BARRIER = { inARow: 7, together: 16, polls: 6, overslept: 0.1 } as const;

/** Object storage: bytes of a GET or PUT, GETs to open one, seconds before the first byte, operations under way at once. */
export const STORE = { objectBytes: 8 * 2 ** 20, getsToOpen: 3, latencySeconds: 0.03, streams: 4 } as const;

/** Share of a thread's work that a second, third ... thread of the same process adds. */
export const THREAD_GAIN = 0.25;

/**
 * What numbers of solutions multiply: CPU of requests, of finishing and of verifying, and the rows of a frontier, in which a set comes once for
 * each binary digit of its numbers. From KRNvKQ, KRNvKR and KRNvKB under `help`: with 1 for both, the forecast had two thirds of the CPU and a third
 * of the bytes written.
 */
export const NUMBERED = { cpu: 1.5, frontier: 6 } as const;

/** Share of the positions that are won or lost, unless the user gives it: the mean of KQKR, KBNK, KRKN and KBBKN. */
export const DECIDED = 0.65;
