/** Games whose symmetries exchange the colours: each position has the value that it has in the same game without symmetries. */
import {
  type KeyedGame,
  keyedGame,
  type Metric,
  memoryStore,
  newCounters,
  newScratch,
  numberedGame,
  openKeyedProber,
  openPublishedKeyed,
  publishKeyed,
  type Side,
  type Store,
  solveKeyed,
} from 'mergemate';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeRows } from '../../../jobs/export/graph-rows.js';
import { readAll } from '../../../operators/storage/store.js';
import { checkKeyed } from '../../../pipeline/check/check-keyed.js';
import { solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import type { Solvable } from '../../../pipeline/engine/crew/slice-phases.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { forwardRulesOf } from '../../../pipeline/games/yours/numbered/forward.js';
import { EXCHANGING_VERSION } from '../../../pipeline/graph/graph-layout.js';
import { solvableGraph } from '../../../pipeline/graph/graph-phases.js';
import { openGraphRows } from '../../../pipeline/graph/graph-rows.js';
import { graphStats } from '../../../pipeline/graph/graph-stats.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { keyedLine } from '../../../pipeline/graph/keyed-line.js';
import type { GraphManifest } from '../../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import { verifyRules } from '../../../pipeline/graph/verify-rules.js';
import lGame, { type Position as LPosition } from '../../../samples/l-game/game.js';
import { testFolder } from '../../support/folders.js';
import { randomFrom } from '../../support/graph-game.js';
import { hexapawn, type Pawns, pawnSymmetries } from '../../support/hexapawn.js';
import { crewsHere } from '../../support/import-crews.js';
import { ifNotLongest, ifShort, LONG, LONGEST, sweep } from '../../support/long.js';
import { naiveScores, naiveValues } from '../../support/naive-keyed.js';
import { exchangedCubes, quixo } from '../../support/quixo.js';
import { solveByRanks } from '../../support/ranks.js';
import { budgetOf, MiB } from '../../support/solving.js';

const GAMES = LONGEST ? 500 : LONG ? 10 : 2;
const SQUARES = 20;

/** A man on a square, who is to move, and whether the colours of both are exchanged. */
interface At {
  readonly at: number;
  readonly side: Side;
  readonly flip: 0 | 1;
}

const numberOf = ({ at, side }: Pick<At, 'at' | 'side'>): number => 2 * at + side;
const other = ({ at, side, flip }: At): At => ({ at, side, flip: (1 - flip) as 0 | 1 });

/**
 * A random loopy game in which the colours can be exchanged: moves lead to positions of either mover, some to a position and to the same one with
 * its colours exchanged. Which of the two has the lesser key is drawn by lot. All positions are roots.
 */
function drawn(seed: number, hasScores: boolean): KeyedGame<At, number> {
  const random = randomFrom(seed);
  const numbers = Array.from({ length: 2 * SQUARES }, (_, number) => number);
  const most = 1 + random(4);
  const stuck = random(2) === 0 ? ('lost' as const) : ('drawn' as const);
  const lots = numbers.map(() => ({
    bit: random(2),
    end: random(7) === 0 ? (['won', 'lost', 'drawn'] as const)[random(3)] : null,
    score: random(9) - 4,
    moves: Array.from({ length: random(9) === 0 ? 0 : 1 + random(most) }, () => ({
      to: random(2 * SQUARES),
      flip: random(2),
      twice: random(5) === 0,
    })),
  }));
  const lotOf = (position: At) => lots[numberOf(position)];
  const at = (number: number, flip: number): At => ({
    at: number >> 1,
    side: (number & 1) as Side,
    flip: flip as 0 | 1,
  });
  const rules = {
    name: 'exchanging',
    roots: () => numbers.flatMap((number) => [at(number, 0), at(number, 1)]),
    key: (position: At) => 2 * numberOf(position) + (position.flip ^ lotOf(position).bit),
    position: (key: number) => at(key >> 1, (key & 1) ^ lots[key >> 1].bit),
    mover: ({ side, flip }: At) => (side ^ flip) as Side,
    moves: (position: At) =>
      lotOf(position).moves.flatMap(({ to, flip, twice }, i) => {
        const after = at(to, position.flip ^ flip);
        const move = [`${i}`, after] as const;
        return twice ? [move, [`${i}x`, other(after)] as const] : [move];
      }),
  };
  if (!hasScores) return { ...rules, stuck, ended: (position) => lotOf(position).end };
  return {
    ...rules,
    ended: (position) => (lotOf(position).end === null ? null : 'over'),
    score: (position) => (position.flip === 0 ? lotOf(position).score : -lotOf(position).score),
  };
}

/** How a graph is found and solved. */
const WAYS = ['in memory', 'by sorting', 'by two partitions'] as const;
type Way = (typeof WAYS)[number];

async function solved(
  game: KeyedRules,
  metric: Metric,
  way: Way,
): Promise<{ store: Store; graph: GraphManifest }> {
  const store = memoryStore();
  const scratchStore = memoryStore();
  const scratch = newScratch(scratchStore, 'scratch');
  const budget = budgetOf(4 * MiB);
  const graph = await importGraph({
    name: game.name,
    fingerprint: '1',
    source: reachableGraph(game, { budget, scratch, counters: newCounters() }),
    store,
    scratch,
    budget,
    report: () => {},
    phase: () => {},
    ...(way !== 'in memory' && { inMemory: 'never' as const, commitRows: 40 }),
    ...(way === 'by two partitions' && { crews: crewsHere(2, scratchStore) }),
  });
  const whole = solvableGraph(graph);
  const phases = { ...whole.phases!, mode: () => ({ mode: 'streaming', why: 'tested' }) };
  const solvable = (way === 'in memory' ? whole : { ...whole, phases }) as Solvable;
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
  expect(verified).toBe(graph.nodes);
  return { store, graph };
}

interface Drawn {
  readonly plain: KeyedGame<At, number>;
  readonly game: ReturnType<typeof keyedGame<At, number>>;
  readonly naive: ReadonlyMap<bigint, number>;
}

/** Games by seed and kind, with their naive values: all ways and metrics have the same ones. */
const drawnBefore = new Map<string, Drawn>();

function drawnOnce(seed: number, hasScores: boolean): Drawn {
  const key = `${seed} ${hasScores}`;
  const found = drawnBefore.get(key);
  if (found !== undefined) return found;
  const plain = drawn(seed, hasScores);
  const naive = hasScores ? naiveScores(plain) : naiveValues(plain);
  const game = keyedGame({ ...plain, symmetries: (position: At) => [other(position)] });
  const made = { plain, game, naive };
  drawnBefore.set(key, made);
  return made;
}

/** What the naive solver says of a position for its mover, as probes say it. */
function expectedOf(metric: Metric, mover: Side, value: number) {
  if (metric === 'score') {
    const points = mover === 0 ? value : 0 - value;
    return { wdl: points > 0 ? 'win' : points < 0 ? 'loss' : 'draw', score: points };
  }
  const plies = value === 0 || metric === 'wdl' ? null : Math.abs(value) - 1;
  return { wdl: value > 0 ? 'win' : value < 0 ? 'loss' : 'draw', plies };
}

/** Whether an answer has other values than are wanted of it. */
const differs = (found: object, wanted: object): boolean =>
  Object.entries(wanted).some(([name, value]) => Reflect.get(found, name) !== value);

test.each((['dtw', 'wdl', 'score'] as const).flatMap((metric) => WAYS.map((way) => [metric, way] as const)))(
  `${GAMES} loopy games, %s, %s: every position and move as without symmetries`,
  async (metric, way) => {
    const seen: Record<string, number> = { win: 0, draw: 0, loss: 0 };
    const wrong: unknown[] = [];
    for (let seed = 1; seed <= GAMES; seed++) {
      const { plain, game, naive } = drawnOnce(seed, metric === 'score');
      const { store, graph } = await solved(game as KeyedRules, metric, way);
      expect([graph.nodes, graph.boards, graph.exchanging]).toEqual([2 * SQUARES, 4 * SQUARES, 2 * SQUARES]);
      expect(graph.version).toBe(EXCHANGING_VERSION);
      const prober = await openKeyedProber(game, store, metric);
      const wanted = (position: At, mover: Side) => {
        const value = naive.get(BigInt(plain.key(position)))!;
        const isMover = metric === 'score' || plain.mover(position) === mover;
        return expectedOf(metric, mover, isMover ? value : 0 - value);
      };
      for (const position of plain.roots()) {
        const mover = plain.mover(position);
        const found = await prober.probe(position);
        const own = { mover, ...wanted(position, mover) };
        if (differs(found, own)) wrong.push({ seed, position, found, own });
        const value = await prober.value(position);
        if (differs(value, wanted(position, mover))) wrong.push({ seed, position, value, own });
        seen[found.wdl]++;
        const moves = (plain.ended?.(position) ?? null) === null ? [...plain.moves(position)].length : 0;
        if (found.moves.length !== moves) wrong.push({ seed, position, found, moves });
        for (const move of found.moves) {
          const { plies, ...rest } = { plies: null, ...wanted(move.after, mover) };
          const counted = plies === null ? {} : { plies: plies + 1 };
          if (differs(move, { ...rest, ...counted })) wrong.push({ seed, position, move, rest, counted });
        }
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(GAMES);
  },
  600_000,
);

test('the row of a position names the best move, also where another leads to the same one with its colours exchanged', async () => {
  let doubles = 0;
  const wrong: unknown[] = [];
  for (let seed = 1; seed <= GAMES; seed++) {
    const { game } = drawnOnce(seed, false);
    const { store } = await solved(game as KeyedRules, 'dtw', 'in memory');
    const prober = await openKeyedProber(game, store);
    const source = {
      store,
      name: game.name,
      metric: 'dtw' as const,
      budget: budgetOf(4 * MiB),
      scratchParent: testFolder(),
      game: game as KeyedRules,
    };
    for await (const batch of nodeRows(source, true))
      for (const row of batch) {
        const { wdl, plies, moves } = await prober.probe(row.position as At);
        if (row.weight !== 2 || differs(row.value as object, { wdl, plies }))
          wrong.push({ seed, row, wdl, plies });
        if (moves.length === 0) continue;
        const [best] = moves;
        const named = moves.find(({ name }) => name === row.move);
        if (named?.wdl !== best.wdl || named.plies !== best.plies) wrong.push({ seed, row, named, best });
        const ids = moves.map(({ after }) => game.keyOf(after));
        if (new Set(ids).size < ids.length) doubles++;
      }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(doubles).toBeGreaterThan(GAMES);
}, 600_000);

/** The same game without and with its symmetries: positions by key. */
const KNOWN: [string, KeyedRules, KeyedRules][] = [
  ...sweep<[number, number]>(
    [[3, 3]],
    [[3, 4]],
    [
      [4, 4],
      [4, 5],
    ],
  ).map(([width, height]): [string, KeyedRules, KeyedRules] => {
    const plain = hexapawn(width, height);
    const merged = keyedGame({ ...plain, symmetries: pawnSymmetries(width, height) });
    return [plain.name, keyedGame(plain) as KeyedRules, merged as KeyedRules];
  }),
  // A game in which play can go round in circles.
  ...sweep([2], [], [3]).map((size): [string, KeyedRules, KeyedRules] => [
    `Quixo ${size}x${size}`,
    keyedGame(quixo(size)) as KeyedRules,
    keyedGame({ ...quixo(size), symmetries: exchangedCubes }) as KeyedRules,
  ]),
];

/** The values of all rows for the side to move, by key. */
async function valuesOf(game: KeyedRules, store: Store): Promise<Map<bigint, string>> {
  const values = new Map<bigint, string>();
  const scratch = newScratch(memoryStore(), 'rows');
  const budget = budgetOf(4 * MiB);
  const { rows } = await openGraphRows({
    store,
    name: game.name,
    metric: 'dtw',
    scratch,
    budget,
    moves: false,
  });
  for await (const batch of rows)
    for (const { id, winner, plies } of batch) {
      const key = BigInt(id);
      const wdl = winner === null ? 'draw' : winner === game.mover(game.at(key)) ? 'win' : 'loss';
      values.set(key, `${wdl} ${plies}`);
    }
  return values;
}

/** Every position of a game that is solved without its symmetries has in `merged` the value that it has there. Returns their keys. */
async function compareAll(plain: KeyedRules, store: Store, merged: KeyedRules, mergedStore: Store) {
  const was = await valuesOf(plain, store);
  const is = await valuesOf(merged, mergedStore);
  expect(is.size).toBeLessThan(was.size);
  const wrong: unknown[] = [];
  for (const [key, value] of was) {
    const found = is.get(merged.keyOf(plain.at(key)));
    if (found !== value) wrong.push([key, value, found]);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  return [...was.keys()];
}

/** Boards of Quixo 3x3 that can be reached, with the turn merged. */
const QUIXO = 16_021;
/** Positions that are probed with their moves and lines. */
const PROBED = LONGEST ? 2000 : LONG ? 150 : 60;

test.each(KNOWN)(
  '%s: each position as without symmetries, in the store and published',
  async (_, plain, merged) => {
    const [store, mergedStore, to] = [memoryStore(), memoryStore(), memoryStore()];
    await solveKeyed({ game: plain, store });
    const { graph } = await solveKeyed({ game: merged, store: mergedStore });
    const keys = await compareAll(plain, store, merged, mergedStore);
    if (plain.name === 'quixo-3x3') expect(graph.nodes).toBe(QUIXO);
    const scratch = newScratch(memoryStore(), 'publish');
    const budget = budgetOf(4 * MiB);
    await publishKeyed({
      store: mergedStore,
      name: merged.name,
      metric: 'dtw',
      to,
      scratch,
      budget,
      verify: true,
    });
    const [one, two, three] = [
      await openKeyedProber(plain, store),
      await openKeyedProber(merged, mergedStore),
      await openPublishedKeyed(merged, to),
    ];
    const step = Math.max(1, Math.floor(keys.length / PROBED));
    for (let i = 0; i < keys.length; i += step) {
      const key = keys[i];
      const position = plain.at(key);
      const was = await one.probe(position);
      const sorted = (moves: typeof was.moves) =>
        moves.map(({ name, wdl, plies }) => `${wdl} ${plies} ${name}`).sort();
      for (const prober of [two, three]) {
        const is = await prober.probe(position);
        expect({ key, ...is, moves: sorted(is.moves) }).toEqual({ key, ...was, moves: sorted(was.moves) });
      }
      if (was.wdl === 'draw') continue;
      const [line, mergedLine] = [await keyedLine(one, position), await keyedLine(two, position)];
      expect(mergedLine.steps.map(({ mover }) => mover)).toEqual(line.steps.map(({ mover }) => mover));
    }
  },
  600_000,
);

describe('the L game', () => {
  const merged = memoryStore();
  let graph: GraphManifest;
  beforeAll(async () => {
    if (LONG) ({ graph } = await solveKeyed({ game: lGame, store: merged }));
  }, 120_000);

  test.skipIf(!LONG)(
    `has 2,296 positions with the turn merged: 15 in which nobody can move, 14 more lost${ifShort}`,
    async () => {
      expect([graph.nodes, graph.exchanging, graph.boards]).toEqual([2296, 2296, 2 * 18_368]);
      const { chooses, over, ends, longest } = await graphStats(merged, 'l-game', 'dtw', async () => {});
      expect(ends).toEqual({ won: 0, drawn: 0, lost: 15 });
      expect(over.nobody).toBe(0);
      const lost = chooses[0].won[1] + chooses[1].won[0];
      const won = chooses[0].won[0] + chooses[1].won[1];
      const drawn = chooses[0].nobody + chooses[1].nobody;
      expect({ won, drawn, lost }).toEqual({ won: 1006, drawn: 1261, lost: 14 });
      expect(longest).toBeDefined();
    },
    120_000,
  );

  test.skipIf(!LONGEST)(
    `each of 36,736 positions has the value that it has without symmetries${ifNotLongest}`,
    async () => {
      const { symmetries: _, ...rules } = lGame;
      const plain = keyedGame<LPosition, number>({
        name: 'plain-l-game',
        roots: () => [...lGame.roots()],
        key: (position) => Number(lGame.ownKeyOf(position)),
        position: (key) => lGame.at(BigInt(key)),
        mover: rules.mover,
        moves: rules.moves,
      });
      const store = memoryStore();
      await solveKeyed({ game: plain, store });
      const keys = await compareAll(plain as KeyedRules, store, lGame as KeyedRules, merged);
      expect(keys).toHaveLength(36_736);
    },
    600_000,
  );
});

test.skipIf(!LONG)(
  `ranks solve and verify a game with exchanged colours as one process does${ifShort}`,
  async () => {
    const game = keyedGame({ ...hexapawn(3, 4), symmetries: pawnSymmetries(3, 4) });
    const store = memoryStore();
    const { graph, summary } = await solveKeyed({ game, store });
    const again = memoryStore();
    const { summaries } = await solveByRanks(
      solvableGraph(graph),
      [graph.name],
      { ranks: 2 },
      await copyOf(store, again),
    );
    expect(summaries[0].table.digests).toEqual(summary.table.digests);
    expect(summaries[0].verified).toBe(graph.nodes);
  },
);

async function copyOf(from: Store, to: Store): Promise<Store> {
  for (const name of await from.list('graph/import/'))
    await to.putIfAbsent(name, (await readAll(from, name))!);
  return to;
}

test('check and verify --rules take an exchange of colours, and name one that is wrong', async () => {
  const plain = hexapawn(3, 3);
  const good = keyedGame({ ...plain, symmetries: pawnSymmetries(3, 3) }) as KeyedRules;
  expect((await checkKeyed(good, { positions: 500, seed: 1 })).violations).toEqual([]);
  const store = memoryStore();
  await solveKeyed({ game: good, store });
  const budget = budgetOf(4 * MiB);
  const verified = await verifyRules({
    game: good,
    name: good.name,
    store,
    again: memoryStore(),
    scratch: newScratch(memoryStore(), 'scratch'),
    budget,
    progress: () => {},
  });
  expect(verified.difference).toBeNull();

  const bad = keyedGame<Pawns, number>({
    ...plain,
    // The other side is to move, and the men stay what they are.
    symmetries: ({ squares, side }) => [{ squares, side: (1 - side) as Side }],
  }) as KeyedRules;
  const { violations } = await checkKeyed(bad, { positions: 500, seed: 1 });
  expect(violations.map(({ message }) => message).join()).toMatch(
    /is taken for .* by symmetries, with the colours exchanged: .*, so they are not alike/,
  );
  await expect(solveKeyed({ game: bad, store: memoryStore() })).rejects.toThrow(/with the colours exchanged/);
});

test('a numbered game that is solved by slices has values for each side, and refuses it', async () => {
  const game = numberedGame<{ readonly n: number; readonly side: Side }>({
    name: 'take',
    size: 8,
    index: ({ n }) => n,
    position: (n, side) => ({ n, side }),
    mover: ({ side }) => side,
    moves: ({ n, side }) =>
      [1, 2]
        .filter((less) => less <= n)
        .map((less) => [`${less}`, { n: n - less, side: (1 - side) as Side }]),
    symmetries: ({ n, side }) => [{ n, side: (1 - side) as Side }],
  });
  const { violations } = await checkKeyed(forwardRulesOf(game as never, ['take'])!, {
    positions: 50,
    seed: 1,
  });
  expect(violations.map(({ message }) => message).join()).toMatch(
    /mover is 1 there and 0 here|same side to move/,
  );
});
