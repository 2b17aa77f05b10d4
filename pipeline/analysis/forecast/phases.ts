/**
 * The cost of each phase of a slice in CPU and traffic. A slice solved whole keeps requests in memory or scratch. A slice cut
 * into partitions sends those that leave their partition through the store. Its large rounds are done by all partitions, with
 * a barrier each, and the others by one partition for all. The game takes conversions back (`unconversions`), and losses are
 * found by counting.
 */

import type { CutSlice } from '../../engine/cut.js';
import { BLOCK_BYTES } from '../../engine/label-planes.js';
import { PHASE_MEMORY } from '../../engine/memory.js';
import { commitRequestsOf, PACE } from '../../engine/pace.js';
import type { Metric } from '../../game/value.js';
import { valueTypeFor } from '../../tables/writer.js';
import { barrierSeconds, barrierTraffic, leadingOperations } from './barriers.js';
import {
  ASSUMED,
  type Calibration,
  EDGES,
  PARCELS,
  RESIDENT,
  ROW_BYTES,
  SETS,
  SWEEP_NS,
  VERIFIED_BY_KEYS,
} from './calibration.js';
import { rowBytesOf } from './row-bytes.js';
import { NO_TRAFFIC, sumTraffic, type Traffic } from './traffic.js';
import type { EstimatedWork } from './work.js';

export type PhaseName = 'resident' | 'start' | 'edges' | 'rounds' | 'finish' | 'verify';

export interface PhaseWork {
  readonly phase: PhaseName;
  /** Barriers; none if the slice is solved whole. */
  readonly barriers: number;
  /** Partitions between two barriers. */
  readonly partitions: number;
  /** Sums over all partitions; `alone`: the share that one partition does while the others wait. */
  readonly cpuSeconds: number;
  readonly aloneSeconds: number;
  /** Barriers included. */
  readonly traffic: Traffic;
  /** Operations of the leading rank at barriers. */
  readonly leading: number;
}

export interface SliceContext {
  readonly cut: CutSlice;
  readonly work: EstimatedWork;
  readonly metric: Metric;
  readonly ranks: number;
  /** Bytes of the finished tables of all that it converts to, and how many slices that are. */
  readonly dependencyBytes: number;
  readonly dependencies: number;
  readonly calibration: Calibration;
}

/** Bytes of a segment in the directory of a run: its major and where it starts, as text. */
const SEGMENT_BYTES = 16;
/** The share of memory for received rows that is windows, and the bytes of the least one (solve-together.ts). */
const WINDOW = { share: 0.75, least: 8192 } as const;

export function tableBytes(work: EstimatedWork, metric: Metric): number {
  return work.indices * (valueTypeFor(metric, work.rounds) === 'i8' ? 1 : 2);
}

export function phasesOf(context: SliceContext, verify: boolean): PhaseWork[] {
  if (context.cut.resident) return inMemory(context, verify);
  const written = context.work.edges === 0 ? [] : [edges(context)];
  const phases = [start(context), ...written, rounds(context), finish(context)];
  return verify ? [...phases, verification(context)] : phases;
}

/** Reads the tables of dependencies and writes its own; verification reads all of them. */
function inMemory(context: SliceContext, verify: boolean): PhaseWork[] {
  const { work, metric, dependencyBytes, dependencies } = context;
  const read = {
    ...NO_TRAFFIC,
    storeRead: dependencyBytes,
    runsRead: 2 * dependencies,
    manifestsRead: dependencies,
  };
  const own = tableBytes(work, metric);
  const solved = phaseOf(context, {
    phase: 'resident',
    barriers: 0,
    cpuSeconds: seconds(RESIDENT.solveNs * work.indices),
    traffic: { ...read, storeWritten: own, runsWritten: 2, manifestsWritten: 1 },
  });
  if (!verify) return [solved];
  const verified = phaseOf(context, {
    phase: 'verify',
    barriers: 0,
    cpuSeconds: seconds(RESIDENT.verifyNs * work.indices),
    traffic: sumTraffic([read, { ...NO_TRAFFIC, storeRead: own, runsRead: 2, manifestsWritten: 1 }]),
  });
  return [solved, verified];
}

const isWhole = ({ cut }: SliceContext) => cut.partitions === 1;
const seconds = (nanoseconds: number) => nanoseconds / 1e9;

