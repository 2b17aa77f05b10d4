/**
 * The cost of each phase of a slice: CPU, and what it reads from and writes to the store and scratch. The shares of memory, the sizes
 * of blocks and the commits are the solver's own; all else is constants that were measured. The game takes conversions back, and losses
 * are found by counting.
 */
import type { CutSlice } from '../../engine/crew/cut.js';
import { commitRequestsOf, PACE } from '../../engine/crew/pace.js';
import { BLOCK_BYTES } from '../../engine/memory/label-planes.js';
import { PHASE_MEMORY } from '../../engine/memory/phase-memory.js';
import { stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import { valueTypeFor } from '../../tables/writer.js';
import {
  BARRIER,
  EDGES,
  MEASURED,
  NUMBERED,
  PARCELS,
  RESIDENT,
  ROW_BYTES,
  SETS,
  STORE,
  THREAD_GAIN,
  VERIFIED,
} from './constants.js';
import type { EstimatedWork } from './work.js';

export type PhaseName = 'resident' | 'start' | 'edges' | 'rounds' | 'finish' | 'verify';

/** The machines that run the ranks, one rank each. */
export interface Machines {
  readonly count: number;
  /** Threads of a rank. */
  readonly workers: number;
  /** Bytes a second between a machine and the store. */
  readonly bandwidth: number;
  /** Seconds that a barrier takes beside the answers of the store. */
  readonly phaseSeconds: number;
}

/** What a phase costs: sums over all partitions. */
export interface PhaseEstimate {
  readonly phase: PhaseName;
  /** Barriers; none if the slice is solved whole. */
  readonly barriers: number;
  readonly partitions: number;
  readonly cpuSeconds: number;
  /** The CPU of these that one partition takes while the others wait. */
  readonly aloneSeconds: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** The bytes of both that go to scratch space, not to the store. */
  readonly scratch: number;
  /** Operations on the store that find what they ask for, questions for sizes included. */
  readonly gets: number;
  readonly puts: number;
  readonly lists: number;
  readonly deletes: number;
  /** `barrierSeconds` of these are barriers. */
  readonly wallSeconds: number;
  readonly barrierSeconds: number;
}

export interface SliceContext {
  readonly cut: CutSlice;
  readonly work: EstimatedWork;
  readonly metric: Metric;
  readonly machines: Machines;
  /** Bytes of the finished tables of all that it converts to, and how many slices that are. */
  readonly dependencyBytes: number;
  readonly dependencies: number;
}

export const rowBytesOf = ({ byRows }: EstimatedWork) => (byRows ? ROW_BYTES.sets : ROW_BYTES.keys);

export function tableBytes(work: EstimatedWork, metric: Metric): number {
  const numbers = stipulations[metric].numbers ? 1 : 0;
  return work.indices * ((valueTypeFor(metric, work.rounds) === 'i8' ? 1 : 2) + numbers);
}

/** Rows of the memory in which partitions collect the requests that they send. */
export function poolRows(cut: CutSlice, work: EstimatedWork): number {
  return (cut.memory * PHASE_MEMORY.rounds.requests) / rowBytesOf(work).pooled;
}

/** Bytes of labels beyond the memory of all partitions. */
export function passingBytes({ labelBytes, partitions, memory }: CutSlice): number {
  return Math.max(0, labelBytes - partitions * memory * PHASE_MEMORY.rounds.labels);
}

/** Times that a solve commits labels and frontiers: at most once a round. */
export function commitsOf(cut: CutSlice, { requests, rounds }: EstimatedWork): number {
  const byRequests = Math.ceil(requests / commitRequestsOf(PACE, cut));
  return Math.min(rounds, Math.max(1, byRequests, Math.ceil(rounds / PACE.commitRounds)));
}

/** CPU nanoseconds of rounds, whatever they work off. */
export function sweepNsOf({ byRows, indices, rounds }: EstimatedWork): number {
  return byRows ? SETS.sweepNs * rounds * indices : 0;
}

/** Seconds for which ranks wait at a barrier that all reach at once. */
function barrierSeconds(partitions: number): number {
  const reading = 2 * Math.ceil(partitions / BARRIER.together);
  return (BARRIER.inARow + reading) * STORE.latencySeconds * (1 + BARRIER.overslept);
}

/** A line of the table of phases: CPU nanoseconds, bytes and objects, without barriers and what they cost. */
interface Phase {
  readonly phase: PhaseName;
  readonly barriers?: number;
  readonly ns: number;
  readonly aloneNs?: number;
  /** Bytes and objects of the store. */
  readonly read: number;
  readonly objectsRead: number;
  readonly written?: number;
  readonly objectsWritten?: number;
  readonly deletes?: number;
  /** Bytes that are written to scratch and read again. */
  readonly scratch?: number;
  /** In so many steps rows leave their partition. */
  readonly sent?: { readonly steps: number; readonly rows: number; readonly rowBytes: number };
}

export function phasesOf(context: SliceContext, verify: boolean): PhaseEstimate[] {
  const table = context.cut.resident ? inMemory(context) : streaming(context);
  return table
    .filter(({ phase, written }) => (phase === 'edges' ? written! > 0 : verify || phase !== 'verify'))
    .map((phase) => costOf(context, phase));
}

/** Objects of the table of a dependency: the values of both sides, and the manifest, which takes half as many operations as a run. */
const OF_TABLE = 2.5;

/** Reads the tables of dependencies and writes its own; verification reads all of them. */
function inMemory({ work, metric, dependencyBytes, dependencies }: SliceContext): Phase[] {
  const own = tableBytes(work, metric);
  return [
    {
      phase: 'resident',
      ns: RESIDENT.solveNs * work.indices,
      read: dependencyBytes,
      objectsRead: OF_TABLE * dependencies,
      written: own,
      objectsWritten: 2,
    },
    {
      phase: 'verify',
      ns: RESIDENT.verifyNs * work.indices,
      read: dependencyBytes + own,
      objectsRead: OF_TABLE * dependencies + 2,
    },
  ];
}

function streaming({ cut, work, metric, dependencyBytes, dependencies }: SliceContext): Phase[] {
  const { partitions, labelBytes, memory } = cut;
  const { indices, conversions, rounds, edges } = work;
  const ofRow = rowBytesOf(work);
  const own = tableBytes(work, metric);
  const numbered = stipulations[metric].numbers ? NUMBERED : { cpu: 1, frontier: 1 };
  // A run of labels is a block, which holds a part at least; each partition has counts and bits of both sides.
  const labelRuns = Math.max(4 * partitions, Math.min(4 * cut.parts, Math.ceil(labelBytes / BLOCK_BYTES)));
  const eventBytes = ROW_BYTES.conversion * work.events;
  const frontierBytes = ofRow.frontier * work.decided * numbered.frontier;
  const edgeBytes = EDGES.bytes * edges;
  const readEdges = rounds * EDGES.read * edgeBytes;
  const { together, fewShare } = handOver(cut, work);
  // To hand the rounds over takes a commit.
  const commits = commitsOf(cut, work) + (fewShare > 0 ? 1 : 0);
  const passing = passingBytes(cut);
  const inLargeRound = (MEASURED.peak * work.sent) / rounds / partitions;
  const spilled = ofRow.pooled * work.sent * Math.max(0, 1 - poolRows(cut, work) / inLargeRound);
  const labelling = {
    read: labelBytes - passing + eventBytes,
    // The last commit of a slice writes a bit of each index.
    written: (commits - 1) * labelBytes + indices / 8 + frontierBytes,
    // A round reads the labels that it looks at (the bits for wins, the counts for losses) and writes them back; a commit reads all.
    scratch: ((rounds * MEASURED.touched + commits) * passing) / 2 + spilled,
  };
  const requestNs = numbered.cpu * MEASURED.requestNs * (work.byRows ? 1 : SETS.keyShare) * work.requests;
  const labelNs = MEASURED.byteNs * (labelling.read + labelling.written + 2 * labelling.scratch);
  const sweepNs = sweepNsOf(work);
  const moves = work.moves + conversions;
  const verified = work.movesByRows ? VERIFIED.byRows : VERIFIED.byKeys;
  return [
    {
      // The census, and the conversions.
      phase: 'start',
      barriers: 2,
      ns: MEASURED.enumerateNs * indices + MEASURED.convertNs * conversions,
      read: dependencyBytes,
      objectsRead: partitions * OF_TABLE * dependencies,
      written: labelBytes + ROW_BYTES.keys.frontier * work.mates + eventBytes,
      objectsWritten: labelRuns + 2 * partitions,
    },
    {
      // All moves are made, ordered by where they lead, and written; what does not fit the pool passes through scratch.
      phase: 'edges',
      barriers: 2,
      ns: EDGES.makeNs * edges,
      read: indices,
      objectsRead: labelRuns / 2,
      written: edgeBytes,
      objectsWritten: partitions,
      scratch: Math.max(0, edgeBytes - partitions * memory * PHASE_MEMORY.edges.moves),
      sent: { steps: 1, rows: edges, rowBytes: EDGES.bytes },
    },
    {
      ...labelling,
      phase: 'rounds',
      barriers: together + 2 * commits,
      ns: requestNs + sweepNs + labelNs + EDGES.byteNs * readEdges,
      aloneNs: fewShare * requestNs + (1 - together / rounds) * sweepNs,
      read: labelling.read + readEdges,
      objectsRead: labelRuns + partitions,
      objectsWritten: commits * (labelRuns + partitions),
      deletes: commits * labelRuns,
      sent: { steps: together, rows: work.sent * (1 - fewShare), rowBytes: ofRow.request },
    },
    {
      phase: 'finish',
      barriers: 1,
      ns: numbered.cpu * MEASURED.finishNs * indices,
      read: indices / 8 + frontierBytes,
      objectsRead: labelRuns / 2 + partitions * (1 + commits),
      written: own,
      objectsWritten: 2 * partitions,
    },
    {
      phase: 'verify',
      barriers: 1,
      ns: numbered.cpu * verified.ns * moves,
      read: own + verified.readBytes * moves,
      // A partition's moves lead anywhere, so it opens the runs of all.
      objectsRead: partitions * (2 * partitions + OF_TABLE * dependencies),
    },
  ];
}

/**
 * The rounds that all partitions do together, and the share of the requests of the others, which one partition does for all because a
 * barrier would take longer. The requests of the rounds, largest first, are taken to fall exponentially from `peak` times the mean.
 */
function handOver(cut: CutSlice, { requests, rounds, indices }: EstimatedWork) {
  if (cut.partitions === 1) return { together: rounds, fewShare: 0 };
  const { peak } = MEASURED;
  const barrierMs = 1000 * barrierSeconds(cut.partitions);
  const few = Math.min(PACE.fewRequests, barrierMs / PACE.requestMs);
  const many = Math.min(1, Math.max(0, Math.log((peak * requests) / rounds / few) / peak));
  // Before the first is handed over, as many small rounds were done together as handing over is worth.
  const missed = Math.ceil((indices * PACE.positionMs) / barrierMs);
  const together = Math.min(rounds, Math.round(many * rounds) + missed);
  return { together, fewShare: together === rounds ? 0 : Math.exp((-peak * together) / rounds) };
}

/**
 * Adds what partitions send each other, their barriers, and the time. A rank does its partitions one after another: it computes, then moves
 * bytes, then waits for the first ones. Nothing overlaps.
 */
function costOf({ cut, machines }: SliceContext, phase: Phase): PhaseEstimate {
  const { partitions } = cut;
  const { count: ranks, workers, bandwidth, phaseSeconds } = machines;
  const { read, objectsRead, written = 0, objectsWritten = 0, scratch = 0, aloneNs = 0 } = phase;
  const barriers = partitions === 1 ? 0 : (phase.barriers ?? 0);
  const sent = parcels(cut, phase.sent);
  const lists = barriers * (1 + BARRIER.polls);
  // Every rank reads the joined manifest, every partition commits its own, and the leading rank lists, reads and joins these.
  const gets = getsOf(read, objectsRead) + 2 * barriers * (ranks - 1 + partitions);
  // A step of one partition commits one manifest.
  const manifests = barriers === 0 ? 1 : barriers * (partitions + 1);
  const puts = pieces(written, objectsWritten) + pieces(sent.bytes, sent.objects) + manifests;
  const ns = phase.ns + PARCELS.rowNs * sent.rows + PARCELS.runNs * sent.runs;
  const cpuSeconds = (ns + PARCELS.partNs * barriers * partitions) / 1e9;
  const aloneSeconds = aloneNs / 1e9;
  const moved = read + written + 2 * sent.bytes + (ranks - 1) * sent.entryBytes;
  // Windows of one run follow each other.
  const waits = (gets + puts + lists) / STORE.streams + sent.runs / PARCELS.together + sent.windows;
  const threads = 1 + (workers - 1) * THREAD_GAIN;
  const busy = (cpuSeconds - aloneSeconds) / threads + moved / bandwidth + waits * STORE.latencySeconds;
  const share = (Math.ceil(partitions / ranks) / partitions) * (partitions === 1 ? 1 : PARCELS.skew);
  const waiting = barriers * (barrierSeconds(partitions) + phaseSeconds);
  return {
    phase: phase.phase,
    barriers,
    partitions,
    cpuSeconds,
    aloneSeconds,
    bytesRead: moved - written - sent.bytes + scratch,
    bytesWritten: written + sent.bytes + scratch,
    scratch,
    gets: gets + sent.runs + sent.windows,
    puts,
    lists,
    deletes: (phase.deletes ?? 0) + sent.objects + barriers * (partitions + 1),
    wallSeconds: busy * share + aloneSeconds + waiting,
    barrierSeconds: waiting,
  };
}

/** Large objects move in pieces. */
const pieces = (bytes: number, objects: number) => Math.max(objects, Math.ceil(bytes / STORE.objectBytes));
const getsOf = (bytes: number, objects: number) => pieces(bytes, objects) + STORE.getsToOpen * objects;

/** The share of the memory that is windows on received runs, and the bytes of the least one (engine/crew/solve-as-rank.ts). */
const WINDOW = { share: 0.75 * PHASE_MEMORY.rounds['received runs'], least: 8192 } as const;

/**
 * In each step every partition sends one object, with a run for each other partition, which reads it by one operation, or window by
 * window. The joined manifest has an entry for each run. Where a row leads is taken to be independent of where it is from.
 */
function parcels({ partitions, parts, memory }: CutSlice, sent: Phase['sent']) {
  const { steps, rows: all, rowBytes } = sent ?? { steps: 0, rows: 0, rowBytes: 0 };
  const rows = all * (1 - 1 / partitions);
  const objects = partitions === 1 ? 0 : steps * partitions;
  const pairs = objects * (partitions - 1);
  const runs = Math.min(pairs, rows);
  const segments = Math.min((2 * runs * parts) / partitions, rows);
  const entryBytes = PARCELS.entryBytes * pairs;
  const bytes = rowBytes * rows + PARCELS.runBytes * runs + PARCELS.segmentBytes * segments + entryBytes;
  const window = Math.max(WINDOW.least, (WINDOW.share * memory) / partitions);
  const ofRun = bytes / Math.max(1, runs);
  const windows = ofRun <= window ? 0 : runs * Math.ceil(ofRun / window);
  return { rows, objects, runs, windows, bytes, entryBytes };
}
