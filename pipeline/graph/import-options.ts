/** What an import is given. */
import type { Budget } from '../../operators/core/budget.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Crew } from '../engine/crew/crew.js';
import type { Importer } from './import-partition.js';
import type { GraphManifest } from './manifest.js';
import type { GraphSource, Layer } from './source.js';
import type { ImportSteps } from './steps.js';
import type { LimitReached, TooLarge } from './too-large.js';

export interface ImportOptions {
  readonly source: GraphSource;
  /** The future name of the graph: letters, digits, - and _. */
  readonly name: string;
  /** Identifies the content of the source: an interrupted import is continued only if its fingerprint is the same. */
  readonly fingerprint: string;
  /** Facts of the source that the manifest of the graph keeps. */
  readonly origin?: GraphManifest['origin'];
  /**
   * Samples the rules for the manifest. Called after the last position, when all keys were compared: listing moves earlier would consume
   * what faulty rules return only once, and so hide the fault.
   */
  readonly rules?: () => GraphManifest['rules'];
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** Called every few thousand rows with the number of nodes or rows done since the last call. */
  readonly report: (done: number) => void;
  /** Called when a phase begins: with its nodes or rows, if they are known. */
  readonly phase: (phase: ImportPhase, total: number | null) => void;
  /** Called with each layer of a game, also with those that an earlier process found. */
  readonly found?: ((layer: Layer) => void) | undefined;
  /**
   * Nodes and edges after which reading is committed: {@link COMMIT_ROWS} if left out. A game with more of them is not found in memory:
   * {@link HELD_ROWS} if left out.
   */
  readonly commitRows?: number;
  /** Opens the partitions that do the import; by default one partition in this thread. */
  readonly crews?: ImportCrews | undefined;
  /**
   * Keyed games: once more positions than these are found, the import commits them and throws {@link LimitReached}. A later call with a
   * larger limit goes on from there. Layers are found as a whole, so the last one may be far beyond.
   */
  readonly atMost?: number | undefined;
  /** 'only': throws {@link TooLarge} for a graph that does not fit memory. 'never': does not try, because an earlier call has found that out. */
  readonly inMemory?: 'only' | 'never';
  /** Called every few thousand nodes while a graph is found in memory; the import waits for the promise that it returns. */
  readonly turn?: () => Promise<void> | undefined;
  /** Returns true to abandon the in-memory search early. Called after each layer once the growth of layers suggests that the graph will not fit. */
  readonly large?: () => boolean;
}

/** The threads or ranks that do an import. */
export interface ImportCrews {
  /** Null for threads. For ranks, which share nothing but the store: their number, and whether this one leads. */
  readonly ranks: { readonly isLeading: boolean; readonly of: number } | null;
  /** Opens a crew that continues from the last commit. */
  open(options: ImportOptions, steps: ImportSteps): Promise<Crew<Importer>>;
}

/** Reading; making the index of names; finding the nodes that edges lead to, and ordering edges by those they come from. */
export type ImportPhase = 'import' | 'index' | 'successors';

/**
 * Nodes and edges after which a stride is committed, if the source can go on from there. Fixed, so that strides are the same
 * everywhere: an interruption loses some ten seconds of reading.
 */
export const COMMIT_ROWS = 2 ** 23;
/** Nodes and edges that are found in memory: an interruption loses all of them, so they may be a few strides. */
export const HELD_ROWS = 2 ** 24;
