/**
 * Finds the positions of a keyed game, layer by layer: layer n are the positions that take n moves to reach and no fewer.
 *
 * Whether a position was reached before is never looked up. It is found out for a layer at a time, by sorting ("delayed duplicate
 * detection": Korf 2003, 2004). The lists of Lipton & Regan 2010, which tolerate duplicates until a sort removes them, are the
 * same thought. Roscoe 1994 explored state spaces by sorted lists. The steps:
 *
 *   layer n ─ moves ─▶ keys, mixed ─ exchange, repeats dropped ─▶ less what was visited ─▶ layer n + 1
 *
 * A finder owns the keys of some majors: it alone finds out which of them are new, and expands them. The exchange of the engine
 * (engine/phases/exchange.ts) carries keys between the finders of several partitions. Keys ascend from partition to partition, so the
 * positions of a layer have the same order however many partitions there are.
 *
 * Moves need not go back, so all layers before are to be taken off, not just two. Two are enough where every edge has two
 * ends (Munagala & Ranade 1999), or where predecessors mark their successors (Korf & Zhang's frontier search).
 *
 * Memory: the shares of `read` in memory.ts. I/O: keys that do not fit the memory are written and read once. Each new key is
 * written once (not at all while the keys fit their share), and again when small sets are merged. Each layer reads the visited
 * keys or, if it is small, the part that it touches. Facts that keys forget are looked for on the way, see games/yours/examiner/examiner.ts.
 */
