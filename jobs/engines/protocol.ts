/** Messages between the threads of a run. */
import type { MessagePort } from 'node:worker_threads';
import type { Counters } from '../../operators/core/counters.js';
import type { AloneTask } from '../../pipeline/engine/crew/engine.js';
import type { PartitionSetup } from '../../pipeline/engine/crew/partition.js';
import type { SliceSummary } from '../../pipeline/engine/crew/solve.js';
import type { DerivedPart } from '../../pipeline/game/step-manifests.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { ImportSetup } from '../../pipeline/graph/import-partition.js';
import type { SolvedGraph } from '../../pipeline/graph/solve-graph.js';
import type { VerifiedRules } from '../../pipeline/graph/verify-rules.js';
import type { VerifiedFile } from '../../pipeline/share/publish/verify-published.js';
import type { CodecName } from '../../pipeline/tables/codec/codec.js';
import type { Catalogue } from '../../pipeline/tables/published/catalogue.js';
import type { RankIdentity } from './rank-identity.js';

/** References by which a thread looks up game, store and scratch itself, for they cannot be sent. */
export interface PlaceOfWork {
  /** Or the name of a graph of the store. */
  readonly game: string;
  readonly isGraph?: boolean;
  readonly store: string;
  readonly scratchFolder: string;
}

/** Data of the coordinating thread, which is called once, with a {@link Task}. */
export interface CoordinatorPlace {
  /** A built-in game to be loaded before the task is there. */
  readonly game?: string;
  /** Or the module of a keyed game. */
  readonly path?: string;
  /** Workers of the task, if it is known already that it has several. */
  readonly workers?: number;
}

/** Data of the thread of a worker, which takes {@link Call}s. */
export interface WorkerStart {
  /** As of {@link CoordinatorPlace}. */
  readonly game?: string;
  readonly path?: string;
}

export interface WorkerPlace extends PlaceOfWork {
  /** Prefix of the names of this worker's scratch objects. */
  readonly scratchPrefix: string;
  /** See PartitionSetup. */
  readonly attempt: string;
  /** Takes numbers: positions or requests that a partition has done since its last report. */
  readonly reports: MessagePort;
}

/**
 * A call to a worker. Its first gives it its place. Others open a partition, of a slice or of an import, in place of the one before, or call
 * a method of it, or have a slice done alone, of which the worker sends progress.
 */
export type Call =
  | { readonly type: 'settle'; readonly place: WorkerPlace }
  | { readonly type: 'open'; readonly setup: PartitionSetup }
  | { readonly type: 'call'; readonly method: string; readonly args: readonly unknown[] }
  | { readonly type: 'alone'; readonly task: AloneTask }
  | { readonly type: 'import'; readonly setup: ImportSetup; readonly source: PostedSource };

/** What a worker answers; `counters`: of a method that was called. */
export interface Answered {
  readonly value: unknown;
  readonly counters: Counters | null;
}

/** A source of a graph as it can be posted. */
export interface PostedSource {
  readonly name: string;
  readonly stuck: 'lost' | 'drawn';
  /** The module of a keyed game, whose positions are found; null for a file, which another thread reads. */
  readonly game: string | null;
}

interface CommonTask extends PlaceOfWork {
  readonly slices: readonly string[];
  readonly metric: Metric;
  readonly budget: { readonly memory: number; readonly fanIn: number; readonly batchRows: number };
}

export interface CrewTask extends CommonTask {
  readonly kind: 'solve' | 'verify';
  /** See SolveOptions. */
  readonly standing?: readonly string[];
  /** Store of published tables, which are not solved: tables are made of those that conversions lead to. */
  readonly fromPublished?: string;
  readonly strategy: Strategy;
  readonly verify: boolean;
  readonly workers: number;
}

/** The part of one rank in solving (pipeline/engine/crew/solve-as-rank.ts). */
interface RankPart {
  readonly self: RankIdentity;
  /** See CutOptions. */
  readonly partitions: number | undefined;
  readonly wholeBelow: number;
  readonly keepRuns: boolean;
}

export interface RankTask extends CommonTask, RankPart {
  readonly kind: 'rank';
  readonly strategy: Strategy;
  readonly verify: boolean;
}

/** Task of publishing tables, or of verifying a publication. */
export interface PublicationTask extends PlaceOfWork {
  readonly kind: 'publish';
  readonly slices: readonly string[];
  readonly metric: Metric;
  /** Store of the publication that is read or made. */
  readonly to: string;
  /** Null: it is there, and only verified. */
  readonly codec: CodecName | null;
  /** See `publish`. */
  readonly oneSide: boolean;
  /** Stored values are compared with the moves of their positions, or with the tables; null: they are not verified. */
  readonly verify: 'moves' | 'tables' | null;
}

/** Importing and solving a graph. */
export interface GraphTask {
  readonly kind: 'graph';
  /** The path of the file that it is made from. */
  readonly path: string;
  /** What messages call the stream that the file is a copy of; absent where it is none. */
  readonly stream?: string;
  readonly name: string;
  readonly store: string;
  readonly scratchFolder: string;
  readonly metric: Metric;
  readonly verify: boolean;
  readonly budget: CommonTask['budget'];
  /** Threads; 1 by default. */
  readonly workers?: number;
  /** See ImportOptions. */
  readonly atMost?: number | undefined;
  readonly inMemory?: 'only' | 'never';
}

export interface GraphRankTask extends Omit<GraphTask, 'kind' | 'workers' | 'inMemory'>, RankPart {
  readonly kind: 'graph rank';
}

/** Verifying a graph that is solved. */
export interface GraphVerifyTask
  extends Pick<GraphTask, 'name' | 'store' | 'scratchFolder' | 'metric' | 'budget' | 'workers'> {
  readonly kind: 'verify graph';
}

/** Comparing the stored moves of a keyed game with those that its module gives. */
export interface RulesTask extends Pick<GraphTask, 'path' | 'name' | 'store' | 'scratchFolder' | 'budget'> {
  readonly kind: 'verify rules';
}

/** Task of the coordinating thread. */
export type Task =
  | CrewTask
  | RankTask
  | PublicationTask
  | GraphTask
  | GraphRankTask
  | GraphVerifyTask
  | RulesTask;

export interface PublicationResult {
  readonly catalogue: Catalogue;
  /** Nothing was written: it was there. */
  readonly found: boolean;
  readonly verified: VerifiedFile | null;
}

export interface TaskResults {
  solve: SliceSummary[];
  verify: DerivedPart;
  rank: SliceSummary[];
  'graph rank': SliceSummary[];
  publish: PublicationResult;
  graph: SolvedGraph;
  'verify graph': DerivedPart;
  'verify rules': VerifiedRules;
}
