/** Published keyed games: every value, positions that no game comes to, damage. */
import {
  type KeyedRules,
  keyedGame,
  memoryStore,
  newScratch,
  openGraphRows,
  openKeyedProber,
  openPublishedKeyed,
  publishKeyed,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../pipeline/game/sample.js';
import { makeBucket } from '../../../../../pipeline/share/publish/keyed/bucket.js';
import { keyedFileName, lookUp } from '../../../../../pipeline/share/publish/keyed/format.js';
import { connectFour } from '../../../../../samples/connect-four/rules.js';
import dodgem from '../../../../../samples/dodgem/three.js';
import boxes from '../../../../../samples/dots-and-boxes/game.js';
import { LONG, sweep } from '../../../../support/long.js';

const budget = { memory: 2 ** 21, fanIn: 16, batchRows: 2 ** 12 };

/** Heaps from which 2 or 5 are taken; those below 40 are looked up in another table. */
const lookedUp = keyedGame<number, number>({
  name: 'looked-up',
  roots: () => [300],
  key: (n) => n,
  position: (n) => n,
  mover: (n) => (n % 2) as 0 | 1,
  moves: (n) => [2, 5].map((less) => [`${less}`, n - less]),
  ended: (n) => (n >= 40 ? null : n % 7 === 0 ? 'drawn' : n % 3 === 0 ? { won: n } : { lost: 130 - n }),
});

type Solved = 'dtw' | 'wdl' | 'score';

async function published<Position>(game: KeyedRules<Position>, metric: Solved = 'dtw') {
  const [store, to] = [memoryStore(), memoryStore()];
  await solveKeyed({ game, store, metric });
  const scratch = newScratch(memoryStore(), 'publish');
  const made = await publishKeyed({ store, name: game.name, metric, to, scratch, budget, verify: true });
  return { store, to, made, prober: await openPublishedKeyed(game, to, metric) };
}

async function keysOf(game: KeyedRules<unknown>, store: ReturnType<typeof memoryStore>, metric: Solved) {
  const keys: bigint[] = [];
  const scratch = newScratch(memoryStore(), 'rows');
  const { rows } = await openGraphRows({ store, name: game.name, metric, scratch, budget });
  for await (const batch of rows) for (const { id } of batch) keys.push(BigInt(id));
  return keys;
}

test.each(
  sweep<[string, KeyedRules, Solved]>(
    [
      ['symmetries, draws', keyedGame(connectFour(4, 3)) as KeyedRules, 'dtw'],
      ['scores', boxes as KeyedRules, 'score'],
      ['games that go round in circles', dodgem as KeyedRules, 'dtw'],
      ['ends with plies', lookedUp as KeyedRules, 'dtw'],
    ],
    [
      ['the mover may stay', boxes as KeyedRules, 'dtw'],
      ['no plies', dodgem as KeyedRules, 'wdl'],
    ],
  ),
)(
  'all positions have the values that they were solved with: %s',
  async (_, game, metric) => {
    const { store, made, prober } = await published(game, metric);
    const solved = await openKeyedProber(game, store, metric);
    const keys = await keysOf(game, store, metric);
    expect(made.header.positions).toBe(keys.length);
    const random = seededRandom(1);
    const step = Math.max(1, Math.floor(keys.length / (LONG ? 200 : 60)));
    for (let i = random(step); i < keys.length; i += step) {
      const position = game.at(keys[i]);
      const [is, was] = [await prober.probe(position), await solved.probe(position)];
      expect({ ...is, moves: is.moves.length }).toEqual({ ...was, moves: was.moves.length });
      expect(is.moves.map(({ wdl, plies }) => [wdl, plies])).toEqual(
        was.moves.map(({ wdl, plies }) => [wdl, plies]),
      );
    }
  },
  60_000,
);

test('a position that no game reaches has a value that does not follow from its moves', async () => {
  const game = keyedGame<number, number>({
    name: 'count-down',
    roots: () => [200],
    key: (n) => n,
    position: (n) => n,
    mover: (n) => (n % 2) as 0 | 1,
    moves: (n) => [2, 5].filter((less) => less <= n).map((less) => [`${less}`, n - less]),
  });
  const { prober, to } = await published(game);
  expect((await prober.probe(193)).moves).toHaveLength(2);
  let refused = 0;
  for (let n = 201; n < 301; n++) await prober.probe(n).catch(() => refused++);
  expect(refused).toBeGreaterThan(80);
  const name = keyedFileName('count-down', 'dtw');
  const bytes = new Uint8Array((await to.size(name))!);
  await to.read(name, 0, bytes);
  for (const at of [3, 20, Math.floor(bytes.length / 2), bytes.length - 2]) {
    const other = memoryStore();
    const changed = bytes.slice();
    changed[at] ^= 4;
    await other.putIfAbsent(name, changed);
    const ask = async () => (await openPublishedKeyed(game, other)).probe(193);
    await expect(ask()).rejects.toThrow('count-down.dtw.values');
  }
  await expect(openPublishedKeyed(game, memoryStore())).rejects.toThrow(
    'count-down is not published for dtw',
  );
});

test('buckets of any size give each key its value', () => {
  const random = seededRandom(7);
  for (const count of [0, 1, 2, 3, 10, 100, 5000]) {
    const keys = {
      highs: Array.from({ length: count }, () => random(2 ** 31)),
      lows: Array.from({ length: count }, (_, i) => i),
      values: Array.from({ length: count }, () => random(2 ** 9)),
    };
    const bucket = makeBucket(keys, 9);
    for (const [i, value] of keys.values.entries())
      expect(lookUp(bucket, { high: keys.highs[i], low: keys.lows[i] }, 9)).toBe(value);
  }
});
