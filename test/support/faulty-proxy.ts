/**
 * An HTTP proxy in front of an S3 server, which disturbs requests and answers as networks and servers do. A seeded generator
 * decides, and the proxy counts its faults.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { type ListeningServer, listen, readBody } from './http.js';

export const faults = [
  'internal error',
  'slow down',
  'delay',
  'request lost',
  'answer lost',
  'answer cut',
  'answer short',
  'answer bit flipped',
  'upload bit flipped',
  'stale 404',
] as const;
export type ProxyFault = (typeof faults)[number];

export interface FaultyProxy extends ListeningServer {
  /** How often each fault was injected. */
  readonly injected: Record<ProxyFault, number>;
  /** Requests by method, e.g. GET, with those that met a fault. */
  readonly requests: Record<string, number>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Requests for which an object is fresh after it was put. */
const FRESH_REQUESTS = 40;

/** Each fault is injected at `rate` (0 to 1) of the requests that it can happen to. */
export async function startFaultyProxy(target: string, rate: number, seed: number): Promise<FaultyProxy> {
  const injected = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<ProxyFault, number>;
  const requests: Record<string, number> = {};
  const fresh = new Map<string, number>();
  const random = generator(seed);
  let clock = 0;

  function strikes(fault: ProxyFault, possible: boolean, likelier = 1): boolean {
    // The generator moves on whether or not the fault is possible.
    if (random() >= rate * likelier || !possible) return false;
    injected[fault]++;
    return true;
  }

  async function serve(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(asked);
    const method = asked.method!;
    const key = asked.url!.replace(/\?.*/, '');
    requests[method] = (requests[method] ?? 0) + 1;
    clock++;
    const refuse = (status: number, code: string) => {
      const text =
        method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>by the proxy</Message></Error>`;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
    };
    const age = clock - (fresh.get(key) ?? Number.NEGATIVE_INFINITY);
    const reading = method === 'GET' || method === 'HEAD';

    if (strikes('delay', true)) await new Promise((done) => setTimeout(done, 300 * random()));
    if (strikes('internal error', true)) return refuse(500, 'InternalError');
    if (strikes('slow down', true)) return refuse(503, 'SlowDown');
    if (strikes('request lost', true)) return void response.destroy();
    if (strikes('stale 404', reading && age < FRESH_REQUESTS, 3)) return refuse(404, 'NoSuchKey');
    if (strikes('upload bit flipped', method === 'PUT' && body.length > 0, 3)) flip(body, random());

    const answer = await forward(target, asked, body);
    if (method !== 'GET' && method !== 'HEAD' && answer.status < 300) fresh.set(key, clock);
    // Only objects have checksums; and an error is an error.
    const object = method === 'GET' && answer.status === 206;
    if (strikes('answer lost', true)) return void response.destroy();
    if (strikes('answer cut', object, 2)) {
      response.writeHead(answer.status, answer.headers);
      response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy());
      return;
    }
    let sent = answer.body;
    if (strikes('answer short', object, 2)) sent = sent.subarray(0, sent.length / 2);
    if (strikes('answer bit flipped', object && sent.length > 0, 2)) flip(sent, random());
    const headers =
      sent === answer.body ? answer.headers : { ...answer.headers, 'content-length': `${sent.length}` };
    response.writeHead(answer.status, headers);
    response.end(sent);
  }

  const server = createServer((asked, response) => serve(asked, response).catch(() => response.destroy()));
  return { ...(await listen(server)), injected, requests };
}

/** The Host header is signed, so it stays the proxy's. */
function forward(target: string, asked: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${target}${asked.url}`,
      { method: asked.method, headers: { ...asked.headers, connection: 'close' } },
      (response) => {
        readBody(response).then((read) => {
          const { connection: _, 'transfer-encoding': __, ...headers } = response.headers;
          resolve({ status: response.statusCode!, headers, body: read });
        }, reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function flip(bytes: Buffer, where: number): void {
  bytes[Math.floor(bytes.length * where)] ^= 1 << Math.floor(8 * ((where * 1024) % 1));
}

/** mulberry32: numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
