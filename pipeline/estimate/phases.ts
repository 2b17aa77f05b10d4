/**
 * What each phase of a slice costs in CPU and traffic. A slice solved whole keeps its labels and requests in memory or
 * scratch; one cut into partitions puts them into the store, because every round is a new process on any machine.
 */
import type { CutSlice } from '../cut.js';
import { valueTypeFor } from '../table/writer.js';
import type { Metric } from '../value.js';
import type { Calibration } from './calibration.js';
import { NO_TRAFFIC, type Traffic } from './traffic.js';
import type { Work } from './work.js';

export type PhaseName = 'start' | 'rounds' | 'finish' | 'verify';

export interface PhaseWork {
  readonly phase: PhaseName;
  /** Barriers it ends with: as many as there are rounds, or one. */
  readonly times: number;
  /** Tasks between two barriers. */
  readonly tasks: number;
  /** Barriers at which an engine starts processes; the phases of a slice that is solved whole share one process. */
  readonly starts: number;
  /** Of all tasks of all times together, the start of their processes included. */
  readonly cpuSeconds: number;
  readonly traffic: Traffic;
}

export interface SliceContext {
  readonly cut: CutSlice;
  readonly work: Work;
  readonly metric: Metric;
  /** Bytes of the finished tables of all that it converts to, and how many slices that are. */
  readonly dependencyBytes: number;
  readonly dependencies: number;
  readonly calibration: Calibration;
}

/** Bytes: a key, a request to be answered (key, asker's key and part), a changed count with its key. */
const KEY = 4;
const QUESTION = 12;
const CHANGE = 5;
/** Shares of the memory, as the phases divide it: pools of conversions and of rounds, labels, of these the bits. */
const SHARES = { convert: 0.22, rounds: 0.26, labels: 0.32, bits: 0.7 };
/** A whole solve commits its labels after so many requests or rounds (solvers/external/solve-slice.ts). */
const COMMIT_REQUESTS = 2 ** 26;
const COMMIT_ROUNDS = 256;
/** A slice solved whole keeps its labels in blocks of so many bytes, each a run. */
const BLOCK_BYTES = 2 ** 21;
/** Tables that a partition's conversions reach: those of its own kings' places and those of captures by the king. */
const REACH = 2;

export function tableBytes(work: Work, metric: Metric): number {
  return work.indices * (valueTypeFor(metric, work.rounds) === 'i8' ? 1 : 2);
}

export function phasesOf(context: SliceContext, verify: boolean): PhaseWork[] {
  const phases = [start(context), rounds(context), finish(context)];
  return verify ? [...phases, verification(context)] : phases;
}

const isWhole = ({ cut }: SliceContext) => cut.partitions === 1;
const seconds = (nanoseconds: number) => nanoseconds / 1e9;

/** Conversions that tell something; those to draws do not. The share is taken to be that of the slice. */
function answersOf({ work }: SliceContext): number {
  return work.positions === 0 ? 0 : work.conversions * (work.decided / work.positions);
}

/** Rows of one task that do not fit `room` rows and go to scratch. */
const overflow = (rows: number, room: number) => Math.max(0, rows - room);

function start(context: SliceContext): PhaseWork {
  const { cut, work, calibration, dependencyBytes, dependencies } = context;
  const { partitions } = cut;
  const answers = answersOf(context);
  const spilled =
    partitions * overflow(work.conversions / partitions, (cut.memory * SHARES.convert) / QUESTION) * QUESTION;
  const labelRuns = isWhole(context) ? Math.ceil(cut.labelBytes / BLOCK_BYTES) : 4 * partitions;
  return {
    phase: 'start',
    times: 1,
    tasks: partitions,
    starts: 1,
    cpuSeconds:
      seconds(calibration.enumerateNs * work.indices + calibration.convertNs * work.conversions) +
      partitions * calibration.processSeconds,
    traffic: {
      ...NO_TRAFFIC,
      storeRead: KEY * work.converting + dependencyBytes * (isWhole(context) ? 1 : REACH),
      storeWritten: cut.labelBytes + KEY * (work.mates + work.converting + answers),
      scratchRead: spilled,
      scratchWritten: spilled,
      runsRead: partitions * (1 + 2 * dependencies),
      runsWritten: labelRuns + 3 * partitions,
      manifestsRead: partitions * (1 + dependencies),
      manifestsWritten: partitions,
      lists: partitions,
    },
  };
}