interface Phase {
  readonly phase: PhaseName;
  readonly cpuSeconds: number;
  readonly aloneSeconds?: number;
  readonly traffic: Traffic;
  /** As many as it would have if the slice were cut. */
  readonly barriers: number;
}

/** Adds barriers to a phase of a slice that is cut. */
function phaseOf(
  context: SliceContext,
  { barriers, traffic, cpuSeconds, aloneSeconds = 0, phase }: Phase,
): PhaseWork {
  const { cut, ranks } = context;
  const { partitions } = cut;
  if (isWhole(context))
    return { phase, barriers: 0, partitions, cpuSeconds, aloneSeconds, traffic, leading: 0 };
  return {
    phase,
    barriers,
    partitions,
    aloneSeconds,
    cpuSeconds: cpuSeconds + barriers * partitions * PARCELS.partSeconds,
    traffic: sumTraffic([traffic, barrierTraffic(barriers, ranks, partitions)]),
    leading: leadingOperations(barriers, partitions),
  };
}

/** Runs of labels: a block each, which is a part at least, and each side's counts and bits of each partition. */
function labelRuns({ cut }: SliceContext): number {
  const blocks = Math.ceil(cut.labelBytes / BLOCK_BYTES);
  return Math.max(4 * cut.partitions, Math.min(4 * cut.parts, blocks));
}

/** Times that a solve commits labels and frontiers, for so many requests and rounds: at most once a round. */
function commits(cut: CutSlice, requests: number, roundsDone: number): number {
  const byRequests = Math.ceil(requests / commitRequestsOf(PACE, cut));
  const wanted = Math.max(1, byRequests, Math.ceil(roundsDone / PACE.commitRounds));
  return Math.min(wanted, Math.max(1, roundsDone));
}

/** Labels are written once, tables of dependencies scanned once. The few bytes that conversions spill are not counted. */
function start(context: SliceContext): PhaseWork {
  const { cut, work, calibration, dependencyBytes, dependencies } = context;
  const { partitions } = cut;
  return phaseOf(context, {
    phase: 'start',
    // To enumerate, and to convert.
    barriers: 2,
    cpuSeconds: seconds(calibration.enumerateNs * work.indices + calibration.convertNs * work.conversions),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: dependencyBytes,
      storeWritten: cut.labelBytes + ROW_BYTES.frontier * work.mates + ROW_BYTES.conversion * work.events,
      runsRead: partitions * 2 * dependencies,
      // Mates and events.
      runsWritten: labelRuns(context) + 2 * partitions,
      manifestsRead: partitions * dependencies,
    },
  });
}

/** All moves are made, ordered by where they lead, and written; what does not fit the pool passes through scratch. */
function edges(context: SliceContext): PhaseWork {
  const { cut, work } = context;
  const bytes = EDGES.bytes * work.edges;
  const spilled = Math.max(0, bytes - cut.partitions * cut.memory * PHASE_MEMORY.edges.moves);
  const sent = leaving(context, work.edges);
  return phaseOf(context, {
    phase: 'edges',
    barriers: 2,
    cpuSeconds: seconds(EDGES.makeNs * work.edges + PARCELS.rowNs * sent),
    traffic: sumTraffic([
      {
        ...NO_TRAFFIC,
        storeRead: work.indices,
        storeWritten: bytes,
        scratchRead: spilled,
        scratchWritten: spilled,
        runsRead: labelRuns(context) / 2,
        runsWritten: cut.partitions,
      },
      parcels(context, 1, sent, EDGES.bytes),
    ]),
  });
}

/** Rows that go from one partition to another: where a row leads is taken to be independent of where it is from. */
function leaving({ cut }: SliceContext, rows: number): number {
  return rows * (1 - 1 / cut.partitions);
}

/**
 * Traffic of parcels. In each of so many rounds every partition sends one object, with a run for each other
 * partition. A partition reads its run by one operation, or window by window. The manifest of the round says which
 * bytes these are.
 */
