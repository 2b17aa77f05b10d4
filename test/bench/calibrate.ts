/** From what was measured to the constants of the cost model (pipeline/estimate/calibration.ts). Pure. */
import type { Calibration } from '../../pipeline/estimate/calibration.js';
import { passingLabels } from '../../pipeline/estimate/phases.js';
import type { Work } from '../../pipeline/estimate/work.js';

export interface SolvedRun {
  readonly slice: string;
  readonly positions: number;
  readonly wins: number;
  readonly losses: number;
  readonly rounds: number;
  readonly requests: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly rowsSpilled: number;
  readonly phases: readonly { readonly phase: string; readonly cpuMs: number }[];
}

export interface VerifiedRun {
  readonly rows: number;
  readonly cpuSeconds: number;
  readonly bytesRead: number;
}

export interface Measured {
  readonly machine: string;
  /** An ending so small that its time is that of the process. */
  readonly tiny: SolvedRun;
  /** A large ending in little memory, and in so much that its rounds hardly use files. */
  readonly little: SolvedRun;
  readonly littleMemory: number;
  readonly much: SolvedRun;
  readonly muchMemory: number;
  /** What a sample of the large ending says, with its true rounds and share of decided positions. */
  readonly work: Work;
  readonly verified: VerifiedRun;
}

export const cpuOf = (run: SolvedRun, phase?: string): number =>
  run.phases.reduce((sum, each) => sum + (phase === undefined || each.phase === phase ? each.cpuMs : 0), 0);

const bytesOf = (run: SolvedRun) => run.bytesRead + run.bytesWritten;
/** Bytes of a request in the rounds, and of one for a conversion. */
const KEY = 4;
const QUESTION = 12;
const nanoseconds = (cpuMs: number, of: number) => (cpuMs * 1e6) / of;

export function calibrate(measured: Measured): Calibration {
  const { tiny, little, much, littleMemory, muchMemory, work, verified } = measured;
  const roundsMs = cpuOf(little, 'rounds');
  const bytesApart = bytesOf(little) - bytesOf(much);
  const byteNs = Math.max(0, nanoseconds(roundsMs - cpuOf(much, 'rounds'), bytesApart));
  // Conversions spill too, in rows of their own size.
  const conversionsSpilled = (memory: number) => Math.max(0, work.conversions - (memory * 0.22) / QUESTION);
  const requestsSpilled = (run: SolvedRun, memory: number) =>
    Math.max(0, run.rowsSpilled - conversionsSpilled(memory));
  const spilled = requestsSpilled(little, littleMemory) / little.requests;
  const pool = (littleMemory * 0.26) / 4;
  // The two runs differ in what does not fit: the requests that spilled, and the labels that passed through.
  const spilledBytes = (run: SolvedRun, memory: number) =>
    2 * (KEY * requestsSpilled(run, memory) + QUESTION * conversionsSpilled(memory));
  const spillsApart = spilledBytes(little, littleMemory) - spilledBytes(much, muchMemory);
  const passing = passingLabels(littleMemory, work.indices) - passingLabels(muchMemory, work.indices);
  return {
    machine: measured.machine,
    processSeconds: cpuOf(tiny) / 1000,
    enumerateNs: nanoseconds(cpuOf(little, 'enumerate'), work.indices),
    convertNs: nanoseconds(cpuOf(little, 'convert'), work.conversions),
    requestNs: (roundsMs * 1e6 - byteNs * bytesOf(little)) / little.requests,
    finishNs: nanoseconds(cpuOf(little, 'finish'), work.indices),
    verifyNs: (verified.cpuSeconds * 1e9) / verified.rows,
    byteNs,
    touched: (bytesApart - spillsApart) / (little.rounds * passing),
    peak: pool / ((1 - spilled) * (little.requests / little.rounds)),
    verifyReadBytes: verified.bytesRead / verified.rows,
  };
}
