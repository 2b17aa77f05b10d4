/**
 * Reachable sets: the graph of the positions that moves lead to from the roots of a keyed game, in layers. Layer n are the
 * positions that take n moves to reach and no fewer.
 *
 * Whether a position was reached before is never looked up. It is found out for a layer at a time, by sorting
 * ("delayed duplicate detection": Korf 2003, 2004). The lists of Lipton & Regan 2010, which tolerate duplicates until
 * a sort removes them, are the same thought. Roscoe 1994 explored state spaces by sorted lists. The steps:
 *
 *   layer n ─ moves ─▶ keys, mixed ─ sort, repeats dropped ─▶ less what was visited ─▶ layer n + 1
 *
 * Moves need not go back, so all layers before are to be taken off, not just two. Two are enough where every edge has two
 * ends (Munagala & Ranade 1999), or where predecessors mark their successors (Korf & Zhang's frontier search).
 *
 * Memory: `env.budget.memory`, by the shares below; arrays of one layer are used again for the next. The positions that a
 * game makes are garbage at once and counted no more than the code of the game is. I/O: each new key is written once (not at
 * all while the keys fit their share), and again when small sets are merged. Successors are sorted, with repeats within a
 * memory full dropped before anything is written. Each layer reads the visited keys, or, if it is small, the part that it
 * touches.
 *
 * Facts that keys forget are looked for on the way, see reachable/key-check.ts.
 *
 * Interruption: a layer's end is a place from which a later process can go on. What was visited and the next layer
 * are in runs that are kept. Those of a layer that is under way are lost, and it is done again.
 */

import { newArrays } from '../../operators/core/arrays.js';
import { share, split } from '../../operators/core/budget.js';
import { assert, UserError } from '../../operators/core/errors.js';
import { distinct } from '../../operators/distinct.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Cursor, Rows, RunRef } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { Sorter } from '../../operators/sort/sort.js';
import type { KeyWords } from '../games/keyed/key-words.js';
import type { KeyedRules } from '../games/keyed/keyed-rules.js';
import type { Exchange } from './exchange.js';
import { type Expansion, newExpansion } from './expansion.js';
import { newGrowingGraph } from './held-graph.js';
import { mixWords } from './ids.js';
import { type KeyCheck, newKeyCheck } from './key-check.js';
import type { KeySet } from './key-set.js';
import { ALONE } from './shared-exchange.js';
import type {
  GoingOn,
  GraphBatch,
  GraphNode,
  GraphSource,
  HeldGraph,
  HeldRoom,
  PackedNodes,
  Place,
} from './source.js';
import { spreadBits, writeMixed } from './spread.js';
import { unpacked } from './unpacked.js';
import { newVisited, type Visited } from './visited.js';

/** A layer that was found, before its positions are handed out. */
export interface Layer {
  /** Moves from the nearest root. */
  readonly moves: number;
  readonly positions: number;
  /** Counts this layer and all before it. */
  readonly total: number;
}

/** Successors being ordered; keys in memory; batches of sets of keys; what positions are expanded to. */
const SHARES = { sorting: 1 / 2, keys: 1 / 4, sets: 1 / 8, expansion: 1 / 8 };
const ROOT_BATCH = 1024;

/**
 * Layers in order, in each the keys as they are mixed: the same at any budget. What `read` needs of `env.budget` is besides what whoever
 * reads it needs. Of a share it needs its part. All that is wrong with the game is a UserError that names the position.
 */
export function reachableGraph<Position>(
  game: KeyedRules<Position>,
  env: SortEnv,
  found: (layer: Layer) => void = () => {},
): GraphSource {
  const rules = game as KeyedRules;
  /** Positions of each layer. */
  const counts: number[] = [];
  /** A graph that cannot be held is found again from its roots. */
  const addCount = (layer: Layer): void => {
    if (layer.moves < counts.length) return;
    counts.push(layer.positions);
    found(layer);
  };

  async function findNode(number: number): Promise<GraphNode> {
    let first = 0;
    for await (const { packed } of layers(rules, env, () => {})) {
      if (packed === undefined) continue;
      if (number < first + packed.length) return unpacked(packed)[number - first];
      first += packed.length;
    }
    throw new Error(`assertion failed: the graph has a node ${number}`);
  }

  return {
    name: game.name,
    head: { players: game.colours },
    packed: true,
    scored: game.score !== null,
    stuck: game.stuck,
    read: (going) => layers(rules, env, addCount, going),
    layers: () => counts,
    hold: (room, report) => holdLayers(rules, env, { room, report, found: addCount }),
    async whereNode(number) {
      const { id } = await findNode(number);
      return `position ${number} (${rules.format(rules.at(id as bigint))})`;
    },
    async nameAtNode(number, wrong) {
      const { id, edges } = await findNode(number);
      return [id, ...edges].find(wrong) ?? null;
    },
    whereEdge: noEdges,
    nameAtEdge: noEdges,
  };
}

async function noEdges(): Promise<never> {
  throw new Error('assertion failed: all edges are listed with their nodes');
}

interface Holding {
  readonly room: HeldRoom;
  readonly report: (done: number) => void;
  readonly found: (layer: Layer) => void;
}

