/** Keyed games solved with maps, by their definitions alone and without their symmetries; and the values that a store has of them. */
import {
  type KeyedGame,
  type KeyedRules,
  memoryStore,
  newCounters,
  newScratch,
  reachableGraph,
  type Store,
  solveKeyed,
  unpackedNodes,
} from 'mergemate';
import { graphGame } from '../../pipeline/graph/graph-game.js';
import { valuesOf } from './paged.js';

/** By keys, for who is to move: n + 1 for won in n plies, -n - 1 for lost, 0 for neither. */
export type KeyedValues = ReadonlyMap<bigint, number>;

/** The values of all positions, by passes over all until nothing changes. */
export function naiveValues<Position>(game: KeyedGame<Position, number>): KeyedValues {
  const numbers = new Map<number, number>();
  const keys: number[] = [];
  const numberOf = (position: Position): number => {
    const key = game.key(position);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, keys.push(key) - 1);
    return keys.length - 1;
  };
  const values: number[] = [];
  const movers: number[] = [];
  const successors: (readonly number[])[] = [];
  for (const root of game.roots()) numberOf(root);
  for (let i = 0; i < keys.length; i++) {
    const position = game.position(keys[i]);
    const end = game.ended?.(position) ?? null;
    movers.push(game.mover(position));
    successors.push(end === null ? [...game.moves(position)].map(([, after]) => numberOf(after)) : []);
    const isStuck = end === null && successors[i].length === 0;
    values.push(end === 'won' ? 1 : end === 'lost' || (isStuck && game.stuck !== 'drawn') ? -1 : 0);
  }
  for (let ply = 1, found = true; found; ply++) {
    const news: [number, number][] = [];
    for (const [i, after] of successors.entries()) {
      if (values[i] !== 0 || after.length === 0) continue;
      const own = after.map((to) => (movers[to] === movers[i] ? values[to] : -values[to]));
      // A win or the last way out that was found a ply before.
      if (own.some((value) => value > 0)) news.push([i, ply + 1]);
      else if (own.every((value) => value < 0)) news.push([i, -ply - 1]);
    }
    for (const [i, value] of news) values[i] = value;
    found = news.length > 0;
  }
  return new Map(keys.map((key, i) => [BigInt(key), values[i]]));
}

/** Solves a keyed game and reads its table. */
export async function solvedValues<Position>(game: KeyedRules<Position>) {
  const store: Store = memoryStore();
  const { graph, summary } = await solveKeyed({ game, store });
  const sides = await valuesOf(graphGame(graph), game.name, 'dtw', store);
  const env = { scratch: newScratch(memoryStore(), 'scratch'), counters: newCounters() };
  const source = reachableGraph(game, { ...env, budget: { memory: 2 ** 26, fanIn: 16, batchRows: 65_536 } });
  const values = new Map<bigint, number>();
  for await (const { packed } of source.read()) {
    for (const { id, owner } of unpackedNodes(packed!)) {
      const code = sides[owner]![values.size]!;
      const isMover = owner === game.mover(game.at(id as bigint));
      values.set(id as bigint, isMover ? (code > 0 ? code + 1 : code) : -code);
    }
  }
  return { store, graph, summary, values };
}
