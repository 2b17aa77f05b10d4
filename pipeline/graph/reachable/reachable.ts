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

import { newArrays } from '../../../operators/core/arrays.js';
import { split } from '../../../operators/core/budget.js';
import { UserError } from '../../../operators/core/errors.js';
import { distinct } from '../../../operators/distinct.js';
import { newRows } from '../../../operators/rows.js';
import type { Cursor } from '../../../operators/runs/types.js';
import type { SortEnv } from '../../../operators/sort/env.js';
import { newSorter, type Sorter } from '../../../operators/sort/sort.js';
import type { KeyWords } from '../../games/keyed/key-words.js';
import type { KeyedRules } from '../../games/keyed/keyed-rules.js';
import { newGrowingGraph } from '../held/held-graph.js';
import { mixWords } from '../ids.js';
import type {
  GoingOn,
  GraphBatch,
  GraphNode,
  GraphSource,
  HeldGraph,
  HeldRoom,
  PackedNodes,
  Place,
} from '../source.js';
import { type Expander, expandedAhead } from './expander.js';
import { type Expansion, newExpansion } from './expansion.js';
import { type KeyCheck, newKeyCheck } from './key-check.js';
import type { KeySet } from './key-set.js';
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
/** Positions of a layer that others expand. */
const LARGE = 4096;

/** Makes an expander that holds at most so many bytes. */
export type MakeExpander = (memory: number) => Expander;

/**
 * Layers in order, in each the keys as they are mixed: the same at any budget. What `read` needs of `env.budget` is besides what whoever
 * reads it needs. `newExpander`: makes who expands large layers, for as long as all is read. All that is wrong with the game is a UserError that names the position.
 */
export function reachableGraph<Position>(
  game: KeyedRules<Position>,
  env: SortEnv,
  found: (layer: Layer) => void = () => {},
  newExpander?: MakeExpander,
): GraphSource {
  const rules = game as KeyedRules;
  let told = 0;
  /** A graph that cannot be held is found again from its roots. */
  const tell = (layer: Layer): void => {
    if (layer.moves < told) return;
    told = layer.moves + 1;
    found(layer);
  };

  async function findNode(number: number): Promise<GraphNode> {
    let first = 0;
    for await (const { packed } of layers(rules, env, () => {}, undefined)) {
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
    read: (going) => layers(rules, env, tell, going, newExpander),
    hold: (room, report) => holdLayers(rules, env, { room, report, found: tell, newExpander }),
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
  throw new Error('assertion failed: all edges are told with their nodes');
}

interface Holding {
  readonly room: HeldRoom;
  readonly report: (done: number) => void;
  readonly found: (layer: Layer) => void;
  readonly newExpander: MakeExpander | undefined;
}

/** All layers in memory; null if there is no room for them. */
async function holdLayers(
  game: KeyedRules,
  env: SortEnv,
  { room, report, found, newExpander }: Holding,
): Promise<HeldGraph | null> {
  const held = newGrowingGraph(room);
  const check = newKeyCheck(game);
  const expanding = newExpanding(game, check, split(env.budget, SHARES).expansion.memory, newExpander);
  let total = 0;
  try {
    for (const mixed of rootsOf(game, check)) if (!held.addRoot(mixed)) return null;
    check.play();
    for (let moves = 0; ; moves++) {
      const positions = held.endLayer();
      if (positions === null) return null;
      if (positions === 0) return held.graph();
      total += positions;
      found({ moves, positions, total });
      for await (const packed of expanding.all(held.layer(), positions)) {
        if (!held.add(packed)) return null;
        report(packed.length);
        await room.turn?.();
      }
    }
  } finally {
    await expanding.close();
  }
}

async function* layers(
  game: KeyedRules,
  env: SortEnv,
  found: (layer: Layer) => void,
  going: GoingOn | undefined,
  newExpander?: MakeExpander,
): AsyncGenerator<GraphBatch> {
  const arrays = env.arrays ?? newArrays();
  const shares = split(env.budget, SHARES);
  const sets = { ...env, arrays, budget: shares.sets, scratch: going?.kept ?? env.scratch };
  const visited = newVisited(shares.keys.memory, sets);
  const check = newKeyCheck(game);
  const expanding = newExpanding(game, check, shares.expansion.memory, newExpander);
  let layer: KeySet | null = null;
  const { batchRows } = visited;
  const newSuccessors = () =>
    newSorter(1, { ...env, arrays, budget: { ...shares.sorting, batchRows } }, distinct);
  let sorter: Sorter | null = null;
  /** Positions of each layer that was found. */
  const counts: number[] = [];
  let total = 0;
  const tell = (positions: number): void => {
    total += positions;
    found({ moves: counts.push(positions) - 1, positions, total });
  };
  try {
    if (going?.from) {
      for (const positions of going.from.at) tell(positions);
      layer = await visited.restore(going.from.runs);
    } else {
      sorter = newSuccessors();
      await addRoots(game, check, sorter);
      check.play();
    }
    for (;;) {
      if (sorter !== null) {
        layer = await visited.unseen(sorter.drain());
        await sorter.dispose();
        sorter = null;
        if (layer.rows === 0) return;
        tell(layer.rows);
        if (going !== undefined) yield { nodes: [], edges: [], place: placeOf(visited, layer, counts) };
      }
      sorter = newSuccessors();
      for await (const packed of expanding.all(layer!.cursor(), layer!.rows)) {
        await sorter.add(packed.targets);
        yield { nodes: [], edges: [], packed };
      }
      const done: KeySet = layer!;
      layer = null;
      await visited.add(done);
    }
  } finally {
    await expanding.close();
    await sorter?.dispose();
    await layer?.dispose();
    await visited.dispose();
  }
}

interface Expanding {
  /** A layer of so many positions, in order. */
  all(layer: Cursor, positions: number): AsyncIterable<PackedNodes>;
  close(): Promise<void>;
}

/** Expands large layers by others, if there are any. */
function newExpanding(
  game: KeyedRules,
  check: KeyCheck,
  memory: number,
  newExpander: MakeExpander | undefined,
): Expanding {
  const expansion = newExpansion(game, check, memory);
  let expander: Expander | undefined;
  return {
    all(layer, positions) {
      // A small layer is expanded before others were told of it.
      if (positions >= LARGE) expander ??= newExpander?.(memory);
      return positions >= LARGE && expander !== undefined
        ? expandedAhead(layer, expander)
        : expanded(layer, expansion);
    },
    close: async () => expander?.close(),
  };
}

/** All of a layer, expanded here. */
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

/** Before a layer is expanded: it and what was visited, and how many positions each layer has. */
function placeOf(visited: Visited, layer: KeySet, counts: readonly number[]): () => Promise<Place> {
  return async () => ({ at: [...counts], runs: await visited.keep(layer) });
}

async function addRoots(game: KeyedRules, check: KeyCheck, sorter: Sorter): Promise<void> {
  const rows = newRows(ROOT_BATCH, 1);
  for (const mixed of rootsOf(game, check)) {
    writeMixed(mixed, rows, rows.length++);
    if (rows.length < ROOT_BATCH) continue;
    await sorter.add(rows);
    rows.length = 0;
  }
  await sorter.add(rows);
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
