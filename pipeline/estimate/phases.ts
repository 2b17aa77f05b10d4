/**
 * What each phase of a slice costs in CPU and traffic. A slice without unmoves has a phase more, in which its moves are written
 * down, and is solved whole. A slice solved whole keeps its labels and requests in memory or
 * scratch; one cut into partitions puts them into the store, because every round is a new process on any machine. The game
 * takes conversions back (`unconversions`), and losses are found by counting.
 */
import type { CutSlice } from '../cut.js';
import { SHARES as EDGE_SHARES } from '../phases/edges.js';
import { CHANGE_BYTES } from '../phases/label-deltas.js';
import { BLOCK_BYTES } from '../phases/label-planes.js';
import { MAX_DELTAS, SHARES as PARTITION_SHARES } from '../phases/partition-round.js';
import { SHARES } from '../phases/rounds.js';
import { COMMIT_REQUESTS, COMMIT_ROUNDS } from '../solvers/external/do-rounds.js';
import { valueTypeFor } from '../table/writer.js';
import type { Metric } from '../value.js';
import { type Calibration, EDGES, ROW_BYTES } from './calibration.js';
import { NO_TRAFFIC, type Traffic } from './traffic.js';
import type { Work } from './work.js';

export type PhaseName = 'start' | 'edges' | 'rounds' | 'finish' | 'verify';

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
  /** Bytes of the finished tables of all that it converts to, how many slices that are, and the most rounds of one. */
  readonly dependencyBytes: number;
  readonly dependencies: number;
  readonly dependencyRounds: number;
  readonly calibration: Calibration;
}

/** Bytes of a sent request in the pool and where the pool spills to: there it is not in order, and so not packed. */
const POOLED_BYTES = 4;
/** Bytes of a segment in the directory of a run: its major and where it starts, as text. */
const SEGMENT_BYTES = 16;

export function tableBytes(work: Work, metric: Metric): number {
  return work.indices * (valueTypeFor(metric, work.rounds) === 'i8' ? 1 : 2);
}

export function phasesOf(context: SliceContext, verify: boolean): PhaseWork[] {
  const written = context.work.edges === 0 ? [] : [edges(context)];
  const phases = [start(context), ...written, rounds(context), finish(context)];
  return verify ? [...phases, verification(context)] : phases;
}

const isWhole = ({ cut }: SliceContext) => cut.partitions === 1;
const seconds = (nanoseconds: number) => nanoseconds / 1e9;

/** Processes are counted where each task is one; the phases of a slice that is solved whole share the first. */
const processSeconds = (context: SliceContext, tasks: number) =>
  isWhole(context) ? 0 : tasks * context.calibration.processSeconds;

/** Runs of labels: a block each, which is a part at least, and each side's counts and bits of each partition. */
function labelRuns({ cut }: SliceContext): number {
  const blocks = Math.ceil(cut.labelBytes / BLOCK_BYTES);
  return Math.max(4 * cut.partitions, Math.min(4 * cut.parts, blocks));
}

/** Times that a whole solve commits labels and frontiers. */
function commits({ work }: SliceContext): number {
  return Math.max(1, Math.ceil(work.requests / COMMIT_REQUESTS), Math.ceil(work.rounds / COMMIT_ROUNDS));
}

/** Labels are written once, tables of dependencies scanned once. What conversions spill, which is little, is not counted. */
function start(context: SliceContext): PhaseWork {
  const { cut, work, calibration, dependencyBytes, dependencies } = context;
  const { partitions } = cut;
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
      storeRead: dependencyBytes,
      storeWritten: cut.labelBytes + ROW_BYTES.frontier * work.mates + ROW_BYTES.conversion * work.events,
      runsRead: partitions * 2 * dependencies,
      // Mates, events, and the requests of the first round.
      runsWritten: labelRuns(context) + 3 * partitions,
      manifestsRead: partitions * (1 + dependencies),
      manifestsWritten: partitions,
      lists: partitions,
    },
  };
}

/** All moves are made, ordered by where they lead, and written; what does not fit the pool passes through scratch. */
function edges(context: SliceContext): PhaseWork {
  const { cut, work } = context;
  const bytes = EDGES.bytes * work.edges;
  const spilled = Math.max(0, bytes - cut.memory * EDGE_SHARES.pool);
  return {
    phase: 'edges',
    times: 1,
    tasks: 1,
    starts: 0,
    cpuSeconds: seconds(EDGES.makeNs * work.edges),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: work.indices,
      storeWritten: bytes,
      scratchRead: spilled,
      scratchWritten: spilled,
      runsRead: labelRuns(context) / 2,
      runsWritten: 1,
      manifestsWritten: 1,
    },
  };
}

/** A round reads those edges that lead to blocks with a position of its frontier: as many as it touches of the labels. */
const edgesRead = ({ work, calibration }: SliceContext) =>
  work.rounds * calibration.touched * EDGES.bytes * work.edges;

