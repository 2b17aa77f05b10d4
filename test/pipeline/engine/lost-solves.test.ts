/** Solves that are lost at any operation on the store: the process that continues ends with the tables of an undisturbed one. */
import { afterAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { solve } from '../../../pipeline/engine/crew/solve.js';
import { TOYS, type Toy } from '../../simulator/scenes.js';
import { randomFrom } from '../../support/graph-game.js';
import { LONG, LONGEST } from '../../support/long.js';
import { Death, mortal } from '../../support/mortal.js';
import { budgetOf, digestsOf, MiB } from '../../support/solving.js';

/** Losses for each way of solving, by one worker and by three. */
const LOSSES = LONGEST ? 40 : LONG ? 15 : 4;
const WORKERS = LONG ? [1, 3] : [3];
let all = 0;

function solveToy({ game, solving }: Toy, store: Store, workers: number, attempt: string) {
  const engine = inlineEngine(game, store, newScratch(memoryStore(), 'scratch'), { attempt });
  return solve({
    game,
    store,
    slices: ['above'],
    ...solving,
    verify: true,
    budget: budgetOf(16 * MiB),
    engine: { ...engine, workers },
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
}

/** Solves into an empty store by processes that die after some operations, and by one that does not. */
async function solveByMortals(toy: Toy, workers: number, lives: readonly number[]) {
  const store = memoryStore();
  let losses = 0;
  for (const [i, life] of [...lives, Number.POSITIVE_INFINITY].entries()) {
    try {
      const summaries = await solveToy(toy, mortal(store, life).store, workers, `-life-${i}`);
      return { losses, digests: digestsOf(summaries) };
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      losses++;
    }
  }
  throw new Error('the last life has no end');
}

describe.each(TOYS)('$name', (toy) => {
  test.each(WORKERS)(`solves by %s workers, lost ${LOSSES} times at any operation`, async (workers) => {
    const whole = mortal(memoryStore(), Number.POSITIVE_INFINITY);
    const wanted = digestsOf(await solveToy(toy, whole.store, workers, ''));
    const dice = randomFrom(workers + toy.name.length);
    let losses = 0;
    while (losses < LOSSES) {
      const lives = Array.from({ length: 4 }, () => 1 + dice(whole.operations()));
      const lost = await solveByMortals(toy, workers, lives);
      expect(lost.digests).toEqual(wanted);
      losses += lost.losses;
    }
    all += losses;
  });
});

afterAll(() => {
  process.stdout.write(`solves in one process were lost ${all} times\n`);
  expect(all).toBeGreaterThanOrEqual(LOSSES * TOYS.length * WORKERS.length);
});
