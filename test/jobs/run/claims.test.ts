/** Processes that are asked for the same wait for each other. */

import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { type Claim, type ClaimOptions, claim, whoWorks } from '../../../jobs/run/claims.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { processIdentity } from '../../../operators/storage/process-identity.js';
import type { Store } from '../../../operators/storage/store.js';
import { putRecord } from '../../../pipeline/game/record.js';
import { run, start, succeedJson, until } from '../../support/cli.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { endedIdentity, foreignIdentity } from '../../support/identities.js';
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
    .toEqual([expect.stringContaining('000001.json: this process missed its heartbeats')]);
  await held.release();
});

/** Puts a ticket as another process does; its number is that of a process of the tests. */
async function putTicket(
  store: Store,
  number: number,
  identity: string,
  what = ['dtm/KRK'],
): Promise<string> {
  const name = `chess/runs/claims/${String(number).padStart(6, '0')}.json`;
  const ticket = { version: 1, host: hostname(), pid: process.pid, process: identity, at: Date.now(), what };
  await putRecord(store, name, ticket);
  return name;
}

/** A store whose clock is so many milliseconds ahead. */
const withClock = (store: Store, aheadMs: number): Store => ({
  ...store,
  modified: async (name) => {
    const at = await store.modified(name);
    return at === null ? null : at + aheadMs;
  },
  clockAhead: async () => aheadMs,
});

const HOUR = 3_600_000;

test('nobody waits for a process that has ended, though its number and host are those of another', async () => {
  const store = memoryStore();
  await putTicket(store, 1, endedIdentity());
  await putTicket(store, 2, processIdentity.replace(/\d+$/, '1'));
  const since = performance.now();
  expect(await whoWorks(store, 'chess', () => true, { times })).toBe(null);
  const held = await claiming(store, ['dtm/KRK']).got;
  expect(performance.now() - since).toBeLessThan(times.silence / 2);
  await held.release();
});

test.each([0, -2 * HOUR, 2 * HOUR])(
  'a process that cannot be seen is waited for as long as it may be alive; the clock of the store is %d ms ahead',
  async (aheadMs) => {
    const store = withClock(memoryStore(), aheadMs);
    await putTicket(store, 1, foreignIdentity);
    const began = performance.now();
    await sleep(500);
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    expect(await whoWorks(store, 'chess', () => true, { times, say })).toBe(null);
    // The time that it was silent before counts.
    expect(performance.now() - began).toBeGreaterThan(times.silence - 100);
    expect(performance.now() - began).toBeLessThan(times.silence + 400);
    expect(said).toEqual([
      expect.stringMatching(
        /^process \d+ of \S+ was at work on it and is silent; watching it [\d.]+ m?s more$/,
      ),
    ]);
    const since = performance.now();
    const second = claiming(store, ['dtm/KRK']);
    await (await second.got).release();
    expect(performance.now() - since).toBeLessThan(times.silence / 2);
    expect(second.said).toEqual([]);
  },
);

test.skipIf(!LONG)(`a process that cannot be seen and beats is at work${ifShort}`, async () => {
  const store = withClock(memoryStore(), 2 * HOUR);
  const name = await putTicket(store, 1, foreignIdentity);
  let beats = 0;
  const beating = setInterval(
    () => void store.putIfAbsent(name.replace('.json', `-beat-${++beats}.json`), Uint8Array.of(1)),
    20,
  );
  const second = claiming(store, ['dtm/KRK']);
  try {
    expect(await whoWorks(store, 'chess', (what) => what === 'dtm/KRK', { times })).toMatch(
      /^process \d+ of /,
    );
    expect(await whoWorks(store, 'chess', (what) => what === 'dtm/KQK', { times })).toBe(null);
    await expect
      .poll(() => second.said)
      .toEqual([expect.stringMatching(/^dtm\/KRK: process \d+ of \S+ claimed it at \S+; waiting for it/)]);
    await sleep(times.silence + 100);
    expect(second.isHeld).toBe(false);
  } finally {
    clearInterval(beating);
  }
  await (await second.got).release();
});

test('a number that was used and deleted while a process stalled is not taken again', async () => {
  const inner = memoryStore();
  const now = { stall: async () => {} };
  const stalling: Store = {
    ...inner,
    async putIfAbsent(name, bytes) {
      await now.stall();
      return inner.putIfAbsent(name, bytes);
    },
  };
  await (await claiming(inner, ['dtm/KK']).got).release();
  let held: Claim | undefined;
  now.stall = async () => {
    now.stall = async () => {};
    // Number 2 is taken and ended; the taker of number 3 deletes it, and works.
    await (await claiming(inner, ['dtm/KQK']).got).release();
    held = await claiming(inner, ['dtm/KRK']).got;
  };
  const stalled = claiming(stalling, ['dtm/KRK']);
  await expect.poll(() => stalled.said).toHaveLength(1);
  expect(stalled.isHeld).toBe(false);
  await held!.release();
  await (await stalled.got).release();
});

test.skipIf(!LONG)(`listings that lag behind show no ticket too late${ifShort}`, async () => {
  const inner = memoryStore();
  const lagMs = 60;
  const past: { readonly at: number; readonly names: readonly string[] }[] = [];
  const note = async () => void past.push({ at: performance.now(), names: await inner.list('') });
  const store: Store = {
    ...inner,
    async putIfAbsent(name, bytes) {
      const isFirst = await inner.putIfAbsent(name, bytes);
      await note();
      return isFirst;
    },
    async delete(name) {
      await inner.delete(name);
      await note();
    },
    async list(prefix) {
      const names = past.findLast(({ at }) => at < performance.now() - lagMs)?.names ?? [];
      return names.filter((name) => name.startsWith(prefix));
    },
  };
  let inside = 0;
  let most = 0;
  const visits = Array.from({ length: 5 }, async (_, i) => {
    await sleep(10 * i);
    const held = await claiming(store, ['dtm/KRK'], new Set(), { times: { beat: 10, silence: 10_000 } }).got;
    most = Math.max(most, ++inside);
    await sleep(5);
    inside--;
    await held.release();
  });
  await Promise.all(visits);
  expect(most).toBe(1);
});

test('a process that was taken for dead notices it, also when its ticket is deleted', async () => {
  const store = memoryStore();
  let away = false;
  const gone: Store = {
    ...store,
    putIfAbsent: async (name, bytes) => away || store.putIfAbsent(name, bytes),
    size: async (name) => {
      if (away) throw new Error('the store is away');
      return store.size(name);
    },
  };
  const first = claiming(gone, ['dtm/KRK']);
  await first.got;
  away = true;
  await (await claiming(store, ['dtm/KRK']).got).release();
  await (await claiming(store, ['dtm/KQK']).got).release();
  expect(await store.list('chess/runs/claims/000001')).toEqual([]);
  away = false;
  await expect
    .poll(() => first.lost)
    .toEqual([expect.stringContaining('this process missed its heartbeats')]);
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
  const args = ['solve', 'chess', 'KBBK', '--metric', 'dtz', '--store', store, '--no-verify'];
  const killed = start(args);
  await until(() => filesUnder(store).some((name) => name.includes('/KBBK/')), 'the slice');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { slices } = await succeedJson<{ slices: { slice: string }[] }>(args);
  expect(slices.at(-1)!.slice).toBe('KBBK');
});
