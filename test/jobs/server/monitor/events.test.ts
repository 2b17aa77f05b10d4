/** Server-sent events of the monitor: their content, one look for all watchers, and clients that go. */
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { newLookout } from '../../../../jobs/progress/look.js';
import { Heartbeat, RunChange, RunEnded, RunSnapshot, SliceDetail } from '../../../../jobs/progress/model.js';
import { newPoller, type Poller } from '../../../../jobs/server/monitor/poller.js';
import { type MonitorOptions, monitorRoutes } from '../../../../jobs/server/monitor/routes.js';
import { openStore } from '../../../../jobs/stores.js';
import { StorageError } from '../../../../operators/core/errors.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import { GAMES, recorderOf, solveRecorded } from '../../../support/recording.js';
import { startS3Server } from '../../../support/s3-server.js';
import { solveChess } from '../../../support/solving.js';

interface Event {
  readonly event: string;
  readonly data: unknown;
}

const SHAPES = { snapshot: RunSnapshot, change: RunChange, ended: RunEnded, heartbeat: Heartbeat };

/** Reads the events of an answer, each checked against its shape. */
function eventsOf(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<Event> {
      for (let end = text.indexOf('\n\n'); end < 0; end = text.indexOf('\n\n')) {
        const { done, value } = await reader.read();
        if (done) return { event: 'closed', data: null };
        text += value;
      }
      const end = text.indexOf('\n\n');
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^event: (.+)$/m.exec(block)![1];
      const data: unknown = JSON.parse(/^data: (.+)$/m.exec(block)![1]);
      if (event in SHAPES) SHAPES[event as keyof typeof SHAPES].parse(data);
      return { event, data };
    },
    /** The next of this kind; those before it are passed over. */
    async until(kind: string): Promise<unknown> {
      for (;;) {
        const { event, data } = await this.next();
        if (event === kind) return data;
        if (event === 'closed') throw new Error(`it was closed before ${kind}`);
      }
    },
    close: () => reader.cancel(),
  };
}

function watching(store: Store, options: Partial<MonitorOptions> = {}): { app: OpenAPIHono; poller: Poller } {
  const poller = newPoller(newLookout({ store, games: GAMES }), 5);
  return { poller, app: monitorRoutes({ store, games: GAMES, poller, heartbeatMs: 50, ...options }) };
}

async function watch(app: OpenAPIHono) {
  const response = await app.request('/events');
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return eventsOf(response);
}

test('a stream has everything first, then changes, then the end of the run', async () => {
  const store = memoryStore();
  const { app, poller } = watching(store);
  const events = await watch(app);
  expect(await events.next()).toEqual({ event: 'hello', data: {} });
  const first = (await events.until('snapshot')) as RunSnapshot;
  expect([first.runs, first.slices]).toEqual([[], []]);
  await events.until('heartbeat');

  const recorder = recorderOf(store, ['KQK'], { intervalMs: 5 });
  recorder.listen({ type: 'phase', slice: 'KK', phase: 'enumerate', total: 10 });
  const begun = (await events.until('change')) as RunChange;
  expect(begun.runs).toMatchObject([{ endings: ['KQK'], state: 'running' }]);
  expect(begun.slices.map(({ slice }) => slice).sort()).toEqual(['KK', 'KQK']);
  recorder.listen({ type: 'work', slice: 'KK', done: 5 });
  for (let share: number | null = null; share !== 0.5; ) {
    const { slices } = (await events.until('change')) as RunChange;
    share = slices.find(({ slice }) => slice === 'KK')?.share ?? null;
    // Nothing happens to it, so no event has it.
    expect(slices.map(({ slice }) => slice)).not.toContain('KQK');
  }
  recorder.listen({ type: 'finished', slice: 'KK' });
  await solveChess(['KQK'], { metric: 'dtm', store, verify: true, progress: recorder.listen });
  await recorder.close('done');
  expect(await events.until('ended')).toMatchObject({ state: 'done', problem: null });
  expect(poller.watchers).toBe(1);

  await store.delete('chess/dtm/KQK/table.json');
  for (const name of await store.list('chess/dtm/KQK/')) await store.delete(name);
  let gone: readonly string[] = [];
  // The last changes of the run may come first.
  while (gone.length === 0) gone = ((await events.until('change')) as RunChange).gone;
  expect(gone).toEqual(['chess/dtm/KQK']);
  await events.close();
});