/** All layers in memory; null if there is no room for them. */
async function holdLayers(
  game: KeyedRules,
  env: SortEnv,
  { room, report, found }: Holding,
): Promise<HeldGraph | null> {
  const held = newGrowingGraph(room);
  const check = newKeyCheck(game);
  const expansion = newExpansion(game, check, split(env.budget, SHARES).expansion.memory);
  let total = 0;
  for (const mixed of rootsOf(game, check)) if (!held.addRoot(mixed)) return null;
  check.play();
  for (let moves = 0; ; moves++) {
    const positions = held.endLayer();
    if (positions === null) return null;
    if (positions === 0) return held.graph();
    total += positions;
    found({ moves, positions, total });
    for await (const packed of expanded(held.layer(), expansion)) {
      if (!held.add(packed)) return null;
      report(packed.length);
      await room.turn?.();
    }
  }
}

/** All layers, or a share of each. */
async function* layers(
  game: KeyedRules,
  env: SortEnv,
  found: (layer: Layer) => void,
  going?: GoingOn,
): AsyncGenerator<GraphBatch> {
  const arrays = env.arrays ?? newArrays();
  const exchange = going?.exchange ?? ALONE;
  const shares = split(share(env.budget, 1 / exchange.sharing), SHARES);
  const sets = { ...env, arrays, budget: shares.sets, scratch: going?.kept ?? env.scratch };
  const visited = newVisited(shares.keys.memory, sets);
  const check = newKeyCheck(game);
  const expansion = newExpansion(game, check, shares.expansion.memory);
  const { batchRows } = visited;
  const newSuccessors = () =>
    new Sorter(1, { ...env, arrays, budget: { ...shares.sorting, batchRows } }, distinct);
  let layer: KeySet | null = null;
  let sorter = newSuccessors();
  const take = (rows: Rows) => sorter.add(rows);
  const put = (rows: Rows) => exchange.put(rows, take);
  /** Positions of each layer that was found. */
  const counts: number[] = [];
  let total = 0;
  /** Nodes and edges that were handed out since the last place. */
  let rows = 0;
  const addLayer = (positions: number): void => {
    total += positions;
    found({ moves: counts.push(positions) - 1, positions, total });
  };
  try {
    let isThere = going !== undefined && going.from !== null;
    if (isThere) {
      for (const positions of going!.from!.at) addLayer(positions);
      layer = await restored(visited, going!.from!, exchange);
    } else if (exchange.self === 0) {
      await addRoots(game, check, put);
      check.play();
    }
    for (;;) {
      if (!isThere) {
        await exchange.meet(take);
        layer = await visited.unseen(sorter.drain());
        await sorter.dispose();
        sorter = newSuccessors();
      }
      const said = await exchange.say([layer!.rows, rows]);
      const sizes = said.map(([size]) => size);
      const before = sizes.slice(0, exchange.self);
      const positions = sumOf(sizes);
      if (positions === 0) return;
      if (!isThere) addLayer(positions);
      const shared = { rows: sumOf(said.map(([, each]) => each)), next: total - positions + sumOf(before) };
      const isPlace = !isThere && going !== undefined;
      if (isPlace || exchange.of > 1)
        yield {
          nodes: [],
          edges: [],
          ...(exchange.of > 1 && { shared }),
          ...(isPlace && {
            place: async () => {
              rows = 0;
              return { at: [...counts], runs: await visited.keep(layer!) };
            },
          }),
        };
      isThere = false;
      for await (const packed of expanded(layer!.cursor(), expansion)) {
        await put(packed.targets);
        rows += packed.length + packed.targets.length;
        yield { nodes: [], edges: [], packed };
      }
      const done: KeySet = layer!;
      layer = null;
      await visited.add(done);
    }
  } finally {
    await sorter.dispose();
    await layer?.dispose();
    await visited.dispose();
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The layer to go on with. What was visited before is there, whoever had it. */
function restored(
  visited: Visited,
  { runs, shares }: Place,
  { self, of, majors }: Exchange,
): Promise<KeySet> {
  const kept: (readonly RunRef[])[] = [];
  let from = 0;
  for (const count of shares ?? [runs.length]) kept.push(runs.slice(from, (from += count)));
  assert(from === runs.length, 'each run of a place is of somebody');
  return kept.length === of ? visited.restore(kept[self]) : visited.restoreOf(kept, majors);
}

/** All of a layer, expanded. */
async function* expanded(layer: Cursor, expansion: Expansion): AsyncGenerator<PackedNodes> {
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

async function addRoots(
  game: KeyedRules,
  check: KeyCheck,
  put: (rows: Rows) => Promise<void>,
): Promise<void> {
  const rows = newRows(ROOT_BATCH, 1);
  for (const mixed of rootsOf(game, check)) {
    writeMixed(mixed, rows, rows.length++);
    if (rows.length < ROOT_BATCH) continue;
    await put(rows);
    rows.length = 0;
  }
  await put(rows);
}

/** The keys of the roots, mixed; the object is used again. @throws UserError if there are none. */
function* rootsOf(game: KeyedRules, check: KeyCheck): Generator<Readonly<KeyWords>> {
  const key: KeyWords = { high: 0, low: 0 };
  let roots = 0;
  for (const root of game.roots()) {
    game.keyInto(root, key);
    mixWords(key.high, key.low, 0, key);
    if (check.wants(spreadBits(key))) check.compare(null, root);
    roots++;
    yield key;
  }
  if (roots === 0) throw new UserError(`${game.name}: it has no roots: where do games begin?`);
}
