import { expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { program } from '../support/command.js';
import { testFolder } from '../support/folders.js';
import { ifNotLongest, LONG, LONGEST } from '../support/long.js';
import { solveChess } from '../support/solving.js';
import { countAsSyzygy } from './syzygy-counts.js';
import { published } from './syzygy-statistics.js';

async function expectPublished(name: string, store: Store): Promise<void> {
  const found = await countAsSyzygy(store, name);
  for (const colour of chess.colours) {
    expect([colour, found[colour]]).toEqual([colour, expect.objectContaining(published[name][colour])]);
  }
}

/** Endings of five men: up to five minutes of processor time each with pawns, up to one without. */
const FIVE = ['KNNKN', 'KNNKB', 'KNNKR', 'KNNKQ', 'KBBKN', 'KBNKN', 'KQNKN', 'KRNKN', 'KNNKP', 'KBPKN'];

test('the file has figures for all endings of 3 to 5 men', () => {
  const names = chess.endingsUpTo(5).map(({ name }) => name);
  const withoutRights = names.filter((name) => name !== 'KK' && !name.endsWith('ep'));
  expect(Object.keys(published).sort()).toEqual(withoutRights.sort());
});

// All endings of four men take two minutes. The long tests take KQBK, KBBK with like men, KQKR, and KRKP with a pawn.
const upTo = (men: number) => Object.keys(published).filter((name) => chess.ending(name).pieces <= men);
const endings = LONGEST ? upTo(4) : [...upTo(3), ...(LONG ? ['KQBK', 'KBBK', 'KQKR', 'KRKP'] : [])];
const store = memoryStore();

test.each(endings)(
  '%s to a zeroing move: as many wins, draws and losses, in as many plies, as published',
  { timeout: 1_200_000 },
  async (name) => {
    await solveChess(chess.ending(name).slices, { metric: 'dtz', store });
    await expectPublished(name, store);
  },
);

// Up to two gigabytes of disk. KBPKN has wins that the 50-move rule forbids.
test.skipIf(!LONGEST).each(FIVE)(`%s as published${ifNotLongest}`, { timeout: 7_200_000 }, async (name) => {
  const folder = testFolder();
  const flags = ['--metric', 'dtz', '--no-verify', '--memory', '1GiB', '--workers', '2'];
  await program(folder).succeed(['solve', 'chess', name, ...flags]);
  await expectPublished(name, localStore(folder, { durable: false }));
});
