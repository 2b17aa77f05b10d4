/**
 * Mode `memory` of an import: the one partition has all of a keyed game in memory, so nothing is sorted, sent or committed before the
 * graph is there. The steps are those of other imports (import.ts). A table of keys (held-graph.ts) finds out which positions are new, and has
 * the numbers of nodes, which other imports find by sorting.
 *
 * Keys of more than 64 bits that have one hash under the seed have no order: SameHash is thrown, and the next seed is to be tried.
 *
 * Memory: the shares of `find in memory` in memory.ts. When there is no room for more, what was found becomes the first stride of an import
 * by sorting, which goes on from there: its nodes and edges are written as rows, and the keys as visited sets. Only the layer that was being
 * expanded is expanded again. What is found in a moment is not worth writing: TooLarge is thrown, and the game is found again.
 */
import type { RunRef } from '../../operators/runs/types.js';
import { Examiner } from '../games/yours/examiner/examiner.js';
import { upperWords } from '../games/yours/keyed/key-words.js';
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
import { collectKeys } from './key-set.js';
import { importMemory } from './memory.js';
import type { WrittenSuccessors } from './node-writer.js';
import type { FoundGraph } from './source.js';
import type { IndexPart, ReadPart, ResolvedPart, StridePart } from './steps.js';
import { SameHash, TooLarge } from './too-large.js';
import { writeHeldIndex, writeHeldNames, writeHeldNodes } from './write-held.js';

export interface HeldWorld extends ImportWorld, Omit<RoomOfGraph, 'budget'> {
  readonly source: FoundGraph;
  /** Whether what was found is written when there is no room for more. */
  readonly goesOn: boolean;
  /** Called every few thousand nodes; the step waits for the promise that it returns. */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
}

/** Fewer rows than this share of those that there may be are found again in a moment. */
const KEPT_OF_ROWS = 16;

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
    const { growing } = this;
    const before = growing.positions;
    const full = !this.hasRoomFor(() => growing.endLayer());
    if (growing.isAmbiguous) throw new SameHash();
    return { ...NOTHING, positions: growing.positions - before, full };
  }

  override async expand(): Promise<ReadPart> {
    const { growing, expansion, heldWorld } = this;
    const { report, turn } = heldWorld;
    const before = growing.rows;
    for await (const packed of expanded(growing.lastLayer(), expansion)) {
      if (!this.hasRoomFor(() => growing.add(packed))) return { ...NOTHING, full: true };
      report(packed.length);
      await turn?.();
    }
    return { ...NOTHING, rows: growing.rows - before };
  }

  /** Whether there was room for what is done; if not, the last layer is not expanded. @throws TooLarge if what was found is given up. */
  private hasRoomFor(take: () => void): boolean {
    const { growing, heldWorld } = this;
    try {
      take();
      return true;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      growing.dropAdded();
      if (!heldWorld.goesOn || growing.rows < heldWorld.rows / KEPT_OF_ROWS) throw error;
      return false;
    }
  }

  override async endStride(layers: readonly number[] | null, holds: boolean): Promise<StridePart> {
    const { growing, heldWorld } = this;
    if (holds) return { counts: growing.counts, runs: null, place: null, held: {} };
    if (!heldWorld.goesOn) throw new TooLarge();
    const stride = await this.openStride(importMemory('find in memory', this.env.budget).rows);
    for (const nodes of growing.added()) {
      await stride.addFound(nodes);
      await heldWorld.turn?.();
    }
    return super.endStride(layers, holds);
  }

  protected override async keep(): Promise<RunRef[]> {
    const { growing, env, heldWorld } = this;
    const options = { upper: upperWords(heldWorld.source.game.keyBits), memory: 0 };
    const runs: RunRef[] = [];
    const keptEnv = { ...env, scratch: this.placeScratch() };
    for (const keys of [growing.lastLayer(), growing.expandedKeys()])
      runs.push(await (await collectKeys(keys, options, keptEnv)).keep());
    return runs;
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
