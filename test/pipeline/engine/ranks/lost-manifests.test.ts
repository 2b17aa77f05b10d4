/**
 * A store that says it has taken a manifest, and has not: ranks do not wait for each other for ever.
 */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import { newToy } from '../../../simulator/scenes.js';
import { BY_ALL, EAGER } from '../../../support/pace.js';
import { solveByRanks } from '../../../support/ranks.js';
import { digestsOf, solveGame } from '../../../support/solving.js';

const { game } = newToy('toy', true, {});

/** Loses an object the first time that it is put. */
function losingOnce(store: Store, lost: string): Store {
  let isLost = false;
  return {
    ...store,
    async putIfAbsent(name, bytes) {
      if (isLost || !name.endsWith(lost)) return store.putIfAbsent(name, bytes);
      isLost = true;
      return true;
    },
  };
}

test.each(['above/steps/count/expand-00002.json', 'above/steps/count/round-00002/00001.json'])(
  'ranks go on when the store lost %s after accepting it',
  async (lost) => {
    const expected = digestsOf((await solveGame(game, ['above'])).summaries);
    const store = losingOnce(memoryStore(), lost);
    const solving = { ranks: 2, pace: BY_ALL };
    const { summaries } = await solveByRanks(game, ['above'], solving, store);
    expect(digestsOf(summaries)).toEqual(expected);
  },
  30_000,
);

test('ranks go on when the store lost any manifest of rounds that one rank did for all', async () => {
  const pace = { ...EAGER, commitRounds: 4 };
  const solving = { ranks: 2, pace };
  const put: string[] = [];
  const noting = (store: Store): Store => ({
    ...store,
    putIfAbsent(name, bytes) {
      if (/above\/steps\/count\/rounds-\d+\.json$/.test(name)) put.push(name);
      return store.putIfAbsent(name, bytes);
    },
  });
  const undisturbed = await solveByRanks(game, ['above'], solving, noting(memoryStore()));
  // The first is that of the rounds that both did.
  const alone = put.slice(1);
  expect(alone.length).toBeGreaterThan(2);
  for (const lost of alone) {
    const { summaries } = await solveByRanks(game, ['above'], solving, losingOnce(memoryStore(), lost));
    expect(digestsOf(summaries)).toEqual(digestsOf(undisturbed.summaries));
  }
}, 60_000);
