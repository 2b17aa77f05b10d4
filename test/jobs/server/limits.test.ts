/** Limits on clients, over real connections. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Gate, type GateLimits, type Turn } from '../../../jobs/server/gate.js';
import type { Store } from '../../../operators/storage/store.js';
import { ifShort, LONG } from '../../support/long.js';
import { listening, smallStore } from '../../support/serving.js';

let store: Store;
let plain: Awaited<ReturnType<typeof listening>>;
const opened: { stop(): Promise<void> }[] = [];
const open = async (...args: Parameters<typeof listening>) => {
  const server = await listening(...args);
  opened.push(server);
  return server;
};
beforeAll(async () => {
  store = await smallStore();
  plain = await listening(store, {
    headersMs: 300,
    requestMs: 600,
    headers: 4096,
    body: 10_000,
    stopMs: 100,
  });
});
afterEach(() => Promise.all(opened.splice(0).map((server) => server.stop())));
afterAll(() => plain.stop());

const QUEEN = '/probe?game=chess&position=8/8/8/8/3k4/8/8/K6Q%20w%20-%20-%200%201';

/** Answer to what `send` writes to a connection, until the server closes it. */
async function raw(port: number, send: (socket: Socket) => Promise<void> | void): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => (text += more));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await send(socket);
  await closed;
  return text;
}
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const errorOf = (text: string) =>
  JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4)) as { error: string };