import { newArrays } from '../../operators/core/arrays.js';
import type { Counters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { cutEvenly, type Interval } from '../../operators/core/interval.js';
import { distinct } from '../../operators/distinct.js';
import { openRun } from '../../operators/runs/reader.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Cursor, RowSource, RunRef } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type Carrier, Exchange } from '../engine/phases/exchange.js';
import type { Parcel } from '../game/step-manifests.js';
import { noRoots } from '../games/yours/definition.js';
import { Examiner } from '../games/yours/examiner/examiner.js';
import { type KeyWords, newKey, upperWords } from '../games/yours/keyed/key-words.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { type Expansion, newExpansion } from './expansion.js';
import { mixKey } from './ids.js';
import type { KeySet } from './key-set.js';
import { importMemory } from './memory.js';
import type { PackedNodes, Place, TakeNodes } from './source.js';
import { keyColumns, keyRowBytes, MAJORS, spreadBits, writeMixed } from './spread.js';
import { Visited } from './visited.js';

const ROOT_BATCH = 1024;
const KEYS = 'keys';
/** Bytes that the least pool takes, of rows with one payload column. */
export const LEAST_SENT = 1 << 10;
/** Rows that a pool has to hold at least. */
const LEAST_ROWS = 64;

export interface FinderOptions {
  readonly game: KeyedRules;
  /** By which keys are mixed (ids.ts). */
  readonly seed: number;
  /** The number of this finder, and how many there are. */
  readonly self: number;
  readonly of: number;
  readonly carrier: Carrier;
  /** Where runs are put that places name. */
  readonly kept: Scratch;
}

/** The majors of keys that each of several finders owns. */
export function keyOwners(of: number): Interval[] {
  return cutEvenly(MAJORS, of);
}

export class Finder {
  private readonly majors: Interval;
  private readonly exchange: Exchange;
  private readonly visited: Visited;
  private readonly examiner: Examiner;
  private readonly expansion: Expansion;
  private readonly sentMemory: number;
  /** The names of the columns of keys. */
  private readonly columns: readonly string[];
  /** Own positions of the last layer that was found, until they are expanded. */
  private layer: KeySet | null = null;

  /** @param env `env.budget` is that of the partition. */
  constructor(
    private readonly options: FinderOptions,
    env: SortEnv,
  ) {
    const { game, seed, self, of, carrier, kept } = options;
    const upper = upperWords(game.keyBits);
    const arrays = env.arrays ?? newArrays();
    const memory = importMemory('read', env.budget);
    this.majors = keyOwners(of)[self];
    this.columns = keyColumns(upper);
    this.sentMemory = Math.max(LEAST_SENT, LEAST_ROWS * keyRowBytes(upper), memory.sent.memory);
    this.visited = new Visited(upper, memory.visited.memory, {
      ...env,
      arrays,
      budget: memory.sets,
      scratch: kept,
    });
    const budget = { ...memory.order, batchRows: this.visited.batchRows };
    this.exchange = new Exchange(carrier, { ...env, arrays, budget });
    this.examiner = new Examiner(game);
    this.expansion = newExpansion(game, seed, this.examiner, memory.expanded.memory);
  }

  /** Goes on from a place, whichever finders had what was visited before. */
  async restore(place: Place): Promise<void> {
    const { visited, options, majors } = this;
    const kept = sharesOf(place);
    this.layer =
      kept.length === options.of
        ? await visited.restore(kept[options.self])
        : await visited.restoreOf(kept, majors);
  }

  /** Sends the keys of the roots, all from the first finder. @throws UserError if there are none. */
  sendRoots(again: boolean): Promise<Parcel> {
    const { game, seed, self } = this.options;
    return this.send(0, self === 0 ? rootRows(game, seed, this.examiner) : noRows(), again);
  }

  /** Receives the keys of a layer that all have sent. @returns how many of its positions are this finder's. */
  async receive(sent: readonly Parcel[]): Promise<number> {
    const keys = await this.exchange.receive(sent, this.majors, this.columns.length);
    this.layer = await this.visited.unseen(distinct(keys));
    return this.layer.rows;
  }

  /**
   * Expands own positions of the last layer, in order, and sends the keys that their moves lead to. `take` gets the nodes; they are
   * valid until what it returns was awaited. @param next the number of the layer that moves lead to.
   */
  async expand(next: number, take: TakeNodes, again: boolean): Promise<Parcel> {
    const layer = this.layer!;
    const parcel = await this.send(next, this.targets(layer, take), again);
    this.layer = null;
    await this.visited.add(layer);
    return parcel;
  }

  /** Keeps what a later process needs to go on from the last layer, which is not expanded yet. */
  keep(): Promise<RunRef[]> {
    return this.visited.keep(this.layer!);
  }

  async close(): Promise<void> {
    await this.exchange.close();
    await this.layer?.dispose();
    this.layer = null;
    await this.visited.dispose();
  }

  private async *targets(layer: KeySet, take: TakeNodes): RowSource {
    for await (const nodes of expanded(layer.cursor(), this.expansion)) {
      await take(nodes);
      yield nodes.targets;
    }
  }

  private async send(layer: number, rows: RowSource, again: boolean): Promise<Parcel> {
    await this.exchange.release(KEYS);
    const shipment = {
      what: `keys-${layer}`,
      majors: MAJORS,
      receivedBy: (owner: Interval) => [owner],
      columns: this.columns,
      byMajor: false,
      distinct: true,
      memory: this.sentMemory,
      buffer: KEYS,
    };
    return this.exchange.send(rows, shipment, again);
  }
}

/** The runs of a place by the finder that had them: first those of its layer, then those of what was visited before. */
function sharesOf({ runs, shares }: Place): (readonly RunRef[])[] {
  const kept: (readonly RunRef[])[] = [];
  let from = 0;
  for (const count of shares ?? [runs.length]) kept.push(runs.slice(from, (from += count)));
  assert(from === runs.length, 'each run of a place is of somebody');
  return kept;
}

/** How many positions of the layer of a place each of several finders owns. */
export async function positionsAt(
  place: Place,
  of: number,
  store: Store,
  counters: Counters,
): Promise<number[]> {
  const positions = new Array<number>(of).fill(0);
  const owners = keyOwners(of);
  for (const [layer] of sharesOf(place)) {
    const run = await openRun(store, layer, { counters });
    for (const major of run.majors())
      positions[owners.findIndex(({ to }) => major < to)] += run.segmentRows(major);
  }
  return positions;
}

/** All of a layer, expanded. Also for layers that are in memory. */
export async function* expanded(layer: Cursor, expansion: Expansion): AsyncGenerator<PackedNodes> {
  for await (const batch of layer) {
    for (let from = 0; from < batch.length; ) {
      from = expansion.expand(batch, from);
      if (!expansion.full) continue;
      yield expansion.nodes;
      expansion.clear();
    }
  }
  if (expansion.empty) return;
  yield expansion.nodes;
  expansion.clear();
}

async function* noRows(): RowSource {}

async function* rootRows(game: KeyedRules, seed: number, examiner: Examiner): RowSource {
  const rows = newRows(ROOT_BATCH, keyColumns(upperWords(game.keyBits)).length);
  for (const mixed of rootsOf(game, seed, examiner)) {
    writeMixed(mixed, rows, rows.length++);
    if (rows.length < ROOT_BATCH) continue;
    yield rows;
    rows.length = 0;
  }
  yield rows;
  examiner.play();
}

/** The keys of the roots, mixed; the object is used again. @throws UserError if there are none. */
export function* rootsOf(game: KeyedRules, seed: number, examiner: Examiner): Generator<Readonly<KeyWords>> {
  const key = newKey(game.keyBits);
  let roots = 0;
  for (const root of game.roots()) {
    game.keyInto(root, key);
    mixKey(key, seed);
    if (examiner.wants(spreadBits(key))) examiner.compare(null, root);
    roots++;
    yield key;
  }
  if (roots === 0) throw noRoots(game.name);
}
