/** The package root: everything a program that uses mergemate may import. */

export type { Budget } from '../operators/core/budget.js';
export { type Counters, newCounters } from '../operators/core/counters.js';
export { DamageError, StorageError, UserError } from '../operators/core/errors.js';
export type { DenseBatch, DenseCursor } from '../operators/runs/types.js';
export type { SortEnv } from '../operators/sort/env.js';
export { localStore } from '../operators/storage/local.js';
export { localPageFolder } from '../operators/storage/local-page-folder.js';
export { memoryStore } from '../operators/storage/memory.js';
export type { PageFile, PageFolder } from '../operators/storage/page-folder.js';
export { type S3StoreOptions, s3Store } from '../operators/storage/s3.js';
export { parseS3Uri, type S3Place } from '../operators/storage/s3-uri.js';
export { newScratch, type Scratch } from '../operators/storage/scratch.js';
export type { Sink, Store, Unfinished } from '../operators/storage/store.js';
export type { Swap } from '../operators/storage/swap.js';
export {
  type EndingStatsOptions,
  endingOutcomes,
  type LongestPosition,
  type ResultTally,
  type SideOutcomes,
  type Tally,
} from './analysis/outcomes.js';
export { type Selected, type Selection, type SelectOptions, selectPositions } from './analysis/selection.js';
export {
  type ClassTally,
  classTallies,
  endingStats,
  type Longest,
  type SideStats,
  type StatsOptions,
  type TableStats,
  tableStats,
} from './analysis/stats.js';
export {
  countZugzwangs,
  type Zugzwang,
  type ZugzwangCounts,
  type ZugzwangKind,
  type ZugzwangOptions,
} from './analysis/zugzwang.js';
export { type CheckedSlice, type CheckOptions, type CheckReport, checkGame } from './check/check-game.js';
export {
  type CheckKeyedOptions,
  checkKeyed,
  type KeyedReport,
  type KeyedRule,
  type KeyedViolation,
  keyedContract,
} from './check/check-keyed.js';
export { missingOfGame } from './check/shape.js';
export { type ContractRule, contractRules, describeViolation, type Violation } from './check/violation.js';
export { type Engine, inlineEngine } from './engine/crew/engine.js';
export {
  DEFAULT_BUDGET,
  type Meter,
  type PhaseTime,
  type SliceSummary,
  type SolveOptions,
  solve,
} from './engine/crew/solve.js';
export {
  describeMismatch,
  type VerifyOptions,
  verifySlice,
  verifySlices,
} from './engine/crew/verify-slice.js';
export { fillCensus, newCensus, readStatus } from './game/fill-census.js';
export * from './game/game.js';
export { type PlannedSlice, planSlices } from './game/plan.js';
export type { Progress, ProgressListener } from './game/progress.js';
export type { DerivedPart as Verified, Mismatch } from './game/step-manifests.js';
export type { Strategy } from './game/strategy.js';
export { type Metric, metrics, RULE_PLIES, type Value, type Wdl } from './game/value.js';
export { checkers } from './games/checkers/checkers.js';
export type { CheckersBoard } from './games/checkers/fen.js';
export { chess } from './games/chess/chess.js';
export type { ChessBoard } from './games/chess/rules.js';
export { MissingFileError } from './games/chess/syzygy/format.js';
export type { ReadSizes } from './games/chess/syzygy/read/pages.js';
export { syzygyProber } from './games/chess/syzygy/read/prober.js';
export {
  openSyzygyTables,
  type SyzygyMoves,
  type SyzygyPlies,
  type SyzygyTables,
} from './games/chess/syzygy/read/tables.js';
export type { NamedMove } from './games/yours/definition.js';
export type { KeyWords } from './games/yours/keyed/key-words.js';
export { keyedGame } from './games/yours/keyed/keyed-game.js';
export type { BoardPicture, End, KeyedGame, KeyedRules } from './games/yours/keyed/keyed-rules.js';
export { type SimpleGame, type SimpleSlice, simpleGame } from './games/yours/numbered/deprecated.js';
export type {
  FreeNumberedGame,
  NumberedGame,
  NumberedPositions,
  NumberedSlice,
  ScoredNumberedGame,
  ShownPositions,
} from './games/yours/numbered/numbered-definition.js';
export { numberedGame } from './games/yours/numbered/numbered-game.js';
export { type GraphProber, openGraphProber, type ProbedEdge, type ProbedNode } from './graph/graph-prober.js';
export {
  type GraphRow,
  type GraphRows,
  type GraphRowsOptions,
  openGraphRows,
} from './graph/graph-rows.js';
export {
  type KeyedMove,
  type KeyedProber,
  openKeyedProber,
  type ProbedPosition,
} from './graph/keyed-prober.js';
export type { KeyedValue } from './graph/keyed-value.js';
export type { GraphManifest } from './graph/manifest.js';
export { findPositions, reachableGraph } from './graph/reachable.js';
export { type Reached, type SolvedGraph, type SolveGraphOptions, solveGraph } from './graph/solve-graph.js';
export { type SolvedKeyed, type SolveKeyedOptions, solveKeyed } from './graph/solve-keyed.js';
export type {
  FoundGraph,
  GraphBatch,
  GraphEdge,
  GraphHead,
  GraphNode,
  GraphSource,
  Layer,
  ListedGraph,
  NodeId,
  PackedNodes,
  Place,
} from './graph/source.js';
export { unpacked as unpackedNodes } from './graph/unpacked.js';
export { type PagedCounters, type PageTraffic, pageTraffic } from './rivals/paged/counters.js';
export { type PagedOptions, type PagedResult, solvePagedSlice } from './rivals/paged/solve-slice.js';
export {
  type PagedMismatch,
  type PagedVerified,
  type PagedVerifyOptions,
  verifyPagedSlice,
} from './rivals/paged/verify-slice.js';
export { type PublishedGraphFiles, publishGraph } from './share/publish/graph/publish-graph.js';
export { openPublishedGraph, type PublishedGraph } from './share/publish/graph/published-graph.js';
export { type PublishedKeyed, publishKeyed } from './share/publish/keyed/publish-keyed.js';
export type {
  PublishGraphOptions,
  PublishGraphOptions as PublishKeyedOptions,
} from './share/publish/keyed/publish-options.js';
export { openPublishedKeyed } from './share/publish/keyed/published-keyed.js';
export { type PublishOptions, publish } from './share/publish/publish.js';
export {
  type PublishedMismatch,
  type VerifiedFile,
  verifyPublished,
} from './share/publish/verify-published.js';
export { type SolvedInMemory, solveInMemory } from './solve-in-memory.js';
export type { CodecName } from './tables/codec/codec.js';
export {
  type BlockCache,
  type BlockCacheCounts,
  type CachedBlocks,
  newBlockCache,
} from './tables/probe/block-cache.js';
export { type MainLine, mainLine } from './tables/probe/main-line.js';
export {
  newProber,
  type Probed,
  type ProbedMove,
  type Prober,
  type ProberOptions,
} from './tables/probe/prober.js';
export {
  newPublishedProber,
  type PublishedCounters,
  type PublishedProber,
  type PublishedProberOptions,
} from './tables/probe/published-prober.js';
export {
  newPublishedProblems,
  type PublishedProblems,
  publishedProber,
} from './tables/probe/published-problems.js';
export type { Outcome, SearchCounters } from './tables/probe/search.js';
export type { Catalogue, CatalogueFile } from './tables/published/catalogue.js';
export { openPublication, type Publication } from './tables/published/publication.js';
export type { RunCacheCounts } from './tables/published/run-cache.js';
export { MissingTableError, openTable, type Table } from './tables/table.js';
export type { ValueTable } from './tables/value-table.js';
