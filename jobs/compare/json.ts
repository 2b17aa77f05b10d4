/** The report as JSON: figures are grouped by how they came about. */
import { ioTotals } from './io-counts.js';
import type { Report, SolvedRun } from './report.js';
import { solvers } from './solvers.js';

export function reportJson(report: Report): object {
  const { solved, unable, disagreements, devices, notes, ...asked } = report;
  return {
    ...asked,
    identical: disagreements.length === 0,
    differences: disagreements.map(({ runs, first: { toMove, index, fen, values } }) => ({
      sideToMove: toMove,
      index,
      fen,
      values: runs.map((run, i) => ({ ...run, value: values[i] })),
    })),
    runs: [
      ...solved.map(solvedJson),
      ...unable.map(({ solver, memory, reason }) => ({ solver, memory, status: 'unable', reason })),
    ],
    devices,
    notes,
  };
}

function solvedJson({ solver, memory, measured, modelled }: SolvedRun): object {
  const { io, wallMs, cpuMs, peakRssBytes, startRssBytes, majorFaults } = measured;
  const { deviceReadBytes, deviceWrittenBytes, pageFaults, requests, digests, counters } = measured;
  const { all, sequential, random } = ioTotals(io);
  return {
    solver,
    memory,
    status: 'solved',
    digests,
    measured: {
      wallMs: Math.round(wallMs),
      cpuMs: Math.round(cpuMs),
      peakRssBytes,
      startRssBytes,
      majorFaults,
      deviceReadBytes,
      deviceWrittenBytes,
    },
    counted: {
      operations: all.operations,
      bytes: all.bytes,
      sequentialBytes: sequential.bytes,
      randomBytes: random.bytes,
      randomOperations: random.operations,
      streams: io.streams,
      read: io.read,
      written: io.written,
      pageFaults,
      requests,
      requestsAre: solvers[solver].requestsAre,
      solver: counters,
    },
    modelled: modelled.map(({ device, ioMs, totalMs }) => ({
      device,
      ioMs: Math.round(ioMs),
      totalMs: Math.round(totalMs),
    })),
  };
}
