/** Counts of the I/O and work that operators did, for summaries, tests and benchmarks. */
export interface Counters {
  /** Bytes read from and written to stores and scratch. */
  bytesRead: number;
  bytesWritten: number;
  /** Rows that sorts took in, rows they wrote to spilled runs, and the number of spilled runs. */
  rowsSorted: number;
  rowsSpilled: number;
  spills: number;
  /** Merges of spilled runs into a new run or into a cursor (the last merge counts too). */
  mergePasses: number;
  /** Rows that joins read on their sparse side, and rows they passed on. */
  rowsJoined: number;
  rowsMatched: number;
  /** Pages of labels (operators/runs/dense-blocks.ts) that sweeps came to, and of these the ones that they changed. */
  pagesMet: number;
  pagesChanged: number;
}

/** Counters at 0. */
export function newCounters(): Counters {
  return {
    bytesRead: 0,
    bytesWritten: 0,
    rowsSorted: 0,
    rowsSpilled: 0,
    spills: 0,
    mergePasses: 0,
    rowsJoined: 0,
    rowsMatched: 0,
    pagesMet: 0,
    pagesChanged: 0,
  };
}

/** Adds `from` to `into`, field by field. Records of earlier versions have fewer. */
export function addCounters(into: Counters, from: Counters): void {
  for (const name of Object.keys(into) as (keyof Counters)[]) into[name] += from[name] ?? 0;
}

/** The counts since the last call. */
export function takeCounters(counters: Counters): Counters {
  const taken = { ...counters };
  Object.assign(counters, newCounters());
  return taken;
}
