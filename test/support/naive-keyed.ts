/** Keyed games solved with maps, by their definitions alone and without their symmetries; and the values that a store has of them. */
import {
  findPositions,
  type KeyedGame,
  type KeyedRules,
  memoryStore,
  newCounters,
  newScratch,
  type Side,
  type Store,
  solveKeyed,
  unpackedNodes,
} from 'mergemate';
import { openGraphRows } from '../../pipeline/graph/graph-rows.js';
import { nodeValuesOf } from './node-values.js';

/** By keys, for the side to move: n + 1 for won in n plies, -n - 1 for lost, 0 for neither. */
export type KeyedValues = ReadonlyMap<bigint, number>;

/** The definition of a game without its symmetries, as far as the naive solver reads it. */
export function withoutSymmetries<Position>(game: KeyedRules<Position>): KeyedGame<Position, number> {
  const { name, stuck, roots, mover, moves, ended } = game;
  return {
    name,
    stuck,
    roots,
    mover,
    moves,
    ended,
    key: (position) => Number(game.ownKeyOf(position)),
    position: (key) => game.at(BigInt(key)),
  };
}

/** The positions of a game, by numbers. */
interface Found<Position> {
  readonly positions: readonly Position[];
  readonly keys: readonly bigint[];
  readonly movers: readonly Side[];
  /** None where the game is over. */
  readonly successors: readonly (readonly number[])[];
  readonly ends: readonly ReturnType<NonNullable<KeyedGame<Position, number>['ended']>>[];
}

function findAll<Position>(game: KeyedGame<Position, number>): Found<Position> {
  const numbers = new Map<number, number>();
  const keys: number[] = [];
  const numberOf = (position: Position): number => {
    const key = game.key(position);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, keys.push(key) - 1);
    return keys.length - 1;
  };
  const found = { positions: [] as Position[], movers: [] as Side[], successors: [] as number[][] };
  const ends: Found<Position>['ends'][number][] = [];
  for (const root of game.roots()) numberOf(root);
  for (let i = 0; i < keys.length; i++) {
    const position = game.position(keys[i]);
    const end = game.ended?.(position) ?? null;
    found.positions.push(position);
    found.movers.push(game.mover(position));
    found.successors.push(end === null ? [...game.moves(position)].map(([, after]) => numberOf(after)) : []);
    ends.push(end);
  }
  return { ...found, keys: keys.map(BigInt), ends };
}

/** Sets the values that follow from those where the game is over, by passes over all until nothing changes. */
function settle<Position>({ movers, successors }: Found<Position>, values: number[]): void {
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
}

/** The values of all positions. */
export function naiveValues<Position>(game: KeyedGame<Position, number>): KeyedValues {
  const found = findAll(game);
  const { keys, successors, ends } = found;
  const values = ends.map((end, i) => {
    const isStuck = end === null && successors[i].length === 0;
    return end === 'won' ? 1 : end === 'lost' || (isStuck && game.stuck !== 'drawn') ? -1 : 0;
  });
  settle(found, values);
  return new Map(keys.map((key, i) => [key, values[i]]));
}

/** Solves a keyed game and reads its table. */
export async function solvedValues<Position>(game: KeyedRules<Position>) {
  const store: Store = memoryStore();
  const { graph, summary } = await solveKeyed({ game, store });
  const sides = await nodeValuesOf(graph, store);
  const env = { scratch: newScratch(memoryStore(), 'scratch'), counters: newCounters() };
  const budget = { memory: 2 ** 26, fanIn: 16, batchRows: 65_536 };
  const values = new Map<bigint, number>();
  await findPositions(game, { ...env, budget }, (packed) => {
    for (const { id, owner } of unpackedNodes(packed)) {
      // A node where somebody has lost is a position of that player, whoever owns it.
      const side = sides[owner][values.size] === null ? 1 - owner : owner;
      const code = sides[side][values.size]!;
      const isMover = side === game.mover(game.at(id as bigint));
      values.set(id as bigint, isMover ? (code > 0 ? code + 1 : code) : -code);
    }
  });
  return { store, graph, summary, values };
}

/**
 * By keys, by how much side 0 wins: for each number of points and each side, where the side can force so many. Who cannot be made to lose
 * points, and can win none, has 0.
 */
export function naiveScores<Position>(game: KeyedGame<Position, number>): Map<bigint, number> {
  const found = findAll(game);
  const { positions, keys, movers, successors } = found;
  const ends = successors.map((after, i) => (after.length === 0 ? game.score!(positions[i]) : 0));
  const scores = keys.map(() => 0);
  const least = [...new Set(ends)].sort((a, b) => Math.abs(a) - Math.abs(b));
  for (const points of least) {
    if (points === 0) continue;
    const side = points > 0 ? 0 : 1;
    const isEnough = (score: number) => (points > 0 ? score >= points : score <= points);
    const values = ends.map((score, i) => (!isEnough(score) ? 0 : movers[i] === side ? 1 : -1));
    settle(found, values);
    for (const [i, value] of values.entries())
      if (value !== 0 && value > 0 === (movers[i] === side)) scores[i] = points;
  }
  return new Map(keys.map((key, i) => [key, scores[i]]));
}

/** Solves a keyed game once for `score`; by keys, by how much side 0 wins. */
export async function solvedScores<Position>(game: KeyedRules<Position>) {
  const store: Store = memoryStore();
  const { graph, summary } = await solveKeyed({ game, store });
  const scores = new Map<bigint, number>();
  const scratch = newScratch(memoryStore(), 'scratch');
  const budget = { memory: 2 ** 26, fanIn: 16, batchRows: 65_536 };
  const { rows } = await openGraphRows({ store, name: game.name, metric: 'score', scratch, budget });
  for await (const batch of rows)
    for (const { id, winner, score } of batch) scores.set(BigInt(id), winner === 1 ? -score! : score!);
  return { store, graph, summary, scores };
}