/** One request line with nothing more to say. */
const target = (port: number, path: string) =>
  raw(port, (socket) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`));

/** A store that answers nothing until it is released. */
function held(): { store: Store; release: () => void; reads: () => number } {
  let release = () => {};
  let reads = 0;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Store = {
    ...store,
    async read(...args) {
      reads++;
      await until;
      return store.read(...args);
    },
  };
  return { store: slow, release, reads: () => reads };
}

describe('requests that reach no route', () => {
  test.each([
    ['no host', 400, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no host, of old', 400, 'GET /health HTTP/1.0\r\n\r\n'],
    ['a host that is none', 400, 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['no path', 400, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['another protocol', 400, 'GET ftp://a/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['another version', 400, 'GET /health HTTP/9.9\r\nHost: a\r\n\r\n'],
    [
      'two lengths',
      400,
      'POST /probe HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n',
    ],
    ['an expectation', 417, 'GET /health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n'],
    ['a tunnel', 405, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s is answered as routes answer', async (_what, status, text) => {
    const answer = await raw(plain.port, (socket) => void socket.write(text));
    expect(statusOf(answer)).toBe(status);
    expect(Object.keys(errorOf(answer))).toEqual(['error']);
    expect(answer.toLowerCase()).toContain('\r\ncontent-type: application/json\r\n');
    expect(answer.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n');
  });
});

describe('size', () => {
  test('a long URL is 414, long headers are 431', async () => {
    const long = await fetch(`${plain.url}/probe?game=chess&position=${'x'.repeat(2100)}`);
    expect([long.status, await long.json()]).toEqual([
      414,
      { error: 'the URL is longer than 2048 characters' },
    ]);
    const headers = await raw(plain.port, (socket) => {
      socket.write(`GET / HTTP/1.1\r\nHost: test\r\nX: ${'y'.repeat(8000)}\r\n\r\n`);
    });
    expect([statusOf(headers), errorOf(headers)]).toEqual([431, { error: 'the headers are too large' }]);
    // As answers of routes have it.
    for (const header of [
      'Access-Control-Allow-Origin: *',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
    ])
      expect(headers).toContain(`\r\n${header}\r\n`);
  });

  test('a body over the limit is refused, with Content-Length or without', async () => {
    const body = JSON.stringify({ game: 'chess', positions: ['x'.repeat(20_000)] });
    const headers = { 'Content-Type': 'application/json' };
    const said = await fetch(`${plain.url}/probe`, { method: 'POST', headers, body });
    expect(said.status).toBe(413);
    const piece = body.slice(0, 5000);
    const streamed = await raw(plain.port, (socket) => {
      socket.write('POST /probe HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n');
      socket.write('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
      for (let i = 0; i < 4; i++) socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      socket.write('0\r\n\r\n');
    });
    expect(statusOf(streamed)).toBe(413);
  });
});

describe('time', () => {
  test.concurrent('missing or unfinished headers are 408', async () => {
    const beginnings = ['GET /health HTTP/1.1\r\nHost: te', 'GET /hea'];
    const send = (text: string) => raw(plain.port, (socket) => void socket.write(text));
    for (const text of await Promise.all(beginnings.map(send))) {
      expect([statusOf(text), errorOf(text)]).toEqual([408, { error: 'the request did not come in time' }]);
    }
  });

  test.concurrent('headers that come one letter at a time are 408', async () => {
    const text = await raw(plain.port, async (socket) => {
      for (const letter of 'GET /health HTTP/1.1\r\nHost: test\r\nA: bbbbbbbbbbbbbbb\r\n\r\n') {
        if (socket.destroyed) return;
        socket.write(letter);
        await sleep(50);
      }
    });
    expect(statusOf(text)).toBe(408);
  });

  const BODY =
    'POST /probe HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';

  test.concurrent('a body that is missing, or comes one letter at a time, is 408', async () => {
    const stuck = raw(plain.port, (socket) => void socket.write(`${BODY}{`));
    const slow = raw(plain.port, async (socket) => {
      socket.write(BODY);
      for (let i = 0; i < 100 && !socket.destroyed; i++) {
        socket.write('{');
        await sleep(50);
      }
    });
    for (const text of await Promise.all([stuck, slow]))
      expect([statusOf(text), errorOf(text)]).toEqual([408, { error: 'the request did not come in time' }]);
  });

  test.concurrent('a connection without a request gets no answer', async () => {
    expect(await raw(plain.port, () => {})).toBe('');
  });

  test('a connection without a valid request is counted once', async () => {
    const { port, url } = await open(store, { headersMs: 200, requestMs: 300, headers: 4096 });
    const sent = ['GET /hea', BODY, `GET / HTTP/1.1\r\nX: ${'y'.repeat(8000)}\r\n\r\n`, 'hello\r\n\r\n'];
    await Promise.all([
      raw(port, () => {}),
      ...sent.map((text) => raw(port, (socket) => void socket.write(text))),
    ]);
    const text = await (await fetch(`${url}/metrics`)).text();
    const counted = [...text.matchAll(/mergemate_http_requests_total\{(.*)\} (\d+)/g)].map(
      ([, labels, count]) => `${labels.replaceAll('"', '')} ${count}`,
    );
    expect(counted.sort()).toEqual([
      'route=none,method=none,status=400 1',
      'route=none,method=none,status=408 2',
      'route=none,method=none,status=431 1',
    ]);
  });

  test('an answer that takes too long is 503, and its slot is free only when the work ends', async () => {
    const { store: slow, release } = held();
    const { url, service } = await open(slow, { answerMs: 150, running: 1, waiting: 1 });
    const late = await fetch(url + QUEEN);
    expect([late.status, await late.json()]).toEqual([503, { error: 'the answer took too long' }]);
    expect(late.headers.get('Retry-After')).toBe('5');
    expect(service.gate.running).toBe(1);
    release();
    await expect.poll(() => service.gate.running).toBe(0);
    expect((await fetch(url + QUEEN)).status).toBe(200);
  });
});

describe('requests at once', () => {
  test('some run, some wait, and further ones get 503 with Retry-After', async () => {
    const { store: slow, release } = held();
    const { url, service } = await open(slow, { running: 2, waiting: 3 });
    const first = Array.from({ length: 5 }, () => fetch(url + QUEEN));
    while (service.gate.running + service.gate.waiting < 5) await sleep(5);
    const more = await Promise.all(Array.from({ length: 4 }, () => fetch(url + QUEEN)));
    for (const response of more) {
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('1');
      expect(await response.json()).toEqual({ error: 'too many requests are being answered: try again' });
    }
    // Requests that need no tables are answered all the same.
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/mergemate_lookups_waiting 3/);
    release();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  });

  test.skipIf(!LONG)(`a client that goes away no longer waits${ifShort}`, async () => {
    const { store: slow, release } = held();
    const { url, service } = await open(slow, { running: 1, waiting: 10 });
    const running = fetch(url + QUEEN);
    while (service.gate.running < 1) await sleep(5);
    const gone = new AbortController();
    const waiting = fetch(url + QUEEN, { signal: gone.signal }).catch(() => 'gone');
    while (service.gate.waiting < 1) await sleep(5);
    gone.abort();
    expect(await waiting).toBe('gone');
    await expect.poll(() => service.gate.waiting).toBe(0);
    release();
    expect((await running).status).toBe(200);
  });

  test('a long batch lets other requests through, and ends when its client goes away', async () => {
    const { url, service } = await open(store, { answerMs: 100 });
    const positions = Array<string>(1000).fill('8/8/8/8/3k4/8/8/K6Q w - - 0 1');
    let isAnsweredMeanwhile = false;
    // Where the machine has much else to do, a batch may be over before the other request has come.
    for (let i = 0; i < 20 && !isAnsweredMeanwhile; i++) {
      const batch = fetch(`${url}/probe`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ game: 'chess', positions }),
      });
      let isOver = false;
      void batch.finally(() => (isOver = true));
      while (service.gate.running < 1 && !isOver) await sleep(1);
      const quick = await fetch(`${url}/health`);
      expect(quick.status).toBe(200);
      isAnsweredMeanwhile = service.gate.running === 1;
      expect([200, 503]).toContain((await batch).status);
      await expect.poll(() => service.gate.running).toBe(0);
    }
    expect(isAnsweredMeanwhile).toBe(true);
  });

  test('scans wait for each other and for no lookup, and one that has begun answers who asks again', async () => {
    const { store: slow, release } = held();
    const { url, service } = await open(slow, { running: 1, waiting: 2, answerMs: 200 });
    const histogram = (ending: string) =>
      fetch(`${url}/api/histogram?game=chess&metric=dtm&ending=${ending}`);
    const late = await Promise.all(['KQK', 'KRK', 'KPK'].map(histogram));
    expect(late.map(({ status }) => status)).toEqual([503, 503, 503]);
    // The first goes on; the others have left their places.
    expect([service.gate.running, service.gate.waiting]).toEqual([1, 0]);
    const lookup = fetch(url + QUEEN);
    release();
    expect((await lookup).status).toBe(200);
    await expect.poll(() => service.gate.running).toBe(0);
    let status = 503;
    for (let i = 0; i < 50 && status === 503; i++) ({ status } = await histogram('KPK'));
    expect(status).toBe(200);
  });

  test('a query of positions leaves its place when it is late, and ends when its client has gone', async () => {
    const { store: slow, release, reads } = held();
    const { url, service } = await open(slow, { answerMs: 150 });
    const query = (more: string) =>
      `${url}/api/positions?game=chess&metric=dtm&ending=KPK&limit=10000${more}`;
    const late = await Promise.all(['', '&result=win', '&result=draw'].map((more) => fetch(query(more))));
    expect(late.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(late[0].headers.get('Retry-After')).toBe('5');
    expect([service.gate.running, service.gate.waiting]).toEqual([1, 0]);
    release();
    // It has read once, for the first stretch, and reads no more.
    await expect.poll(() => service.gate.running).toBe(0);
    expect(reads()).toBeLessThan(10);
  });
});

describe('the gate', () => {
  const limits: GateLimits = { running: 1, positions: 10, scans: 1, plans: 1, waiting: 4 };
  const lookup = (client: string, more: Partial<Turn> = {}): Turn => ({ kind: 'lookup', client, ...more });

  test('runs tasks in order, and frees a place when a task fails', async () => {
    const gate = new Gate({ ...limits, waiting: 2 });
    const done: number[] = [];
    const task = (n: number) =>
      gate.run(lookup(''), async () => {
        await sleep(2);
        done.push(n);
      });
    await Promise.all([task(1), task(2), task(3), expect(task(4)).rejects.toThrow('too many')]);
    expect(done).toEqual([1, 2, 3]);
    await expect(gate.run(lookup(''), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
    await task(5);
    expect(done.at(-1)).toBe(5);
  });

  /** Runs tasks that are named by their clients while one is at work; returns the names in the order of their turns, and what became of each. */
  async function inTurns(clients: readonly string[], most = limits) {
    const gate = new Gate(most);
    const turns: string[] = [];
    let free = () => {};
    const first = gate.run(lookup('first'), () => new Promise<void>((resolve) => (free = resolve)));
    const rest = clients.map((client) =>
      gate
        .run(lookup(client), async () => void turns.push(client))
        .then(
          () => 'done',
          () => 'refused',
        ),
    );
    free();
    await first;
    return { turns, became: await Promise.all(rest) };
  }

  test('lets clients take turns', async () => {
    const { turns } = await inTurns(['a', 'a', 'a', 'b', 'c', 'b'], { ...limits, waiting: 10 });
    expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('refuses the client with most tasks where there is no room for one with fewer', async () => {
    const { turns, became } = await inTurns(['a', 'a', 'a', 'a', 'b', 'a', 'b']);
    expect(turns).toEqual(['a', 'b', 'a', 'b']);
    expect(became).toEqual(['done', 'done', 'refused', 'refused', 'done', 'refused', 'done']);
  });

  test('bounds the weight of batches, and lets one that is heavier work alone', async () => {
    const gate = new Gate(limits);
    let [atWork, most] = [0, 0];
    const batch = (weight: number) =>
      gate.run({ kind: 'batch', client: '', weight }, async () => {
        atWork += weight;
        most = Math.max(most, atWork);
        await sleep(1);
        atWork -= weight;
      });
    await Promise.all([4, 4, 4].map(batch));
    expect(most).toBe(8);
    most = 0;
    await Promise.all([25, 1, 1].map(batch));
    expect(most).toBe(25);
  });

  test('a task that leaves its place lets lighter ones behind it begin', async () => {
    const gate = new Gate(limits);
    const gone = new AbortController();
    let free = () => {};
    const first = gate.run(
      { kind: 'batch', client: '', weight: 5 },
      () => new Promise<void>((resolve) => (free = resolve)),
    );
    const heavy = gate.run({ kind: 'batch', client: '', weight: 9, signal: gone.signal }, async () => {});
    const light = gate.run({ kind: 'batch', client: '', weight: 5 }, async () => 'light');
    gone.abort();
    await expect(heavy).rejects.toThrow('given up');
    expect(await light).toBe('light');
    free();
    await first;
  });
});

describe('nothing but the API', () => {
  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%5c..%5cpackage.json',
    '/..\\..\\package.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets%00.js',
    '/%00',
    '/%',
    '/%ff%fe',
    '//etc/passwd',
    '/chess/dtm/KQK/table.json',
    '/tables/chess/dtm/KQK/table.json',
    '/.git/config',
    'http://other.example/etc/passwd',
  ])('%s is not found', async (path) => {
    const text = await target(plain.port, path);
    expect([400, 404]).toContain(statusOf(text));
    // Some do not even become a request.
    if (!text.endsWith('\r\n\r\n')) expect(errorOf(text).error).toMatch(/^[^\n]+$/);
    expect(text).not.toContain('root:');
  });

  test('names of games, metrics and endings are never used as paths', async () => {
    for (const asked of [
      'game=..&position=x',
      'game=chess%2Fdtm&position=x',
      'game=constructor&position=x',
      'game=__proto__&position=x',
      'game=chess&metric=..%2F..&position=x',
      'game=chess&metric=toString&position=x',
    ]) {
      const response = await fetch(`${plain.url}/probe?${asked}`);
      expect([400, 404], asked).toContain(response.status);
    }
    for (const ending of ['../KQK', 'KQK/../KRK', 'KQK%00', '.', 'constructor']) {
      const response = await fetch(`${plain.url}/api/histogram?game=chess&ending=${ending}`);
      expect([400, 404], ending).toContain(response.status);
    }
  });

  test.each(['CONNECT', 'TRACE', 'PUT', 'DELETE', 'PATCH', 'FOO'])('%s is refused', async (method) => {
    const text = await raw(plain.port, (socket) => {
      socket.write(`${method} /probe HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
    });
    // The server says nothing about CONNECT and methods that do not exist.
    if (text !== '') expect([400, 405]).toContain(statusOf(text));
    expect((await fetch(`${plain.url}/health`)).status).toBe(200);
  });

  test('bytes that are no HTTP are refused', async () => {
    const text = await raw(plain.port, (socket) => void socket.write('\x16\x03\x01 hello\r\n\r\n'));
    expect([statusOf(text), errorOf(text)]).toEqual([400, { error: 'this is not an HTTP request' }]);
  });
});

test('the server stops when the last request is answered', async () => {
  const { store: slow, release } = held();
  const server = await listening(slow);
  const asked = fetch(server.url + QUEEN);
  while (server.service.gate.running < 1) await sleep(5);
  const stopped = server.stop();
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  release();
  expect((await asked).status).toBe(200);
  await stopped;
});

test('requests that do not end are cut off when the server stops', async () => {
  const { store: slow, release } = held();
  const server = await listening(slow, { stopMs: 100 });
  const asked = fetch(server.url + QUEEN).then(
    () => 'answered',
    () => 'cut off',
  );
  while (server.service.gate.running < 1) await sleep(5);
  await server.stop();
  expect(await asked).toBe('cut off');
  release();
});
