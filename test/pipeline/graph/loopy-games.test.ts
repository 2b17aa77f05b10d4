/** Random games in which play can go round in circles, by every way of solving them: each value against a naive solver. */
import {
  type End,
  type FreeNumberedGame,
  type KeyedGame,
  keyedGame,
  type Metric,
  memoryStore,
  type NamedMove,
  newCounters,
  newScratch,
  numberedGame,
  type Side,
} from 'mergemate';
import { expect, test } from 'vitest';
import { solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import type { Solvable } from '../../../pipeline/engine/crew/slice-phases.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import type { NumberedGame } from '../../../pipeline/games/yours/numbered/numbered-definition.js';
import { solvableGraph } from '../../../pipeline/graph/graph-phases.js';
import { openGraphRows } from '../../../pipeline/graph/graph-rows.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import { randomFrom } from '../../support/graph-game.js';
import { keysOfOneHash } from '../../support/keyed-rows.js';
import { LONG, LONGEST, sweep } from '../../support/long.js';
import { naiveScores, naiveValues } from '../../support/naive-keyed.js';
import { valuesOf } from '../../support/paged.js';
import { budgetOf, MiB, solveGame } from '../../support/solving.js';

/** Games of each mode: seeds from 1 on, in memory and by rounds by turns. */
const GAMES = LONGEST ? 500 : LONG ? 25 : 6;
const SQUARES = 24;

/** A man on a square, and who is to move: so many squares. */
interface At {
  readonly at: number;
  readonly side: Side;
}

/** What was drawn by lot for each position, by `2 * at + side`. */
interface Lots {
  readonly stuck: 'lost' | 'drawn';
  readonly moves: readonly (readonly At[])[];
  readonly ends: readonly ('won' | 'lost' | 'drawn' | null)[];
  readonly scores: readonly number[];
}

const keyOf = ({ at, side }: At): number => 2 * at + side;
const positionOf = (key: number): At => ({ at: key >> 1, side: (key & 1) as Side });

/** Wide keys by keys: of 96 bits far apart, or of 200 bits, which all have one hash. */
const WIDE: Readonly<Record<number, readonly bigint[]>> = {
  96: Array.from({ length: 2 * SQUARES }, (_, key) => (BigInt(key) << 88n) + BigInt(key) ** 5n),
  200: keysOfOneHash(2 * SQUARES, 200),
};

/** The same game by wide keys. */
function widened(game: KeyedGame<At, number>, keyBits: 96 | 200): KeyedRules<At> {
  const wide = WIDE[keyBits];
  return keyedGame<At>({
    ...game,
    keyBits,
    key: (position) => wide[game.key(position)],
    position: (key) => game.position(wide.indexOf(key)),
  });
}

/** @param mayMoveAgain whether the side to move may be to move again. */
function drawLots(seed: number, mayMoveAgain: boolean): Lots {
  const random = randomFrom(seed);
  const keys = Array.from({ length: 2 * SQUARES }, (_, key) => positionOf(key));
  const most = 1 + random(4);
  return {
    stuck: random(2) === 0 ? 'lost' : 'drawn',
    moves: keys.map(({ side }) =>
      Array.from({ length: random(9) === 0 ? 0 : 1 + random(most) }, () => ({
        at: random(SQUARES),
        side: mayMoveAgain && random(3) === 0 ? side : ((1 - side) as Side),
      })),
    ),
    ends: keys.map(() => (random(7) === 0 ? (['won', 'lost', 'drawn'] as const)[random(3)] : null)),
    scores: keys.map(() => random(9) - 4),
  };
}

const movesBy = (lots: Lots) => (position: At) =>
  lots.moves[keyOf(position)].map((to, i): NamedMove<At> => [String(i), to]);

/** The game by keys, all of whose positions are roots. */
function byKeys(lots: Lots, hasScores: boolean): KeyedGame<At, number> {
  const rules = {
    name: 'loopy',
    roots: () => Array.from({ length: 2 * SQUARES }, (_, key) => positionOf(key)),
    key: keyOf,
    position: positionOf,
    mover: ({ side }: At) => side,
    moves: movesBy(lots),
  };
  const end = (position: At) => lots.ends[keyOf(position)];
  if (!hasScores) return { ...rules, stuck: lots.stuck, ended: end };
  return {
    ...rules,
    ended: (position) => (end(position) === null ? null : 'over'),
    score: (position) => lots.scores[keyOf(position)],
  };
}

function byNumbers(lots: Lots) {
  return {
    name: 'loopy',
    size: SQUARES,
    stuck: lots.stuck,
    index: ({ at }: At) => at,
    position: (at: number, side: Side) => ({ at, side }),
    mover: ({ side }: At) => side,
    moves: movesBy(lots),
    ended: (position: At) => lots.ends[keyOf(position)],
  };
}

/** The side to move of a game by slices cannot have won. */
function takingTurns(lots: Lots): Lots & { readonly game: NumberedGame<At> } {
  const end = (key: number) => (lots.ends[key] === 'won' ? 'lost' : lots.ends[key]);
  const ended = (position: At) => end(keyOf(position));
  return { ...lots, ends: lots.ends.map((_, key) => end(key)), game: { ...byNumbers(lots), ended } };
}

/** Who wins from a position: in how many plies, or by how many points. */
type Result = readonly [winner: Side | null, much: number | null];

/** The results of all positions by their keys. @param isHeld whether the graph is found and solved in memory, else by sorting and rounds. */
async function solved(game: KeyedRules, metric: Metric, isHeld: boolean): Promise<Map<number, Result>> {
  const store = memoryStore();
  const scratch = newScratch(memoryStore(), 'scratch');
  const budget = budgetOf(4 * MiB);
  const graph = await importGraph({
    name: 'loopy',
    fingerprint: '1',
    source: reachableGraph(game, { budget, scratch, counters: newCounters() }),
    store,
    scratch,
    budget,
    report: () => {},
    phase: () => {},
    // So few that the graph is found by sorting.
    ...(!isHeld && { commitRows: 40 }),
  });
  const whole = solvableGraph(graph);
  const phases = { ...whole.phases!, mode: () => ({ mode: 'streaming', why: 'tested' }) };
  const solvable = (isHeld ? whole : { ...whole, phases }) as Solvable;
  const { verified } = await solveOne({
    game: solvable,
    slice: graph.name,
    metric,
    strategy: 'count',
    store,
    budget,
    verify: true,
    engine: inlineEngine(solvable, store, scratch),
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  expect(verified).toBe(2 * SQUARES);
  const results = new Map<number, Result>();
  const { rows } = await openGraphRows({ store, name: 'loopy', metric, scratch, budget, moves: false });
  for await (const batch of rows)
    for (const { id, winner, plies, score } of batch) {
      const key = WIDE[game.keyBits]?.indexOf(BigInt(id)) ?? Number(id);
      results.set(key, [winner, metric === 'score' ? score : plies]);
    }
  return results;
}

/** A value for the side to move (naive-keyed.ts) as a result. */
function resultOf(side: Side, value: number, metric: Metric): Result {
  if (value === 0) return [null, null];
  const plies = metric === 'wdl' ? null : Math.abs(value) - 1;
  return value > 0 ? [side, plies] : [(1 - side) as Side, plies];
}

function naively(lots: Lots, metric: Metric): Map<number, Result> {
  const results = new Map<number, Result>();
  if (metric === 'score')
    for (const [key, score] of naiveScores(byKeys(lots, true)))
      results.set(Number(key), [score === 0 ? null : score > 0 ? 0 : 1, Math.abs(score)]);
  else
    for (const [key, value] of naiveValues(byKeys(lots, false)))
      results.set(Number(key), resultOf(positionOf(Number(key)).side, value, metric));
  return results;
}

const inOrder = (results: ReadonlyMap<number, Result>) => [...results].sort(([a], [b]) => a - b);

/** From how many positions play goes round in circles: nobody wins, although the game goes on. */
function circlesIn(lots: Lots, results: ReadonlyMap<number, Result>): number {
  return [...results].filter(
    ([key, [winner]]) => winner === null && lots.ends[key] === null && lots.moves[key].length > 0,
  ).length;
}

const free = (lots: Lots): FreeNumberedGame<At> => ({ ...byNumbers(lots), turns: 'free' });

/** The game in which every other position is an end with the value that it has in the whole game. */
function withLookedUp<Game extends { ended?(position: At): unknown }>(lots: Lots, game: Game): Game {
  const values = naively(lots, 'dtw');
  const ended = (position: At): End | null => {
    const key = keyOf(position);
    if ((key + position.side) % 4 < 2) return lots.ends[key];
    const [winner, plies] = values.get(key)!;
    if (winner === null) return 'drawn';
    return winner === position.side ? { won: plies! } : { lost: plies! };
  };
  return { ...game, ended };
}

/** Each way: the game that is solved, whether a side may move again, and the metric. */
type GraphMode = [string, (lots: Lots) => unknown, boolean, Metric];
const graphModes: readonly GraphMode[] = [
  ['who wins, by keys', (lots) => keyedGame(byKeys(lots, false)), false, 'wdl'],
  ['in how many plies, by keys', (lots) => keyedGame(byKeys(lots, false)), false, 'dtw'],
  ['by how many points, by keys', (lots) => keyedGame(byKeys(lots, true)), true, 'score'],
  ['where a side may move again, by numbers', (lots) => numberedGame(free(lots)), true, 'dtw'],
  ['in how many plies, by keys of 96 bits', (lots) => widened(byKeys(lots, false), 96), true, 'dtw'],
  ['by how many points, by keys of 200 bits', (lots) => widened(byKeys(lots, true), 200), true, 'score'],
  ['ends with plies, by keys', (lots) => keyedGame(withLookedUp(lots, byKeys(lots, false))), true, 'dtw'],
  ...sweep<GraphMode>(
    [],
    [
      ['ends with plies, by numbers', (lots) => numberedGame(withLookedUp(lots, free(lots))), true, 'dtw'],
      [
        'ends with plies, who wins',
        (lots) => keyedGame(withLookedUp(lots, byKeys(lots, false))),
        false,
        'wdl',
      ],
    ],
  ),
];

test.each(graphModes)(
  `${GAMES} loopy games: %s`,
  async (_, gameOf, mayMoveAgain, metric) => {
    let circles = 0;
    for (let seed = 1; seed <= GAMES; seed++) {
      const lots = drawLots(seed, mayMoveAgain);
      const expected = inOrder(naively(lots, metric));
      const game = gameOf(lots) as KeyedRules;
      const found = inOrder(await solved(game, metric, seed % 2 === 0));
      expect({ seed, values: found }).toEqual({ seed, values: expected });
      circles += circlesIn(lots, new Map(expected));
    }
    expect(circles).toBeGreaterThan(GAMES);
  },
  600_000,
);

test(`${GAMES} loopy games: by numbers whose sides take turns, without unmoves`, async () => {
  let circles = 0;
  for (let seed = 1; seed <= GAMES; seed++) {
    const lots = takingTurns(drawLots(seed, false));
    const game = numberedGame(lots.game);
    const { store } = await solveGame(game, ['loopy'], {
      metric: 'dtw',
      verify: true,
      budget: budgetOf(MiB),
    });
    const sides = await valuesOf(game, 'loopy', 'dtw', store);
    const found = new Map<number, Result>();
    // A win in n plies is n, and a loss -n - 1.
    for (const side of [0, 1] as const)
      for (const [at, code] of sides[side].entries())
        found.set(keyOf({ at, side }), resultOf(side, code! > 0 ? code! + 1 : code!, 'dtw'));
    const expected = naively(lots, 'dtw');
    expect({ seed, values: inOrder(found) }).toEqual({ seed, values: inOrder(expected) });
    circles += circlesIn(lots, expected);
  }
  expect(circles).toBeGreaterThan(GAMES);
}, 600_000);
