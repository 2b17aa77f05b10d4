/**
 * The connections of the server. A client may send requests ahead of answers (pipelining): they are answered one after another, each once the
 * client has taken the answer before it. So a client that reads nothing keeps one answer in memory, and has at most one request at work.
 *
 * Answers that clients have not taken are counted over all connections. Beyond a limit, the connection that has been writing for longest is cut.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from './limits.js';

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/**
 * A client that has closed its side may be waiting for the answer, or may be gone: only its reaction to data shows which. So after a while
 * the server sends an interim response (102, which clients ignore), and then a second one, which fails if the client rejected the first.
 */
const ASK_AFTER_MS = 500;
const ASK_AGAIN_MS = 25;

export class Connections {
  readonly #all = new Map<Socket, Connection>();
  /** Connections that are writing an answer, the earliest first, each with the bytes of that answer. */
  readonly #writing = new Map<Connection, number>();
  #unsent = 0;

  constructor(
    readonly answer: Answer,
    readonly limits: Pick<Limits, 'pipelined' | 'unsent'>,
  ) {}

  open(socket: Socket): void {
    this.#all.set(socket, new Connection(socket, this));
    socket.once('close', () => this.#all.delete(socket));
  }

  /** Takes a request, which is answered after the earlier ones of its connection. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#all.get(incoming.socket)?.take(incoming, outgoing);
  }

  /** Cuts all connections, including those that Node no longer counts because it has written the last answer, which the client has yet to take. */
  cutAll(): void {
    for (const socket of this.#all.keys()) socket.resetAndDestroy();
  }

  /** An answer is complete, and its bytes wait for the client. */
  began(connection: Connection, bytes: number): void {
    this.#writing.set(connection, bytes);
    this.#unsent += bytes;
    for (const [oldest] of this.#writing) {
      if (this.#unsent <= this.limits.unsent || this.#writing.size === 1) break;
      oldest.cut();
    }
  }

  ended(connection: Connection): void {
    this.#unsent -= this.#writing.get(connection) ?? 0;
    this.#writing.delete(connection);
  }
}

class Connection {
  readonly #queue: (readonly [IncomingMessage, ServerResponse])[] = [];
  #atWork: ServerResponse | null = null;
  #asking: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly connections: Connections,
  ) {
    socket.once('end', () => this.#askWhetherThere());
    socket.once('close', () => {
      clearTimeout(this.#asking);
      this.#queue.length = 0;
      connections.ended(this);
    });
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#queue.length >= this.connections.limits.pipelined) {
      this.cut();
      return;
    }
    this.#queue.push([incoming, outgoing]);
    if (this.#atWork === null) this.#next();
  }

  cut(): void {
    this.connections.ended(this);
    this.socket.resetAndDestroy();
  }

  #next(): void {
    const next = this.#queue.shift();
    if (next === undefined) return;
    const [incoming, outgoing] = next;
    this.#atWork = outgoing;
    outgoing.once('close', () => {
      this.connections.ended(this);
      this.#atWork = null;
      this.#next();
    });
    void this.#answer(incoming, outgoing);
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await this.connections.answer(incoming, outgoing);
    // The answer is written. What the system has no room for waits here until the client takes some.
    const bytes = this.socket.writableLength;
    if (bytes > 0 && this.#atWork === outgoing) this.connections.began(this, bytes);
  }

  #askWhetherThere(): void {
    const ask = () => {
      const outgoing = this.#atWork;
      if (outgoing === null || outgoing.headersSent) return;
      // HTTP/1.0 has no interim responses.
      if (outgoing.req.httpVersionMinor > 0) outgoing.writeProcessing();
    };
    this.#asking = setTimeout(() => {
      ask();
      this.#asking = setTimeout(() => {
        ask();
        if (this.#atWork !== null || this.#queue.length > 0) this.#askWhetherThere();
      }, ASK_AGAIN_MS);
    }, ASK_AFTER_MS);
  }
}
