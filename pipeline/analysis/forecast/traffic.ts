/** Bytes that the phases of a slice move, and the objects they move them in. */
import { ASSUMED } from './calibration.js';

/** Sums over all partitions. */
export interface Traffic {
  /** Bytes read from and written to the store. */
  readonly storeRead: number;
  readonly storeWritten: number;
  /** Bytes read from and written to space that does not outlive the process. */
  readonly scratchRead: number;
  readonly scratchWritten: number;
  /** Runs opened that are objects, and objects of runs written. */
  readonly runsRead: number;
  readonly runsWritten: number;
  /** Runs of parcels, each read whole or by its footer, and reads of windows of runs that are longer than one window. */
  readonly parcelRuns: number;
  readonly parcelWindows: number;
  /** Manifests read and written, and questions for manifests that are not there yet. */
  readonly manifestsRead: number;
  readonly manifestsWritten: number;
  readonly looks: number;
  readonly lists: number;
  readonly deletes: number;
}

export const NO_TRAFFIC: Traffic = {
  storeRead: 0,
  storeWritten: 0,
  scratchRead: 0,
  scratchWritten: 0,
  runsRead: 0,
  runsWritten: 0,
  parcelRuns: 0,
  parcelWindows: 0,
  manifestsRead: 0,
  manifestsWritten: 0,
  looks: 0,
  lists: 0,
  deletes: 0,
};

export function sumTraffic(all: readonly Traffic[]): Traffic {
  const sum = { ...NO_TRAFFIC } as { -readonly [K in keyof Traffic]: number };
  for (const each of all) for (const key of Object.keys(sum) as (keyof Traffic)[]) sum[key] += each[key];
  return sum;
}

/** Operations on the store. `gets` include those for sizes, too; `looks` are those of them that find nothing. */
export interface Operations {
  readonly gets: number;
  readonly puts: number;
  readonly lists: number;
  readonly deletes: number;
  readonly looks: number;
}

/** A manifest is read by two operations (its size, its bytes), a run opened by `getsPerRun`; large runs move in pieces. */
export function operationsOf(traffic: Traffic): Operations {
  const { objectBytes, getsPerRun } = ASSUMED;
  const pieces = (bytes: number, runs: number) => Math.max(runs, Math.ceil(bytes / objectBytes));
  return {
    gets:
      pieces(traffic.storeRead, traffic.runsRead) +
      getsPerRun * traffic.runsRead +
      traffic.parcelRuns +
      traffic.parcelWindows +
      2 * traffic.manifestsRead +
      traffic.looks,
    puts: pieces(traffic.storeWritten, traffic.runsWritten) + traffic.manifestsWritten,
    lists: traffic.lists,
    deletes: traffic.deletes,
    looks: traffic.looks,
  };
}