function parcels({ cut, ranks }: SliceContext, times: number, rows: number, rowBytes: number): Traffic {
  const { partitions, parts, memory } = cut;
  if (partitions === 1 || times === 0) return NO_TRAFFIC;
  const sent = times * partitions;
  const pairs = sent * (partitions - 1);
  const runs = Math.min(pairs, rows);
  const rowsOfRun = rows / Math.max(1, runs);
  const segments = Math.min((2 * parts) / partitions, rowsOfRun);
  const bytesOfRun = rowBytes * rowsOfRun + PARCELS.runBytes + SEGMENT_BYTES * segments;
  const share = (WINDOW.share * PHASE_MEMORY.rounds['received runs'] * memory) / partitions;
  const window = Math.max(WINDOW.least, share);
  // The footer of a long run is read before its rows.
  const windows = bytesOfRun <= window ? 0 : Math.ceil(bytesOfRun / window);
  return {
    ...NO_TRAFFIC,
    storeRead: runs * bytesOfRun + ranks * pairs * PARCELS.entryBytes,
    storeWritten: runs * bytesOfRun + pairs * PARCELS.entryBytes,
    parcelRuns: runs,
    parcelWindows: runs * windows,
    runsWritten: sent,
    deletes: sent,
  };
}

/** Rounds that all partitions do with a barrier each, and the share of the requests that are left for one partition. */
export interface Divided {
  readonly together: number;
  readonly aloneShare: number;
}

/**
 * The requests of the rounds, largest first, are taken to fall exponentially from `peak` times the mean. If one
 * partition takes less time for a round than a barrier takes, it does the round for all. Before, as many such rounds
 * were done together as handing over is worth.
 */
function divideRounds({ cut, work, calibration }: SliceContext): Divided {
  if (cut.partitions === 1) return { together: 0, aloneShare: 1 };
  const { peak } = calibration;
  const largest = (peak * work.requests) / work.rounds;
  const barrierMs = 1000 * barrierSeconds(cut.partitions, ASSUMED.latencySeconds);
  const few = Math.min(PACE.fewRequests, barrierMs / PACE.requestMs);
  const many = Math.min(1, Math.max(0, Math.log(largest / few) / peak));
  const missed = Math.ceil((work.indices * PACE.positionMs) / barrierMs);
  const together = Math.min(work.rounds, Math.round(many * work.rounds) + missed);
  return { together, aloneShare: together === work.rounds ? 0 : Math.exp(-peak * (together / work.rounds)) };
}

/** Rounds read those edges that lead to blocks with a position of their frontiers. */
const edgesRead = ({ work }: SliceContext) => work.rounds * EDGES.read * EDGES.bytes * work.edges;

function rounds(context: SliceContext): PhaseWork {
  const { cut, work, calibration } = context;
  const { together, aloneShare } = divideRounds(context);
  const alone = work.rounds - together;
  const sent = leaving(context, work.sent * (1 - aloneShare));
  const common = roundsOf(
    context,
    { times: together, share: 1 - aloneShare, ends: alone === 0 },
    cut.partitions,
  );
  const byOne = roundsOf(context, { times: alone, share: aloneShare, ends: true }, 1);
  const through = parcels(context, together, sent, rowBytesOf(work).request);
  const requestNs = calibration.requestNs * (work.byRows ? 1 : SETS.keyShare);
  const cpu = (traffic: Traffic, share: number, times: number) =>
    seconds(
      requestNs * work.requests * share +
        sweepNsOf(work, times) +
        calibration.byteNs *
          (traffic.storeRead + traffic.storeWritten + traffic.scratchRead + traffic.scratchWritten),
    );
  const aloneSeconds = cpu(byOne, aloneShare, alone);
  const ofEdges = edgesRead(context);
  const epochs = together === 0 ? 0 : commits(cut, work.requests * (1 - aloneShare), together);
  return phaseOf(context, {
    phase: 'rounds',
    barriers: together + 2 * epochs,
    cpuSeconds:
      cpu(common, 1 - aloneShare, together) +
      aloneSeconds +
      seconds(PARCELS.rowNs * sent + EDGES.byteNs * ofEdges) +
      PARCELS.runSeconds * through.parcelRuns,
    aloneSeconds: isWhole(context) ? 0 : aloneSeconds,
    traffic: sumTraffic([common, byOne, through, { ...NO_TRAFFIC, storeRead: ofEdges }]),
  });
}

/** CPU nanoseconds of so many rounds, whatever they work off. */
export function sweepNsOf({ byRows, indices }: EstimatedWork, times: number): number {
  return byRows ? SWEEP_NS * times * indices : 0;
}

