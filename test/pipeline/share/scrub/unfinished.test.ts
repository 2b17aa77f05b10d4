/** Scrubbing a store in which slices are unfinished. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../../operators/storage/store.js';
import { claim } from '../../../../pipeline/engine/crew/claims.js';
import { PACE } from '../../../../pipeline/engine/crew/pace.js';
import { consequencesOf } from '../../../../pipeline/share/scrub/consequences.js';
import { repair } from '../../../../pipeline/share/scrub/repair.js';
import { scrub } from '../../../../pipeline/share/scrub/scrub.js';
import { newToy } from '../../../simulator/scenes.js';
import { losingRanks, lostAfter, solveByRanks } from '../../../support/ranks.js';
import { digestsOf, solveGame } from '../../../support/solving.js';

const { game } = newToy('toy', true, {});
const games = new Map([[game.name, game]]);
const never = () => Promise.reject(new Error('nothing is to be solved'));

async function damagedIn(store: ReturnType<typeof memoryStore>) {
  const { damaged } = await scrub({ store, games, report: async () => {} });
  return consequencesOf(damaged, await store.list(''), games);
}

/** A store in which `meanwhile` is done before the operation of this number. */
function interrupted(store: Store, number: number, meanwhile: () => Promise<void>): Store {
  let operations = 0;
  const before = <A extends unknown[], R>(operation: (...of: A) => Promise<R>) => {
    return async (...of: A): Promise<R> => {
      if (++operations === number) await meanwhile();
      return operation(...of);
    };
  };
  return { ...store, list: before(store.list), size: before(store.size), read: before(store.read) };
}

test('what a solve replaces during the scrub is no damage', async () => {
  const believed: string[] = [];
  for (const writes of [35, 45]) {
    for (let number = 1; number <= 60; number += 5) {
      const store = memoryStore();
      const goOn = async (more: number) => {
        await solveGame(game, ['above'], { store: lostAfter(store, more) }).catch(() => {});
      };
      await goOn(writes);
      const { damaged } = await scrub({
        store: interrupted(store, number, () => goOn(10)),
        games,
        report: async () => {},
      });
      believed.push(...damaged.map(({ name, problem }) => `${writes}, ${number}: ${name}: ${problem}`));
    }
  }
  expect(believed).toEqual([]);
});

test('a slice that a process is at is left alone by a repair', async () => {
  const store = memoryStore();
  await solveGame(game, ['above'], { store });
  const table = 'toy/dtm/below/table.json';
  const values = (await store.list('toy/dtm/below/')).find((name) => /\/values-/.test(name))!;
  await store.delete(values);
  const damaged = await damagedIn(store);
  const asked: unknown[] = [];
  const isAtWork = async (at: unknown) => asked.push(at) > 0;
  expect(await repair(store, damaged, { solveAgain: never, isAtWork })).toEqual([]);
  expect(asked).toMatchObject([{ metric: 'dtm', slice: 'below' }]);
  expect(await store.size(table)).not.toBeNull();
});