function rounds(context: SliceContext): PhaseWork {
  const { cut, work, calibration } = context;
  const traffic = isWhole(context) ? roundsWhole(context) : roundsCut(context);
  const bytes = traffic.storeRead + traffic.storeWritten + traffic.scratchRead + traffic.scratchWritten;
  const ofEdges = edgesRead(context);
  return {
    phase: 'rounds',
    times: isWhole(context) ? 1 : work.rounds,
    tasks: cut.partitions,
    starts: isWhole(context) ? 0 : work.rounds,
    cpuSeconds:
      seconds(calibration.requestNs * work.requests + calibration.byteNs * bytes + EDGES.byteNs * ofEdges) +
      processSeconds(context, work.rounds * cut.partitions),
    traffic: { ...traffic, storeRead: traffic.storeRead + ofEdges },
  };
}

/** Rows of the memory in which a task collects the requests that it sends. */
export function poolRows(cut: CutSlice): number {
  const share = cut.partitions === 1 ? SHARES.buffers : PARTITION_SHARES.pool;
  return (cut.memory * share) / POOLED_BYTES;
}

/** Bytes of sent requests that do not fit the pool of their round, when large rounds have `peak` times the mean. */
function spilledBytes({ cut, work, calibration }: SliceContext): number {
  const large = (calibration.peak * work.sent) / work.rounds / cut.partitions;
  const room = poolRows(cut);
  return large <= room ? 0 : POOLED_BYTES * work.sent * (1 - room / large);
}

/** What all rounds together look at, of so many bytes or runs of labels: a round labels wins, by the bits, or losses, by the counts. */
const swept = ({ work, calibration }: SliceContext, labels: number) =>
  (work.rounds * calibration.touched * labels) / 2;

function roundsWhole(context: SliceContext): Traffic {
  const { cut, work } = context;
  const times = commits(context);
  /** Labels beyond the memory for them: each round reads what it looks at and writes it back, each commit reads all. */
  const passing = Math.max(0, cut.labelBytes - cut.memory * SHARES.labels);
  const passed = swept(context, passing);
  const spilled = spilledBytes(context);
  return {
    ...NO_TRAFFIC,
    storeRead: cut.labelBytes - passing + ROW_BYTES.conversion * work.events,
    storeWritten: times * cut.labelBytes + ROW_BYTES.frontier * work.decided,
    scratchRead: passed + times * passing + spilled,
    scratchWritten: passed + spilled,
    runsRead: labelRuns(context) + 1,
    runsWritten: times * (labelRuns(context) + 1),
    manifestsRead: times,
    manifestsWritten: times,
  };
}

function roundsCut(context: SliceContext): Traffic {
  const { cut, work } = context;
  const { partitions, parts } = cut;
  const tasks = work.rounds * partitions;
  const read = swept(context, cut.labelBytes);
  // Requests to counts are those from won positions, about half; a round writes its changes, or the blocks anew.
  const changes = Math.min((CHANGE_BYTES * work.requests) / 2, read);
  const frontiers = ROW_BYTES.frontier * work.decided;
  const requests = ROW_BYTES.request * work.sent;
  const spilled = spilledBytes(context);
  // Every task opens the request runs of all tasks, and in round 1 their conversions, of which it makes a run of its own,
  // which is opened while some can be due. A round has requests of two flows, and so have the conversions of a ply.
  const openedRequests = tasks * partitions;
  const openedConversions =
    partitions ** 2 + Math.min(work.rounds, context.dependencyRounds + 1) * partitions;
  const directories =
    openedRequests * Math.min(2 * parts, work.sent / tasks) +
    partitions ** 2 * Math.min(2 * parts * context.dependencyRounds, work.events / partitions) +
    (openedConversions - partitions ** 2) *
      Math.min(2 * (parts / partitions) * context.dependencyRounds, work.events / partitions);
  return {
    ...NO_TRAFFIC,
    // Changes are read once more by the rounds after, before they are written into the blocks.
    storeRead:
      requests +
      2 * ROW_BYTES.conversion * work.events +
      frontiers +
      read +
      changes +
      SEGMENT_BYTES * directories,
    storeWritten: requests + ROW_BYTES.conversion * work.events + frontiers + changes,
    scratchRead: spilled,
    scratchWritten: spilled,
    // Own: labels, the last frontier, and half of the most deltas, each a run: a round has wins or changed counts.
    runsRead:
      openedRequests + openedConversions + swept(context, labelRuns(context)) + tasks * (1 + MAX_DELTAS / 2),
    // Frontier, changes, requests.
    runsWritten: tasks * 3,
    manifestsRead: tasks * (partitions + 1),
    manifestsWritten: tasks,
    lists: tasks,
  };
}

/** Reads counts and events once, writes the table. */
function finish(context: SliceContext): PhaseWork {
  const { cut, work, calibration, metric } = context;
  const { partitions } = cut;
  const frontiers = isWhole(context) ? commits(context) : work.rounds;
  return {
    phase: 'finish',
    times: 1,
    tasks: partitions,
    starts: isWhole(context) ? 0 : 1,
    cpuSeconds: seconds(calibration.finishNs * work.indices) + processSeconds(context, partitions),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: work.indices + ROW_BYTES.frontier * work.decided,
      storeWritten: tableBytes(work, metric),
      runsRead: labelRuns(context) / 2 + partitions * (1 + frontiers),
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
    cpuSeconds: seconds(calibration.verifyNs * rows) + processSeconds(context, partitions),
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
