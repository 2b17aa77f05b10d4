/** `gc` beside processes that solve: it never deletes what they have written and not named yet. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedGames } from '../../../jobs/registry.js';
import { claim } from '../../../jobs/run/claims.js';
import { findWaste } from '../../../jobs/run/garbage.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import { program as programProcess, start } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { solveChess } from '../../support/solving.js';

const games = await storedGames();
const wasteOf = async (store: Store) =>
  (await findWaste(store, games, '/nowhere'))
    .map(({ name }) => name)
    .filter((name) => !name.includes('/claims/'));
const atWorkOn = (store: Store, what: string, game = 'chess') =>
  claim(store, {
    game,
    undone: async () => [what],
    say: () => {},
    lost: (error) => {
      throw error;
    },
  });
const RUN = 'chess/dtm/KRK/values-0-0-1-attempt.arrow';

test('runs of a slice that a process has claimed are no garbage until the claim ends', async () => {
  const store = memoryStore();
  const held = await atWorkOn(store, 'dtm/KRK');
  await store.putIfAbsent(RUN, Uint8Array.of(1));
  await store.putIfAbsent(RUN.replace('KRK', 'KQK'), Uint8Array.of(1));
  expect(await wasteOf(store)).toEqual([RUN.replace('KRK', 'KQK')]);
  await held.release();
  expect(await wasteOf(store)).toEqual([RUN.replace('KRK', 'KQK'), RUN]);
});

test('runs of a graph that a process has claimed are no garbage either', async () => {
  const store = memoryStore();
  const held = await atWorkOn(store, 'town', 'graph');
  const runs = ['graph/dtw/town/values-0-0-1.arrow', 'graph/import/town/index.arrow'];
  for (const name of runs) await store.putIfAbsent(name, Uint8Array.of(1));
  expect(await wasteOf(store)).toEqual([]);
  await held.release();
  expect(await wasteOf(store)).toEqual(runs);
});

test('a table that is finished during gc keeps its runs', async () => {
  const { store: solved } = await solveChess(['KRK'], { metric: 'dtm', verify: true });
  const names = await solved.list('chess/dtm/KRK/');
  let isFinished = false;
  // The first listing shows the runs, and not yet the manifest that names them.
  const store: Store = {
    ...solved,
    async list(prefix) {
      const listed = (await solved.list(prefix)).filter(
        (name) => isFinished || !/KRK\/\w+\.json$/.test(name),
      );
      if (prefix === '') isFinished = true;
      return listed;
    },
  };
  expect(names.some((name) => name.endsWith('.arrow'))).toBe(true);
  expect(await wasteOf(store)).toEqual([]);
});

test('gc and scrub take the file of a keyed game and that of a graph', async () => {
  const store = join(testFolder(), 'tables');
  const mergemate = program(store);
  const game = 'samples/dodgem/three.ts';
  await mergemate.succeed(['solve', game, '--memory', '1MiB']);
  for (const file of [game, 'samples/town.jsonl']) {
    expect(await mergemate.succeed(['scrub', '--collect', file])).toContain('0 to delete');
    expect(await mergemate.succeed(['scrub', file])).toContain('all sound');
  }
});

test.skipIf(!LONG)(
  `a solve into a folder that is not there yet goes on while gc deletes all it may${ifShort}`,
  { timeout: 600_000 },
  async () => {
    for (let times = 0; times < (LONGEST ? 10 : 3); times++) {
      const store = join(testFolder(), 'tables');
      const solving = start(['solve', 'chess', 'KRK', '--store', store, '--memory', '8MiB', '--json']);
      let isOver = false;
      const ended = solving.ended.then((end) => {
        isOver = true;
        return end;
      });
      while (!isOver)
        await programProcess(store).run(['scrub', '--collect', '--older-than', '0s', '--delete']);
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
      expect(readdirSync(join(store, 'chess/dtm/KRK'))).toContain('table.json');
      expect(await program(store).succeed(['scrub'])).toContain('all sound');
    }
  },
);
