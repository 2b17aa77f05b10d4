/** Connections whose clients send ahead, read nothing, close their side, or go away. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS, type Limits } from '../../../jobs/server/limits.js';
import { listen } from '../../../jobs/server/listen.js';
import type { Store } from '../../../operators/storage/store.js';
import { listening, smallStore } from '../../support/serving.js';

const MiB = 2 ** 20;
const opened: { stop(): Promise<void> }[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((server) => server.stop()));
});

/** A server of one route, "/N", which answers with N bytes after as many answers as were begun at once are known. */
async function plain(limits: Partial<Limits> = {}, takeMs = 0) {
  const app = new OpenAPIHono<{ Bindings: HttpBindings }>();
  let [begun, closed, atWork, mostAtWork] = [0, 0, 0, 0];
  app.get('/:bytes', async (context) => {
    begun++;
    context.env.outgoing.once('close', () => closed++);
    mostAtWork = Math.max(mostAtWork, ++atWork);
    await sleep(takeMs);
    atWork--;
    return context.text('x'.repeat(Number(context.req.param('bytes'))));
  });
  const on = await listen(app as unknown as OpenAPIHono, {
    host: '127.0.0.1',
    port: 0,
    limits: { ...LIMITS, stopMs: 200, ...limits },
  });
  opened.push(on);
  return {
    ...on,
    port: Number(new URL(on.url).port),
    begun: () => begun,
    closed: () => closed,
    mostAtWork: () => mostAtWork,
  };
}

function client(
  port: number,
  halfOpen = false,
): { socket: Socket; text: () => string; closed: Promise<void> } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen });
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => (text += more));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return { socket, text: () => text, closed };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const answers = (text: string) => text.split('HTTP/1.1 200 OK').length - 1;

describe('requests sent ahead', () => {
  test('are answered one after another', async () => {
    const server = await plain({}, 5);
    const { socket, text, closed } = client(server.port);
    socket.write(get('/3').repeat(20) + get('/4', 'Connection: close\r\n'));
    await closed;
    expect(answers(text())).toBe(21);
    expect(text().endsWith('xxxx')).toBe(true);
    expect(server.mostAtWork()).toBe(1);
  });

  test('wait while their client reads nothing, and are answered when it does', {
    timeout: 60_000,
  }, async () => {
    const server = await plain();
    const { socket, text } = client(server.port);
    socket.pause();
    socket.write(get(`/${4 * MiB}`).repeat(10));
    await expect.poll(() => server.begun()).toBeGreaterThan(0);
    let before = 0;
    while (server.begun() > before) {
      before = server.begun();
      await sleep(100);
    }
    // What the system itself takes is a few MiB.
    expect(before).toBeLessThan(8);
    socket.resume();
    await expect.poll(() => text().length, { timeout: 30_000 }).toBeGreaterThan(40 * MiB);
    expect(answers(text())).toBe(10);
  });

  test('end the connection if there are too many', async () => {
    const server = await plain({ pipelined: 5 }, 20);
    const { socket, closed } = client(server.port);
    socket.write(get('/3').repeat(10));
    await closed;
    expect(server.begun()).toBeLessThanOrEqual(1);
  });
});

describe('answers that nobody takes', () => {
  test('are bounded in all: the connection that has written for longest is cut', async () => {
    const server = await plain({ unsent: 40 * MiB });
    const silent = Array.from({ length: 4 }, () => client(server.port));
    for (const { socket } of silent) {
      socket.pause();
      socket.write(get(`/${16 * MiB}`));
      await expect.poll(() => server.begun()).toBe(silent.findIndex((each) => each.socket === socket) + 1);
      await sleep(50);
    }
    // A paused socket does not notice its end.
    for (const { socket } of silent) socket.resume();
    await Promise.race([silent[0].closed, sleep(5000)]);
    expect(silent[0].socket.destroyed).toBe(true);
    await expect.poll(() => silent[3].text().length, { timeout: 10_000 }).toBeGreaterThan(16 * MiB);
  });

  test('are given up when their client is silent for long', async () => {
    const server = await plain({ silentMs: 300 });
    const { socket, text, closed } = client(server.port);
    socket.pause();
    socket.write(get(`/${32 * MiB}`));
    await expect.poll(() => server.closed(), { timeout: 10_000 }).toBe(1);
    socket.resume();
    await closed;
    expect(text().length).toBeLessThan(32 * MiB);
  });
});

