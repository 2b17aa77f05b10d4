/** Computes the constants of the cost model (pipeline/analysis/forecast/constants.ts) from measurements. Pure. */

import { ROW_BYTES } from '../../pipeline/analysis/forecast/constants.js';
import { commitsOf, passingBytes, poolRows, sweepNsOf } from '../../pipeline/analysis/forecast/phases.js';
import type { EstimatedWork } from '../../pipeline/analysis/forecast/work.js';
import type { CutSlice } from '../../pipeline/engine/crew/cut.js';

export interface CalibrationRun {
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
  readonly cpuSeconds: number;
  readonly bytesRead: number;
}

export interface MachineFigures {
  readonly machine: string;
  /** An ending so small that its time is that of the process. */
  readonly tiny: CalibrationRun;
  /** A large ending in little memory, and in so much that its rounds hardly use files. */
  readonly little: CalibrationRun;
  readonly littleCut: CutSlice;
  readonly much: CalibrationRun;
  /** Work that a sample of the large ending forecasts, with its true rounds and share of decided positions. */
  readonly work: EstimatedWork;
  readonly verified: VerifiedRun;
}

export const cpuOf = (run: CalibrationRun, phase?: string): number =>
  run.phases.reduce((sum, each) => sum + (phase === undefined || each.phase === phase ? each.cpuMs : 0), 0);

const bytesOf = (run: CalibrationRun) => run.bytesRead + run.bytesWritten;
const nanoseconds = (cpuMs: number, of: number) => (cpuMs * 1e6) / of;

/** The constants by their names, each rounded to three digits. */
export function calibrate(measured: MachineFigures): Record<string, number | string> {
  const { little, much, littleCut: cut, verified } = measured;
  const roundsMs = cpuOf(little, 'rounds');
  const bytesApart = bytesOf(little) - bytesOf(much);
  const byteNs = Math.max(0, nanoseconds(roundsMs - cpuOf(much, 'rounds'), bytesApart));
  // A sample forecasts the share of requests that are sent better than their number, so the number is the measured one.
  const { requests, rounds } = little;
  const work = { ...measured.work, requests, sent: (requests * measured.work.sent) / measured.work.requests };
  // In little memory labels pass at every commit and in part in every round, and requests spill; in much memory they stay.
  const passing = passingBytes(cut);
  const rowBytes = work.byRows ? ROW_BYTES.sets.pooled : ROW_BYTES.keys.pooled;
  const inRounds = bytesApart - 2 * rowBytes * little.rowsSpilled - (commitsOf(cut, work) - 1) * passing;
  const figures = {
    processSeconds: cpuOf(measured.tiny) / 1000,
    enumerateNs: nanoseconds(cpuOf(little, 'enumerate'), work.indices),
    finishNs: nanoseconds(cpuOf(little, 'finish'), work.indices),
    convertNs: nanoseconds(cpuOf(little, 'convert'), work.conversions),
    requestNs: (roundsMs * 1e6 - byteNs * bytesOf(little) - sweepNsOf(work)) / requests,
    verifyNs: (verified.cpuSeconds * 1e9) / (work.moves + work.conversions),
    verifyReadBytes: verified.bytesRead / (work.moves + work.conversions),
    byteNs,
    touched: Math.max(0, inRounds / (rounds * passing)),
    // The mean of the large rounds that spilled; if none did, the most that it can have been.
    peak: (poolRows(cut, work) * rounds) / Math.max(1, work.sent - little.rowsSpilled),
  };
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  return { machine: measured.machine, ...Object.fromEntries(rounded) };
}
