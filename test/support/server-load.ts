import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakOf } from './peak.js';

const MiB = 2 ** 20;
const CACHE = 64;

/** What each load did to the server. */
export interface LoadOutcome {
  readonly what: string;
  /** Milliseconds. */
  readonly healthMedian: number;
  readonly healthWorst: number;
  /** Seconds until all that is answered was. */
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface LoadedServer {
  readonly loads: readonly LoadOutcome[];
  /** MiB beside the cache of blocks. */
  readonly residentOverCache: number;
  /** Milliseconds from SIGTERM to the end, while connections hold unread answers. */
  readonly stopMs: number;
}

interface Asked {
  readonly path: string;
  readonly body?: string;
}

export interface LoadOptions {
  readonly cli: string;
  /** Has tables of `ending` under dtm. */
  readonly store: string;
  readonly ending: string;
  /** A thousand positions of it. */
  readonly positions: readonly string[];
  readonly queries?: number;
  readonly silent?: number;
  readonly batches?: number;
}

/** Throws if the server ends by itself. */
export async function loadServer(options: LoadOptions): Promise<LoadedServer> {
  const { cli, store, ending, positions, queries = 64, silent = 5, batches = 16 } = options;
  const scan = (i: number): Asked => ({
    path: `/api/positions?game=chess&ending=${ending}&result=win&limit=10000&skip=${i}`,
  });
  const batch: Asked = { path: '/probe', body: JSON.stringify({ game: 'chess', metric: 'dtm', positions }) };
  const scans = Array.from({ length: queries }, (_, i) => scan(i));
  const loads: LoadOutcome[] = [];
  let stopMs = 0;
  const { peak } = await peakOf(
    cli,
    ['serve', '--store', store, '--port', '0', '--cache', `${CACHE}MiB`, '--json'],
    async (child) => {
      const [line] = (await once(child.stdout!, 'data')) as [string];
      const url = new URL((JSON.parse(line) as { url: string }).url);
      const ended = once(child, 'exit');
      const sockets: Socket[] = [];
      try {
        loads.push(await underLoad('large queries at once', url, scans));
        loads.push(await underLoad('batches of a thousand at once', url, Array(batches).fill(batch)));
        for (let i = 0; i < silent; i++) sockets.push(sendAhead(url, Array(50).fill(scan(i))));
        loads.push(await underLoad('large queries beside silent connections', url, scans));
        for (const socket of sockets) socket.end();
        await sleep(100);
      } finally {
        const began = performance.now();
        child.kill('SIGTERM');
        await ended;
        stopMs = performance.now() - began;
        for (const socket of sockets) socket.destroy();
      }
    },
  );
  return { loads, residentOverCache: peak / MiB - CACHE, stopMs };
}

async function underLoad(what: string, url: URL, asked: readonly Asked[]): Promise<LoadOutcome> {
  const agent = new Agent({ keepAlive: false });
  const began = performance.now();
  let isOver = false;
  const health = watchHealth(url, () => isOver);
  const statuses: Record<string, number> = {};
  await Promise.all(
    asked.map(async (each) => {
      const status = await ask(url, agent, each);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  const times = (await health).sort((a, b) => a - b);
  return {
    what,
    healthMedian: times[Math.floor(times.length / 2)],
    healthWorst: times.at(-1)!,
    seconds,
    statuses,
  };
}

/** Asks again and again, 20 ms after the last answer; returns the latencies. */
async function watchHealth(url: URL, isOver: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: false });
  const times: number[] = [];
  do {
    const began = performance.now();
    const status = await ask(url, agent, { path: '/health' });
    if (status !== 200) throw new Error(`/health is ${status}`);
    times.push(performance.now() - began);
    await sleep(20);
  } while (!isOver());
  return times;
}

/** The status; the body is read and dropped. */
function ask({ hostname, port }: URL, agent: Agent, { path, body }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ agent, hostname, port, path, method, headers }, (response) => {
      response.on('data', () => {});
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A connection that sends all of its requests at once, and reads nothing. */
function sendAhead({ hostname, port }: URL, asked: readonly Asked[]): Socket {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  socket.write(asked.map(({ path }) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  return socket;
}