describe('what a continued solve needs', () => {
  test('a missing run is named, and its slice is begun anew', async () => {
    const store = memoryStore();
    const isThere = async () => (await store.list('toy/dtm/below/steps/')).some((n) => /rounds-/.test(n));
    for (let writes = 1; !(await isThere()); writes++) {
      const lost = solveGame(game, ['above'], { store: lostAfter(store, writes) });
      await expect(lost).rejects.toThrow('lost');
    }
    expect(await damagedIn(store)).toEqual([]);
    const unwon = (await store.list('toy/dtm/below/steps/')).filter((name) => name.includes('unwon-'));
    await store.delete(unwon.at(-1)!);
    const damaged = await damagedIn(store);
    expect(damaged.map(({ name }) => name)).toEqual([unwon.at(-1)]);
    await repair(store, damaged, { solveAgain: never });
    expect(await damagedIn(store)).toEqual([]);
    await solveGame(game, ['above'], { store });
  });

  test('all parcels between ranks are read', async () => {
    const solving = { ranks: 2, pace: { ...PACE, fewRequests: 0 } };
    const store = memoryStore();
    const bundles = async () =>
      (await store.list('toy/')).filter((name) => /\/requests-[^/]*\.arrow$/.test(name));
    for (let writes = 1; (await bundles()).length < 2; writes++)
      await losingRanks(game, ['above'], solving, lostAfter(store, writes));
    expect(await damagedIn(store)).toEqual([]);
    const [name] = await bundles();
    const sound = (await readAll(store, name))!;
    for (const at of [8, sound.length - 12]) {
      const bytes = sound.slice();
      bytes[at] ^= 1;
      await store.delete(name);
      await store.putIfAbsent(name, bytes);
      expect(await damagedIn(store)).toMatchObject([{ name, slice: { slice: 'below' } }]);
    }
    await repair(store, await damagedIn(store), { solveAgain: never });
    expect(await damagedIn(store)).toEqual([]);
    const { summaries } = await solveByRanks(game, ['above'], solving, store);
    expect(digestsOf(summaries)).toEqual(digestsOf((await solveGame(game, ['above'])).summaries));
  });

  test('a missing commit of labels is named although a later one exists', async () => {
    const store = memoryStore();
    const commits = async () => {
      const names = await store.list('toy/dtm/above/');
      return names.includes('toy/dtm/above/table.json')
        ? []
        : names.filter((name) => /\/rounds-\d+\.json$/.test(name));
    };
    const pace = { ...PACE, commitRequests: 100, commitRequestsPerPosition: 0, commitRounds: 5 };
    for (let writes = 1; (await commits()).length < 2; writes++)
      await losingRanks(game, ['above'], { ranks: 2, pace }, lostAfter(store, writes));
    const [first] = await commits();
    await store.delete(first);
    // Runs that only this commit names may be missed as well.
    const problems = new Map((await damagedIn(store)).map(({ name, problem }) => [name, problem]));
    expect(problems.get(first)).toBe('is not there, though later rounds are');
    await repair(store, await damagedIn(store), { solveAgain: never });
    expect(await damagedIn(store)).toEqual([]);
  });

  test('a missing plan of ranks is named if parts were done by it', async () => {
    const store = memoryStore();
    const parts = async () => (await store.list('toy/dtm/')).filter((name) => /\/\d{5}\.json$/.test(name));
    for (let writes = 1; (await parts()).length === 0; writes++)
      await losingRanks(game, ['above'], { ranks: 2, pace: PACE }, lostAfter(store, writes));
    const plan = (await store.list('toy/dtm/')).find((name) => name.endsWith('/plan.json'))!;
    expect(await damagedIn(store)).toEqual([]);
    await store.delete(plan);
    expect(await damagedIn(store)).toMatchObject([{ name: plan }]);
  });

  test('runs of a table that was never finished are listed, and are no damage', async () => {
    const store = memoryStore();
    const run = 'toy/dtm/below/values-0-0-1-killed.arrow';
    await store.putIfAbsent(run, Uint8Array.of(1));
    const { damaged, remarks } = await scrub({ store, games, report: async () => {} });
    expect(damaged).toEqual([]);
    expect(remarks).toEqual([
      { name: 'toy/dtm/below', what: expect.stringMatching(/^has 1 run and no table\.json/) as string },
    ]);
  });

  test('a claim that is damaged is named, and deleted', async () => {
    const store = memoryStore();
    const claimant = { store, game, metric: 'dtm' as const, job: 'job', rank: 0 };
    await claim(claimant, 'below');
    const [name] = await store.list('ranks/');
    const bytes = (await readAll(store, name))!;
    await store.delete(name);
    await store.putIfAbsent(name, bytes.subarray(0, 30));
    await expect(claim(claimant, 'below')).rejects.toThrow(name);
    const damaged = await damagedIn(store);
    expect(damaged).toMatchObject([{ name, remake: null }]);
    await repair(store, damaged, { solveAgain: never });
    expect(await claim(claimant, 'below')).toBe(true);
  });
});
