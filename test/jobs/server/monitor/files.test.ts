/** The monitor describes a set of endings on its way to Syzygy's files. */
import { expect, test } from 'vitest';
import { newLookout } from '../../../../jobs/progress/look.js';
import { FileSet, RunSnapshot } from '../../../../jobs/progress/model.js';
import { newSetLookout } from '../../../../jobs/progress/set.js';
import {
  type Ledger,
  newLedger,
  readSetProgress,
  SetReporter,
} from '../../../../jobs/progress/set-records.js';
import { newRevisions } from '../../../../jobs/server/monitor/revisions.js';
import { monitorRoutes } from '../../../../jobs/server/monitor/routes.js';
import { StorageError } from '../../../../operators/core/errors.js';
import { localStore } from '../../../../operators/storage/local.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { putOver, type Store } from '../../../../operators/storage/store.js';
import { testFolder } from '../../../support/folders.js';

const NAMES = ['KRvK', 'KQvK', 'KQvKR'];
const HOUR = 3_600_000;

const ledger = (ending: string): Ledger => ({
  ...newLedger(ending),
  wallMs: 900,
  cpuMs: 700,
  longestWin: 31,
  tablePositions: 100,
  bytes: { [`${ending}.rtbw`]: 208, [`${ending}.rtbz`]: 7632 },
  filePositions: { [`${ending}.rtbw`]: 50, [`${ending}.rtbz`]: 20 },
  doneAt: 1,
});

const report = (out: Store) => new SetReporter({ out, endings: NAMES, cpu: () => 70, left: () => null });

function put(store: Store, ending: string, text: string): Promise<void> {
  return putOver(store, `ledger/${ending}.json`, new TextEncoder().encode(text));
}

test('the monitor follows a set from its beginning to its end', async () => {
  const folder = testFolder();
  // Who makes files and who watches are two processes.
  const [store, watched] = [folder, folder].map((each) => localStore(each, { durable: false }));
  const look = newSetLookout(watched);
  expect(await look(Date.now())).toBe(null);
  const seen = async (now = Date.now()) => FileSet.parse(await look(now));
  const states = async (now?: number) =>
    (await seen(now)).endings.map(({ ending, state, step }) => [ending, state, step]);

  // A ledger of an earlier set, of an ending that is done again.
  await put(store, 'KRvK', JSON.stringify(ledger('KRvK')));
  const reporter = report(store);
  reporter.begin('KRvK', 'solve');
  reporter.begin('KRvK', 'write');
  reporter.begin('KQvK', 'solve');
  await expect.poll(states).toEqual([
    ['KRvK', 'working', 'write'],
    ['KQvK', 'working', 'solve'],
    ['KQvKR', 'waiting', null],
  ]);
  reporter.finish('KRvK');
  reporter.begin('KQvK', 'verify');
  await expect.poll(states).toEqual([
    ['KRvK', 'done', null],
    ['KQvK', 'working', 'verify'],
    ['KQvKR', 'waiting', null],
  ]);
  const [done, working] = (await seen()).endings;
  expect(done).toMatchObject({ ending: 'KRvK', ledger: ledger('KRvK') });
  expect(working).toMatchObject({ ledger: null, since: expect.any(Number) });
  expect((await seen()).state).toBe('running');
  expect((await seen(Date.now() + HOUR)).state).toBe('quiet');

  // A ledger that is damaged is none, and one whose ending is not done does not count.
  await put(store, 'KQvKR', '{"ending":"KQvKR"');
  await put(store, 'KQvK', JSON.stringify(newLedger('KQvK')));
  await reporter.end('failed');
  expect((await seen()).state).toBe('failed');
  expect(await states()).toEqual([
    ['KRvK', 'done', null],
    ['KQvK', 'begun', 'verify'],
    ['KQvKR', 'waiting', null],
  ]);

  // The next set does again what its ledger has, if it has to.
  const again = report(store);
  again.begin('KRvK', 'solve');
  await expect.poll(async () => (await states())[0]).toEqual(['KRvK', 'working', 'solve']);
  await again.end('done');
  expect((await seen()).state).toBe('done');
  // The record of the last sitting has those before it.
  expect(await readSetProgress(localStore(folder, { durable: false }))).toMatchObject({
    ended: 'done',
    at: [],
    earlier: [{ cpuMs: 70, ended: 'failed' }],
  });
  expect((await store.list('ledger/set-')).length).toBe(2);
});

test('a damaged ledger of a set is ignored', async () => {
  const store = memoryStore();
  await put(store, 'set-000000001', '{"endings":[');
  expect(await newSetLookout(store)(0)).toBe(null);
});

test('the snapshot has the set, or null without one', async () => {
  const files = memoryStore();
  const ask = async (options: { files?: Store }) => {
    const routes = monitorRoutes({ store: memoryStore(), games: new Map(), ...options });
    return RunSnapshot.parse(await (await routes.request('/')).json()).set;
  };
  expect(await ask({})).toBe(null);
  expect(await ask({ files })).toBe(null);
  await report(files).end('done');
  expect((await ask({ files }))?.endings.map(({ ending }) => ending)).toEqual(NAMES);
});

test('a change has the set only if the set changed', async () => {
  const files = memoryStore();
  const look = newLookout({ store: memoryStore(), games: new Map(), files });
  const { follow } = newRevisions();
  const first = follow(await look(0));
  await report(files).end('done');
  const second = follow(await look(1));
  const third = follow(await look(2));
  expect(second.since(first.revision).change.set?.state).toBe('done');
  expect(third.revision).toBe(second.revision);
  expect(third.since(second.revision).change).not.toHaveProperty('set');
});

test('for unreadable files viewers get the reason without the path', async () => {
  const uri = 's3://secret-bucket/syzygy';
  const files: Store = {
    ...memoryStore(),
    uri,
    list: () => Promise.reject(new StorageError(`${uri}/ledger`, 'access denied')),
  };
  const routes = monitorRoutes({
    store: memoryStore(),
    games: new Map(),
    files,
    pollMs: 5,
    heartbeatMs: 50,
  });
  const response = await routes.request('/events');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('heartbeat')) text += (await reader.read()).value;
  await reader.cancel();
  expect(text).toContain('access denied');
  expect(text).not.toContain('secret-bucket');
});