describe('a client that closes its side', () => {
  test.each([
    ['at once', 0],
    ['and waits', 200],
  ])('behind its requests gets its answers (%s)', async (_, takeMs) => {
    const server = await plain({}, takeMs);
    const { socket, text, closed } = client(server.port, true);
    socket.end(get('/3') + get('/4'));
    await closed;
    expect(text().startsWith('HTTP/1.1 200 OK')).toBe(true);
    expect(answers(text())).toBe(2);
    expect(text().endsWith('xxxx')).toBe(true);
  });

  test('is sent interim responses before an answer that takes long', async () => {
    const server = await plain({}, 800);
    const { socket, text, closed } = client(server.port, true);
    socket.end(get('/3'));
    await closed;
    expect(text()).toMatch(/^(HTTP\/1\.1 102 Processing\r\n\r\n){2}HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nxxx$/);
    // HTTP/1.0 knows none.
    const old = client(server.port, true);
    old.socket.end('GET /3 HTTP/1.0\r\nHost: localhost\r\n\r\n');
    await old.closed;
    expect(old.text()).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

describe('a client that goes away', () => {
  let store: Store;
  beforeAll(async () => {
    store = await smallStore();
  });

  /** A server whose store answers nothing until it is released. */
  async function held(limits: Partial<Limits> = {}) {
    let release = () => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    const slow: Store = {
      ...store,
      async read(...args) {
        await until;
        return store.read(...args);
      },
    };
    const server = await listening(slow, { stopMs: 200, ...limits });
    opened.push(server);
    return { ...server, release };
  }
  const QUEEN = get('/probe?game=chess&position=8/8/8/8/3k4/8/8/K6Q%20w%20-%20-%200%201');
  const SCAN = get('/api/positions?game=chess&ending=KPK&limit=10000');

  test.each([
    ['closes', (socket: Socket) => void socket.destroy()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ])('no longer waits (it %s its connection)', async (_, leave) => {
    const { port, service, release } = await held({ running: 1 });
    const running = client(port);
    running.socket.write(QUEEN);
    await expect.poll(() => service.gate.running).toBe(1);
    const waiting = client(port);
    waiting.socket.write(QUEEN.repeat(10));
    await expect.poll(() => service.gate.waiting).toBe(1);
    leave(waiting.socket);
    await expect.poll(() => service.gate.waiting, { timeout: 3000 }).toBe(0);
    release();
    await expect.poll(() => service.gate.running).toBe(0);
    await expect.poll(() => running.text()).toContain('HTTP/1.1 200 OK');
  });

  test('leaves its scans, and those of others are made', async () => {
    const { port, url, service, release } = await held();
    const gone = Array.from({ length: 5 }, () => client(port));
    for (const { socket } of gone) socket.write(SCAN.repeat(10));
    await expect.poll(() => [service.gate.running, service.gate.waiting]).toEqual([1, 4]);
    for (const { socket } of gone) socket.destroy();
    await expect.poll(() => service.gate.waiting, { timeout: 3000 }).toBe(0);
    release();
    const answer = await fetch(`${url}/api/positions?game=chess&ending=KPK&limit=3`);
    expect(((await answer.json()) as { positions: unknown[] }).positions).toHaveLength(3);
    expect([service.gate.running, service.gate.waiting]).toEqual([0, 0]);
  });

  test('does not keep a server that stops', async () => {
    const { port, stop, service } = await held();
    const waiting = client(port);
    waiting.socket.write(QUEEN);
    await expect.poll(() => service.gate.running).toBe(1);
    const began = performance.now();
    await stop();
    opened.splice(0);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

test('a server stops although answers wait for clients that have closed their side and read nothing', async () => {
  const server = await plain();
  const clients = Array.from({ length: 5 }, () => client(server.port, true));
  for (const { socket } of clients) {
    socket.pause();
    socket.end(get(`/${16 * MiB}`));
  }
  await expect.poll(() => server.begun()).toBe(5);
  await sleep(100);
  const began = performance.now();
  await server.stop();
  opened.splice(0);
  expect(performance.now() - began).toBeLessThan(2000);
});
