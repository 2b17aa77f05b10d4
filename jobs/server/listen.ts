/** The server on a port: limits of connections before a request is complete, and the stop of the server. */
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { own } from '../../operators/core/own.js';
import { Connections } from './connections.js';
import type { Limits } from './limits.js';

interface ListenOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly limits: Limits;
  /** Takes the status of connections that no route ever sees: no request, or none in time. */
  readonly refused?: (status: number) => void;
}

export interface Listening {
  readonly url: string;
  /** Takes no more connections, lets requests end for a while, and cuts off all connections that are left. */
  stop(): Promise<void>;
}

/** How often a server that stops looks for connections on which nothing is asked any more. */
const IDLE_MS = 50;

/** Throws UserError if the address cannot be had. */
export async function listen(
  app: OpenAPIHono,
  { host, port, limits, refused = () => {} }: ListenOptions,
): Promise<Listening> {
  const listener = getRequestListener(app.fetch, {
    errorHandler: () => {
      refused(400);
      return new Response(refusal('this is not an address here'), { status: 400, headers: REFUSAL_HEADERS });
    },
  });
  const connections = new Connections(listener, limits);
  const server: Server & { httpAllowHalfOpen?: boolean } = createServer(
    {
      maxHeaderSize: limits.headers,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
      keepAliveTimeout: 30_000,
      // Without it Node would answer by itself, and say nothing; the listener refuses such requests, too.
      requireHostHeader: false,
    },
    (incoming, outgoing) => connections.take(incoming, outgoing),
  );
  // A client may close its side behind its last request, and wait for the answers. Without this Node closes the other side at once.
  server.httpAllowHalfOpen = true;
  server.maxConnections = limits.connections;
  server.timeout = limits.silentMs;
  server.on('connection', (socket: Socket) => connections.open(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = refuseBroken(error, socket);
    if (status !== null) refused(status);
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    answer(socket, 417, 'only 100-continue can be expected here');
    refused(417);
  });
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    answer(socket, 405, 'this is not a proxy');
    refused(405);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(addressProblem(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => connections.cutAll(), limits.stopMs);
        // Clients keep connections open after their last answer.
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(idle);
          resolve();
        });
      }),
  };
}

function addressProblem(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const address = `${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new UserError(
        `port ${port} of ${host} is in use: choose another with --port (0: any that is free)`,
      );
    case 'EACCES':
      return new UserError(`port ${port} of ${host} is not allowed to this user: choose one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(`--host: ${host} is not an address of this machine`);
    default:
      return new StorageError(address, `cannot be opened: ${error.message}`, { cause: error });
  }
}

const REFUSALS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not come in time'],
};

/**
 * Answers a bad request as routes do. Returns the status, or null without an answer. Browsers open connections on which they
 * may ask nothing; they would take an early answer for that to their next request.
 */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): number | null {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return null;
  }
  const [status, why] = own(REFUSALS, error.code ?? '') ?? [400, 'this is not an HTTP request'];
  answer(socket, status, why);
  return status;
}

const REFUSAL_HEADERS = {
  Connection: 'close',
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

const refusal = (why: string): string => JSON.stringify({ error: why });

/** Writes a whole response, and ends the connection. */
function answer(socket: Duplex, status: number, why: string): void {
  const body = refusal(why);
  const headers = { ...REFUSAL_HEADERS, 'Content-Length': String(body.length) };
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
