/** Games with scores: one solve, against a naive solve for each number of points; with play in circles, and players who cannot move. */
import {
  type KeyedGame,
  keyedGame,
  memoryStore,
  newScratch,
  openKeyedProber,
  type Side,
  type Store,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { keyedLine } from '../../../pipeline/graph/keyed-line.js';
import { verifySolved } from '../../../pipeline/graph/verify-solved.js';
import { dotsAndBoxes } from '../../../samples/dots-and-boxes/game.js';
import { randomFrom } from '../../support/graph-game.js';
import { LONG, LONGEST } from '../../support/long.js';
import { Death, mortal } from '../../support/mortal.js';
import { naiveScores, solvedScores } from '../../support/naive-keyed.js';

/** A game of numbers whose moves, movers and ends are drawn by lot: play can go round in circles, and a side may move twice. */
function lots(seed: number, positions: number): KeyedGame<number, number> {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const all = Array.from({ length: positions }, () => ({
    side: draw(2) as Side,
    moves: draw(5) === 0 ? [] : Array.from({ length: 1 + draw(3) }, () => draw(positions)),
    over: draw(12) === 0,
    score: draw(13) - 6,
  }));
  return {
    name: `lots-${seed}`,
    roots: () => [0, 1, 2, 3],
    key: (position) => position,
    position: (key) => key,
    mover: (position) => all[position].side,
    moves: (position) => all[position].moves.map((to, i) => [String(i), to]),
    ended: (position) => (all[position].over ? 'over' : null),
    score: (position) => all[position].score,
  };
}

const GAMES = LONG ? 12 : 4;

test('random games, most with cycles, have the scores of a naive solver', async () => {
  let circles = 0;
  for (let seed = 1; seed <= GAMES; seed++) {
    const definition = lots(seed, 80);
    const naive = naiveScores(definition);
    const { summary, scores } = await solvedScores(keyedGame(definition));
    expect(summary.verified).toBe(naive.size);
    expect([...scores].sort()).toEqual([...naive].sort());
    if (
      [...naive].some(
        ([key, score]) =>
          score === 0 && definition.moves(Number(key))[Symbol.iterator]().next().done !== true,
      )
    )
      circles++;
  }
  expect(circles).toBeGreaterThan(GAMES / 3);
}, 60_000);

test('a line of best play ends with the score of its beginning, although the game has cycles', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const definition = lots(seed, 120);
    const game = keyedGame(definition);
    const store = memoryStore();
    await solveKeyed({ game, store });
    const prober = await openKeyedProber(game, store);
    for (const root of game.roots()) {
      const { start, steps } = await keyedLine(prober, root);
      if (start.wdl === 'draw') continue;
      const end = steps.at(-1)?.after ?? root;
      expect(definition.score!(end)).toBe(definition.mover(root) === 0 ? start.score : -start.score!);
      expect(steps.length).toBe(start.plies);
    }
  }
}, 60_000);

test('the same game can be solved for dtw and wdl, in which only who wins counts', async () => {
  const definition = lots(5, 120);
  const game = keyedGame(definition);
  const { scores, store } = await solvedScores(game);
  await solveKeyed({ game, store, metric: 'dtw' });
  const prober = await openKeyedProber(game, store, 'dtw');
  for (const [key, score] of scores) {
    const { wdl } = await prober.probe(game.at(key));
    const own = game.mover(game.at(key)) === 0 ? score : -score;
    expect(wdl).toBe(own > 0 ? 'win' : own < 0 ? 'loss' : 'draw');
  }
});

/** Deaths of processes that solve for scores. */
const DEATHS = LONGEST ? 200 : LONG ? 15 : 5;

test(`a solve that is lost ${DEATHS} times at any operation ends with the scores of one that is not`, async () => {
  const game = keyedGame(lots(7, 120));
  const solvedIn = async (store: Store) => {
    const { summary } = await solveKeyed({ game, store, commitRows: 100 });
    return { digests: summary.table.digests, turned: summary.table.turned, verified: summary.verified };
  };
  const whole = mortal(memoryStore(), Number.POSITIVE_INFINITY);
  const expected = await solvedIn(whole.store);
  expect(expected.turned!.length).toBeGreaterThan(2);
  let deaths = 0;
  const random = randomFrom(22);
  while (deaths < DEATHS) {
    const store = memoryStore();
    for (let last = 1 + random(whole.operations()); ; last = Number.POSITIVE_INFINITY) {
      const found = await solvedIn(mortal(store, last).store).catch((error: unknown) => {
        if (!(error instanceof Death)) throw error;
        return null;
      });
      if (found === null) deaths++;
      else {
        expect(found).toEqual(expected);
        break;
      }
    }
  }
}, 300_000);

test('a key that forgets the score is refused', async () => {
  const { symmetries: _, ...rules } = dotsAndBoxes(2);
  const game = keyedGame({
    ...rules,
    key: ({ drawn, side }) => drawn * 2 + side,
    position: (key) => ({ drawn: key >> 1, white: 0, side: (key & 1) as Side }),
  });
  await expect(solveKeyed({ game, store: memoryStore() })).rejects.toThrow(
    /score is -?\d there and -4 here, so key leaves out what score asks for/,
  );
});

/** Copies what has a prefix. */
async function copy(from: Store, to: Store, prefix: string): Promise<void> {
  for (const name of await from.list(prefix)) {
    const bytes = new Uint8Array((await from.size(name))!);
    await from.read(name, 0, bytes);
    const sink = await to.create(name);
    await sink.write([bytes]);
    await sink.close();
  }
}

test('verification finds the values of a game with other scores', async () => {
  const definition = lots(3, 120);
  const { store, scores } = await solvedScores(keyedGame(definition));
  const [end] = [...scores.keys()]
    .map(Number)
    .filter((key) => definition.ended!(key) !== null && definition.score!(key) > 1);
  const other = keyedGame({ ...definition, score: (key) => definition.score!(key) - (key === end ? 1 : 0) });
  const changed = await solvedScores(other);
  const mixed = memoryStore();
  await copy(changed.store, mixed, 'graph/import/');
  await copy(store, mixed, 'graph/score/');
  const options = { name: other.name, metric: 'score', progress: () => {} } as const;
  const budget = { memory: 2 ** 24, fanIn: 16, batchRows: 4096 };
  const env = () => ({ ...options, budget, scratch: newScratch(memoryStore(), 'scratch') });
  expect((await verifySolved({ ...env(), store })).wrong).toBe(0);
  expect((await verifySolved({ ...env(), store: mixed })).wrong).toBeGreaterThan(0);
});
