/** Bytes that the phases of a slice move, and the objects they move them in. */
import { ASSUMED } from './calibration.js';

/** Of all tasks of a phase together. */
export interface Traffic {
  /** Bytes read from and written to the store. */
  readonly storeRead: number;
  readonly storeWritten: number;
  /** Bytes read from and written to space that does not outlive the process. */
  readonly scratchRead: number;
  readonly scratchWritten: number;
  /** Operations on the store: runs read and runs written, and small objects (manifests) read and written. */
  readonly runsRead: number;
  readonly runsWritten: number;
  readonly manifestsRead: number;
  readonly manifestsWritten: number;
  readonly lists: number;
}

export const NO_TRAFFIC: Traffic = {
  storeRead: 0,
  storeWritten: 0,
  scratchRead: 0,
  scratchWritten: 0,
  runsRead: 0,
  runsWritten: 0,
  manifestsRead: 0,
  manifestsWritten: 0,
  lists: 0,
};

export interface Operations {
  readonly gets: number;
  readonly puts: number;
  readonly lists: number;
}

/** Large runs move in pieces of `objectBytes`; a run has a footer; a manifest is one operation. */
export function operationsOf(traffic: Traffic): Operations {
  const { objectBytes, getsPerRun } = ASSUMED;
  const pieces = (bytes: number, runs: number) => Math.max(runs, Math.ceil(bytes / objectBytes));
  return {
    gets: pieces(traffic.storeRead, traffic.runsRead) + getsPerRun * traffic.runsRead + traffic.manifestsRead,
    puts: pieces(traffic.storeWritten, traffic.runsWritten) + traffic.manifestsWritten,
    lists: traffic.lists,
  };
}
