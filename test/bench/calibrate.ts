/** Computes the constants of the cost model (pipeline/analysis/forecast/calibration.ts) from measurements. Pure. */

import type { Calibration } from '../../pipeline/analysis/forecast/calibration.js';
import { phasesOf, poolRows, sweepNsOf } from '../../pipeline/analysis/forecast/phases.js';
import type { EstimatedWork } from '../../pipeline/analysis/forecast/work.js';
import type { CutSlice } from '../../pipeline/engine/cut.js';

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
  readonly rows: number;
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
  readonly muchCut: CutSlice;
  /** Work that a sample of the large ending forecasts, with its true rounds and share of decided positions. */
  readonly work: EstimatedWork;
  readonly verified: VerifiedRun;
}

export const cpuOf = (run: CalibrationRun, phase?: string): number =>
  run.phases.reduce((sum, each) => sum + (phase === undefined || each.phase === phase ? each.cpuMs : 0), 0);

const bytesOf = (run: CalibrationRun) => run.bytesRead + run.bytesWritten;
const nanoseconds = (cpuMs: number, of: number) => (cpuMs * 1e6) / of;

export function calibrate(measured: MachineFigures): Calibration {
  const { little, much, littleCut, muchCut, verified } = measured;
  const roundsMs = cpuOf(little, 'rounds');
  const bytesApart = bytesOf(little) - bytesOf(much);
  const byteNs = Math.max(0, nanoseconds(roundsMs - cpuOf(much, 'rounds'), bytesApart));
  // A sample forecasts the share of requests that are sent better than their number, so the number is the measured one.
  const { requests } = little;
  const work = { ...measured.work, requests, sent: (requests * measured.work.sent) / measured.work.requests };
  const untouched: Calibration = {
    machine: measured.machine,
    processSeconds: cpuOf(measured.tiny) / 1000,
    enumerateNs: nanoseconds(cpuOf(little, 'enumerate'), work.indices),
    finishNs: nanoseconds(cpuOf(little, 'finish'), work.indices),
    convertNs: nanoseconds(cpuOf(little, 'convert'), work.conversions),
    requestNs: (roundsMs * 1e6 - byteNs * bytesOf(little) - sweepNsOf(work, little.rounds)) / requests,
    verifyNs: (verified.cpuSeconds * 1e9) / verified.rows,
    byteNs,
    touched: 0,
    peak: peakOf(little.rowsSpilled, work, littleCut),
    verifyReadBytes: verified.bytesRead / verified.rows,
  };
  // The model's bytes grow with `touched` in a straight line. Bytes that both runs move alike cancel out.
  const modelledApart = (touched: number) => {
    const calibration = { ...untouched, touched };
    return modelledBytes(littleCut, work, calibration) - modelledBytes(muchCut, work, calibration);
  };
  const touched = (bytesApart - modelledApart(0)) / (modelledApart(1) - modelledApart(0));
  return { ...untouched, touched: Math.max(0, touched) };
}

/** The mean of the large rounds that spilled; if none did, the most that it can have been. */
function peakOf(rowsSpilled: number, work: EstimatedWork, cut: CutSlice): number {
  const kept = Math.max(1, work.sent - rowsSpilled);
  return (poolRows(cut, work) * work.rounds) / kept;
}

function modelledBytes(cut: CutSlice, work: EstimatedWork, calibration: Calibration): number {
  const dependencies = { ranks: 1, dependencies: 0, dependencyBytes: 0 };
  return phasesOf({ cut, work, metric: 'dtm', calibration, ...dependencies }, false).reduce(
    (sum, { traffic }) =>
      sum + traffic.storeRead + traffic.storeWritten + traffic.scratchRead + traffic.scratchWritten,
    0,
  );
}
