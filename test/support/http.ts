/** Functions that the HTTP servers of tests share. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  /** "http://127.0.0.1:PORT" */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Has the server listen on a free port of this machine. */
export async function listen(server: Server): Promise<ListeningServer> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