function rounds(context: SliceContext): PhaseWork {
  const { cut, work, calibration } = context;
  const traffic = isWhole(context) ? roundsWhole(context) : roundsCut(context);
  const bytes = traffic.storeRead + traffic.storeWritten + traffic.scratchRead + traffic.scratchWritten;
  const processes = isWhole(context) ? 0 : work.rounds * cut.partitions;
  return {
    phase: 'rounds',
    times: isWhole(context) ? 1 : work.rounds,
    tasks: cut.partitions,
    starts: isWhole(context) ? 0 : work.rounds,
    cpuSeconds:
      seconds(calibration.requestNs * work.requests + calibration.byteNs * bytes) +
      processes * calibration.processSeconds,
    traffic,
  };
}

/** Requests that do not fit the pool of their round, when large rounds have `peak` times the mean. */
function spilledRequests({ cut, work, calibration }: SliceContext): number {
  const large = (calibration.peak * work.requests) / work.rounds / cut.partitions;
  const room = (cut.memory * SHARES.rounds) / KEY;
  return large <= room ? 0 : work.requests * (1 - room / large);
}

/** Bytes of the planes that do not fit the memory for labels; the bits come first. */
export function passingLabels(memory: number, indices: number): number {
  const room = memory * SHARES.labels;
  const bits = indices / 8;
  const bitsHeld = Math.min(bits, room * SHARES.bits);
  return bits - bitsHeld + Math.max(0, indices - (room - bitsHeld));
}

function roundsWhole(context: SliceContext): Traffic {
  const { cut, work, calibration } = context;
  const commits = Math.max(
    1,
    Math.ceil(work.requests / COMMIT_REQUESTS),
    Math.ceil(work.rounds / COMMIT_ROUNDS),
  );
  // A round labels wins, which are in the bits, or losses, which are in the counts: in turn.
  const passed = (work.rounds * calibration.touched * passingLabels(cut.memory, work.indices)) / 2;
  const spilled = KEY * spilledRequests(context);
  const blocks = Math.ceil(cut.labelBytes / BLOCK_BYTES);
  return {
    ...NO_TRAFFIC,
    storeRead: cut.labelBytes + KEY * answersOf(context),
    storeWritten: commits * cut.labelBytes + KEY * work.decided,
    scratchRead: passed + spilled,
    scratchWritten: passed + spilled,
    runsRead: blocks + 1,
    runsWritten: commits * (blocks + 1),
    manifestsRead: commits,
    manifestsWritten: commits,
  };
}

function roundsCut(context: SliceContext): Traffic {
  const { cut, work, calibration } = context;
  const { partitions } = cut;
  const tasks = work.rounds * partitions;
  const passed = (work.rounds * calibration.touched * cut.labelBytes) / 2;
  // Requests to counts are those from won positions, about half; a round writes its changes, or the blocks anew.
  const changes = Math.min((CHANGE * work.requests) / 2, passed);
  const spilled = KEY * spilledRequests(context);
  return {
    ...NO_TRAFFIC,
    // Changes are read once more by the rounds after, before they are written into the blocks.
    storeRead: KEY * work.requests + passed + changes + KEY * answersOf(context),
    storeWritten: KEY * work.requests + KEY * work.decided + changes,
    scratchRead: spilled,
    scratchWritten: spilled,
    // Of every task before: its requests and its manifest. Own: two planes of two sides, changes, conversions.
    runsRead: tasks * (partitions + 6),
    runsWritten: tasks * 3,
    manifestsRead: tasks * (partitions + 1),
    manifestsWritten: tasks,
    lists: tasks,
  };
}

function finish(context: SliceContext): PhaseWork {
  const { cut, work, calibration, metric } = context;
  const { partitions } = cut;
  const frontiers = isWhole(context) ? 1 : work.rounds;
  return {
    phase: 'finish',
    times: 1,
    tasks: partitions,
    starts: isWhole(context) ? 0 : 1,
    cpuSeconds:
      seconds(calibration.finishNs * work.indices) +
      (isWhole(context) ? 0 : partitions * calibration.processSeconds),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: work.indices + KEY * work.decided,
      storeWritten: tableBytes(work, metric),
      runsRead: partitions * (2 + frontiers),
      runsWritten: 2 * partitions,
      manifestsRead: partitions * (1 + frontiers),
      manifestsWritten: partitions,
      lists: partitions,
    },
  };
}

function verification(context: SliceContext): PhaseWork {
  const { cut, work, calibration, metric, dependencies } = context;
  const { partitions } = cut;
  const rows = work.moves + work.conversions;
  return {
    phase: 'verify',
    times: 1,
    tasks: partitions,
    starts: isWhole(context) ? 0 : 1,
    cpuSeconds:
      seconds(calibration.verifyNs * rows) + (isWhole(context) ? 0 : partitions * calibration.processSeconds),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: tableBytes(work, metric) + calibration.verifyReadBytes * rows,
      runsRead: partitions * (2 + 2 * dependencies),
      manifestsRead: partitions * (2 + dependencies),
      manifestsWritten: partitions,
      lists: partitions,
    },
  };
}
