/**
 * All of mergemate that writes, over a simulated store and clock, with faults: for hours by `npm run bench -- --only simulate`.
 */
import { expect, test } from 'vitest';
import { ifShort, LONG, LONGEST } from '../support/long.js';
import { runEpisode } from './episode.js';
import { DAMAGING, KINDS, SURVIVED } from './faults.js';
import { allScenes } from './scenes.js';
import { simulate } from './simulate.js';

const OPERATIONS = LONGEST ? 50_000 : LONG ? 25_000 : 300;
const FAULTS = LONG ? OPERATIONS / 10 : 6;
/** From the seed of the long runs every kind of fault comes up. Short runs begin between files that are made from tables, imports, and solves. */
const SEED = LONG ? 20 : 8;

test(`${OPERATIONS} operations with faults end with right tables or with refusals by name`, {
  timeout: 1_200_000,
}, async () => {
  const { operations, faults, episodes, tally } = await simulate(SEED, {
    operations: OPERATIONS,
    faults: FAULTS,
  });
  process.stdout.write(
    `${operations} operations, ${faults} faults, ${episodes} episodes from seed ${SEED}\n`,
  );
  expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
  expect(faults).toBeGreaterThanOrEqual(FAULTS);
  if (LONG) expect(KINDS.filter((kind) => tally[kind] === 0)).toEqual([]);
});

test.skipIf(!LONG)(`a seed determines the sequence of operations and faults${ifShort}`, async () => {
  const names = ['two solves and gc', 'publish, huffman, 2 at once', 'three ranks, five partitions, gc'];
  const all = await allScenes();
  const digests: string[] = [];
  for (const scene of names.map((name) => all.find((each) => each.name.endsWith(name))!)) {
    // The first run compiles code that is compiled once.
    const { results } = await runEpisode(scene, 0, [], null);
    const play = async (seed: number) =>
      (await runEpisode(scene, seed, [...SURVIVED, ...DAMAGING], results)).digest;
    digests.push(await play(7), await play(8));
    expect(await play(7)).toBe(digests.at(-2));
  }
  expect(new Set(digests).size).toBe(digests.length);
});