test('one poll serves all viewers, polling stops with the last, and a viewer over the limit is refused', async () => {
  const store = memoryStore();
  await solveRecorded(store, ['KRK']);
  const lookout = newLookout({ store, games: GAMES });
  let concurrent = 0;
  let most = 0;
  const poller = newPoller(async (now) => {
    most = Math.max(most, ++concurrent);
    await pause(1);
    concurrent--;
    return lookout(now);
  }, 20);
  const { app } = watching(store, { poller, clients: 10 });
  const all = await Promise.all(Array.from({ length: 10 }, () => watch(app)));
  for (const events of all) await events.until('snapshot');
  expect(poller.watchers).toBe(10);
  const refused = await app.request('/events');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await refused.json()).toEqual({ error: 'limit of 10 viewers reached' });
  const looks = poller.looks;
  const began = performance.now();
  await pause(200);
  // Ten who look by themselves would look ten times as often.
  expect(poller.looks - looks).toBeLessThanOrEqual((performance.now() - began) / 20 + 1);
  expect(most).toBe(1);

  await Promise.all(all.map((events) => events.close()));
  await expect.poll(() => poller.watchers).toBe(0);
  await pause(60);
  const then = poller.looks;
  await pause(100);
  expect(poller.looks).toBe(then);

  // A later watcher is served, too.
  const again = await watch(app);
  expect(((await again.until('snapshot')) as RunSnapshot).slices).toHaveLength(2);
  await again.close();
});

test('everything, a slice and an unknown slice can be requested without a stream', async () => {
  const store = memoryStore();
  await solveRecorded(store, ['KRK']);
  const { app, poller } = watching(store);
  const everything = await app.request('/');
  expect(everything.headers.get('cache-control')).toBe('no-store');
  expect(RunSnapshot.parse(await everything.json()).slices).toHaveLength(2);
  const slice = SliceDetail.parse(await (await app.request('/slice/chess/dtm/KRK')).json());
  expect([slice.state, slice.longestWin]).toEqual(['verified', 31]);
  const missing = await app.request('/slice/chess/dtm/KQK');
  expect([missing.status, await missing.json()]).toEqual([
    404,
    { error: 'nothing is known of KQK of chess under dtm' },
  ]);
  expect(poller.watchers).toBe(0);
});

test('a store that cannot be read for a while is reported, and watched again', async () => {
  const inner = memoryStore();
  await solveRecorded(inner, ['KK']);
  let broken = true;
  const list = async (prefix: string) => {
    if (broken) throw new StorageError(`${inner.uri}/chess`, 'out of reach');
    return inner.list(prefix);
  };
  const { app } = watching({ ...inner, list });
  const events = await watch(app);
  expect(await events.until('heartbeat')).toMatchObject({ problem: 'chess: out of reach' });
  broken = false;
  expect(((await events.until('snapshot')) as RunSnapshot).slices).toHaveLength(1);
  expect(await events.until('heartbeat')).toMatchObject({ problem: null });
  await events.close();
});

test('streams end when the server stops', async () => {
  const ending = new AbortController();
  const { app, poller } = watching(memoryStore(), { ending: ending.signal });
  const events = await watch(app);
  await events.until('snapshot');
  ending.abort();
  while ((await events.next()).event !== 'closed');
  expect(poller.watchers).toBe(0);
});

test('a run on object storage is watched from another machine', async () => {
  const server = await startS3Server();
  try {
    const uri = server.newUri();
    const app = monitorRoutes({ store: openStore(uri), games: GAMES, pollMs: 100, heartbeatMs: 50 });
    const events = await watch(app);
    await events.until('snapshot');
    const store = openStore(uri);
    const recorder = recorderOf(store, ['KQK'], { intervalMs: 200 });
    const solved = solveChess(['KQK'], { metric: 'dtm', store, verify: true, progress: recorder.listen });
    const ended = solved.then(() => recorder.close('done'));
    expect(await events.until('ended')).toMatchObject({ state: 'done' });
    await ended;
    const { slices } = RunSnapshot.parse(await (await app.request('/')).json());
    expect(slices.map(({ slice, state }) => [slice, state])).toEqual([
      ['KK', 'verified'],
      ['KQK', 'verified'],
    ]);
    await events.close();
  } finally {
    await server.close();
  }
});
