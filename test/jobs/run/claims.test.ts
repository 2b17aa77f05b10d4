/** Processes that are asked for the same wait for each other. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Claim, type ClaimOptions, claim } from '../../../jobs/run/claims.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import { run, start, succeedJson, until } from '../../support/cli.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

/** In milliseconds: a process of these tests that lives is never silent for so long, however busy the machine is. */
const times = { beat: 5, silence: 1500 };
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Claiming {
  readonly got: Promise<Claim>;
  isHeld: boolean;
  readonly said: string[];
  readonly lost: string[];
}

/** Claims slices that are not in `done`. */
function claiming(
  store: Store,
  what: readonly string[],
  done = new Set<string>(),
  more: Partial<ClaimOptions> = {},
) {
  const said: string[] = [];
  const lost: string[] = [];
  const got = claim(store, {
    game: 'chess',
    times,
    say: (line) => said.push(line),
    lost: (error) => lost.push(error.message),
    undone: async () => what.filter((one) => !done.has(one)),
    ...more,
  });
  const self: Claiming = { got, isHeld: false, said, lost };
  got.then(() => {
    self.isHeld = true;
  });
  return self;
}

test('a process waits for a slice that another one has claimed, and for no other', async () => {
  const store = memoryStore();
  const first = claiming(store, ['dtm/KK', 'dtm/KRK']);
  const held = await first.got;
  const same = claiming(store, ['dtm/KRK', 'dtm/KRKN']);
  const separate = claiming(store, ['dtz/KRK']);
  await (await separate.got).release();
  await expect
    .poll(() => same.said)
    .toEqual([expect.stringMatching(/^dtm\/KRK: process \d+ of \S+ is at it since \S+; waiting for it$/)]);
  expect(same.isHeld).toBe(false);
  await held.release();
  await (await same.got).release();
  expect(first.lost).toEqual([]);
  // The last ticket stays, so that numbers do not begin again.
  await (await claiming(store, ['dtm/KQK']).got).release();
  expect(await store.list('')).toEqual([
    'chess/runs/claims/000004-end.json',
    'chess/runs/claims/000004.json',
  ]);
});

test('waiting ends when the slice is done, and a finished slice is not claimed', async () => {
  const store = memoryStore();
  const done = new Set<string>();
  const held = await claiming(store, ['dtm/KK', 'dtm/KRK']).got;
  const second = claiming(store, ['dtm/KK'], done);
  await expect.poll(() => second.said).toHaveLength(1);
  expect(second.isHeld).toBe(false);
  done.add('dtm/KK');
  await (await second.got).release();
  const names = await store.list('');
  await (await claiming(store, ['dtm/KK'], done).got).release();
  expect(await store.list('')).toEqual(names);
  await held.release();
});

test('of many processes one at a time has the claim, and each gets it in turn', async () => {
  const store = memoryStore();
  let inside = 0;
  let most = 0;
  const visits = Array.from({ length: 12 }, async () => {
    const held = await claiming(store, ['dtm/KRK']).got;
    inside++;
    most = Math.max(most, inside);
    await sleep(3);
    inside--;
    await held.release();
  });
  await Promise.all(visits);
  expect(most).toBe(1);
});

test('a process without heartbeats loses its claim, and gets an error if it still runs', async () => {
  const store = memoryStore();
  let away = false;
  const gone: Store = {
    ...store,
    // Nothing that it writes arrives.
    putIfAbsent: async (name, bytes) => away || store.putIfAbsent(name, bytes),
    size: async (name) => (away ? null : store.size(name)),
  };
  const first = claiming(gone, ['dtm/KRK']);
  await first.got;
  away = true;
  const second = claiming(store, ['dtm/KRK']);
  const held = await second.got;
  expect(second.said).toHaveLength(1);
  expect(first.lost).toEqual([]);
  away = false;
  await expect
    .poll(() => first.lost)
    .toEqual([expect.stringContaining('000001.json: this process was silent')]);
  await held.release();
});

test.skipIf(!LONG)(`two solves of one ending in one store both succeed at any moment${ifShort}`, async () => {
  const alone = newFolder();
  const args = ['solve', 'chess', 'KPK', '--metric', 'dtz', '--json', '--store'];
  const digests = (text: string) =>
    (JSON.parse(text).slices as { digests: string[] }[]).map((slice) => slice.digests);
  const expected = digests((await run([...args, alone])).stdout);
  rmSync(alone, { recursive: true });
  const store = testFolder();
  const both = [start([...args, store]), start([...args, store]), start([...args, store, '--workers', '2'])];
  const ended = await Promise.all(both.map(({ ended }) => ended));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  for (const { stdout } of ended) expect(digests(stdout)).toEqual(expected);
  const waiting = ended.filter(({ stderr }) =>
    /process \d+ of \S+ is at it since \S+; waiting for it/.test(stderr),
  );
  expect(waiting.length).toBe(2);
});

test.skipIf(!LONG)(`no process waits for a solve that was killed${ifShort}`, async () => {
  const store = testFolder();
  const args = ['solve', 'chess', 'KRKN', '--store', store, '--no-verify'];
  const killed = start(args);
  await until(() => filesUnder(store).some((name) => name.includes('/KRKN/')), 'the slice');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { slices } = await succeedJson<{ slices: { slice: string }[] }>(args);
  expect(slices.at(-1)!.slice).toBe('KRKN');
});