/** Rows of the memory in which partitions collect the requests that they send. */
export function poolRows(cut: CutSlice, work: EstimatedWork): number {
  return (cut.memory * PHASE_MEMORY.rounds.requests) / rowBytesOf(work).pooled;
}

/** Bytes of sent requests that do not fit the pool of their round, when large rounds have `peak` times the mean. */
function spilledBytes({ cut, work, calibration }: SliceContext, share: number, partitions: number): number {
  const large = (calibration.peak * work.sent) / work.rounds / partitions;
  const room = poolRows(cut, work);
  return large <= room ? 0 : rowBytesOf(work).pooled * work.sent * share * (1 - room / large);
}

/** Rounds that follow each other, with a share of all requests. */
interface SomeRounds {
  readonly times: number;
  readonly share: number;
  /** Whether they are the last of the slice. */
  readonly ends: boolean;
}

/**
 * So many rounds with a share of the requests, by so many partitions, without what these send each other. Labels
 * beyond the memory pass through scratch. Each round reads what it looks at (the bits for wins, the counts for
 * losses) and writes it back. Each commit reads all.
 */
function roundsOf(context: SliceContext, { times, share, ends }: SomeRounds, partitions: number): Traffic {
  if (times === 0) return NO_TRAFFIC;
  const { cut, work, calibration } = context;
  const committed = commits(cut, work.requests * share, times);
  const passing = Math.max(0, cut.labelBytes - partitions * cut.memory * PHASE_MEMORY.rounds.labels);
  const passed = (times * calibration.touched * passing) / 2;
  const spilled = spilledBytes(context, share, partitions);
  // The last commit of a slice writes a bit of each index.
  const labels = committed * cut.labelBytes - (ends ? cut.labelBytes - work.indices / 8 : 0);
  return {
    ...NO_TRAFFIC,
    storeRead: cut.labelBytes - passing + ROW_BYTES.conversion * work.events,
    storeWritten: labels + rowBytesOf(work).frontier * work.decided * share,
    scratchRead: passed + committed * passing + spilled,
    scratchWritten: passed + spilled,
    runsRead: labelRuns(context) + partitions,
    runsWritten: committed * (labelRuns(context) + partitions),
    manifestsRead: committed,
    manifestsWritten: partitions === 1 ? committed : 0,
    deletes: committed * labelRuns(context),
  };
}

/** Reads bits and events once, writes the table. */
function finish(context: SliceContext): PhaseWork {
  const { cut, work, calibration, metric } = context;
  const { partitions } = cut;
  return phaseOf(context, {
    phase: 'finish',
    barriers: 1,
    cpuSeconds: seconds(calibration.finishNs * work.indices),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: work.indices / 8 + rowBytesOf(work).frontier * work.decided,
      storeWritten: tableBytes(work, metric),
      runsRead: labelRuns(context) / 2 + partitions * (1 + commits(cut, work.requests, work.rounds)),
      runsWritten: 2 * partitions,
      manifestsRead: 1,
      manifestsWritten: isWhole(context) ? 1 : 0,
      // Leftover objects are looked for when the table is finished, and when it is verified.
      lists: 2,
    },
  });
}

function verification(context: SliceContext): PhaseWork {
  const { cut, work, calibration, metric, dependencies } = context;
  const { partitions } = cut;
  const rows = work.moves + work.conversions;
  const cost = work.movesByRows
    ? { ns: calibration.verifyNs, readBytes: calibration.verifyReadBytes }
    : { ns: calibration.verifyNs * VERIFIED_BY_KEYS.cpu, readBytes: VERIFIED_BY_KEYS.readBytes };
  return phaseOf(context, {
    phase: 'verify',
    barriers: 1,
    cpuSeconds: seconds(cost.ns * rows),
    traffic: {
      ...NO_TRAFFIC,
      storeRead: tableBytes(work, metric) + cost.readBytes * rows,
      // A partition's moves lead anywhere, so it opens the runs of all.
      runsRead: partitions * (2 * partitions + 2 * dependencies),
      manifestsRead: partitions * (2 + dependencies),
      manifestsWritten: isWhole(context) ? 1 : 0,
    },
  });
}
