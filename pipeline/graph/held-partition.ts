/**
 * Mode `memory` of an import: the one partition has all of a keyed game in memory, so nothing is sorted, sent or committed before the
 * graph is there. The steps are those of other imports (import.ts). A table of keys (held-graph.ts) finds out which positions are new, and has
 * the numbers of nodes, which other imports find by sorting.
 *
 * Keys of more than 64 bits that have one hash under the seed have no order: SameHash is thrown, and the next seed is to be tried.
 *
 * Memory: the shares of `find in memory` in memory.ts. Each step throws TooLarge when there is no room. Then all is given up, and the game is
 * found again by sorting.
 */
import { Examiner } from '../games/yours/examiner/examiner.js';
import { type Expansion, newExpansion } from './expansion.js';
import { expanded, rootsOf } from './finder.js';
import { GrowingGraph, type RoomOfGraph } from './held-graph.js';
import {
  ImportPartition,
  type ImportSetup,
  type ImportWorld,
  NOTHING,
  type ReadGraph,
} from './import-partition.js';
import { importMemory } from './memory.js';
import type { WrittenSuccessors } from './node-writer.js';
import type { FoundGraph } from './source.js';
import type { IndexPart, ReadPart, ResolvedPart, StridePart } from './steps.js';
import { SameHash, TooLarge } from './too-large.js';
import { writeHeldIndex, writeHeldNames, writeHeldNodes } from './write-held.js';

export interface HeldWorld extends ImportWorld, Omit<RoomOfGraph, 'budget'> {
  readonly source: FoundGraph;
  /** Called every few thousand nodes; the step waits for the promise that it returns. */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
}

export class HeldPartition extends ImportPartition {
  private readonly growing: GrowingGraph;
  private readonly examiner: Examiner;
  private readonly expansion: Expansion;
  private readonly seed: number;

  constructor(
    setup: ImportSetup,
    private readonly heldWorld: HeldWorld,
  ) {
    super(setup, heldWorld);
    const { game } = heldWorld.source;
    const { rows, large } = heldWorld;
    const { budget, seed } = setup;
    this.growing = new GrowingGraph({ budget, rows, large }, game, seed);
    this.seed = seed;
    this.examiner = new Examiner(game);
    this.expansion = newExpansion(game, seed, this.examiner, importMemory('read', budget).expanded.memory);
  }

  override async roots(): Promise<ReadPart> {
    const { examiner, growing, heldWorld, seed } = this;
    for (const key of rootsOf(heldWorld.source.game, seed, examiner)) growing.addRoot(key);
    examiner.play();
    return NOTHING;
  }

  override async layer(): Promise<ReadPart> {
    const positions = this.growing.endLayer();
    if (this.growing.isAmbiguous) throw new SameHash();
    return { ...NOTHING, positions };
  }

  override async expand(): Promise<ReadPart> {
    const { growing, expansion, heldWorld } = this;
    const { report, turn } = heldWorld;
    const before = growing.rows;
    for await (const packed of expanded(growing.lastLayer(), expansion)) {
      growing.add(packed);
      report(packed.length);
      await turn?.();
    }
    return { ...NOTHING, rows: growing.rows - before };
  }

  /** Nothing is committed: a game with so many positions that it would be is found by sorting. */
  override async endStride(_layers: readonly number[] | null, holds: boolean): Promise<StridePart> {
    if (!holds) throw new TooLarge();
    return { counts: this.growing.counts, runs: null, place: null, held: {} };
  }

  override async index(): Promise<IndexPart> {
    const graph = this.growing.graph();
    const names = await writeHeldNames(graph, this.nameOf('names'), this.env);
    const index = await writeHeldIndex(graph, this.nameOf('index'), this.env);
    return { index, twice: null, names, moves: null, statuses: [] };
  }

  /** Edges have the numbers of the nodes that they lead to. */
  override async edges(): Promise<ResolvedPart> {
    return { sent: [], unknown: null };
  }

  override nodes({ nodes, hasWeights }: ReadGraph): Promise<WrittenSuccessors> {
    const { stuck } = this.heldWorld.source;
    const written = { nodes, stuck, hasWeights };
    return writeHeldNodes(this.growing.graph(), written, (what) => this.nameOf(what), this.env);
  }
}
