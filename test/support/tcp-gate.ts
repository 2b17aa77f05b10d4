/** A way to a server on this machine that can be shut, and opened again: clients see a server that goes away. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpGate {
  readonly endpoint: string;
  /** Requests that passed since the last call, by method: bytes that begin like a request count as one. */
  passed(): number;
  /** 'open'; 'shut': connections are refused; 'stuck': they are taken, and nothing comes back. Those that there are end. */
  set(state: 'open' | 'shut' | 'stuck'): Promise<void>;
  close(): Promise<void>;
}

const REQUEST = /(?:GET|HEAD|PUT|POST|DELETE) \S+ HTTP\/1\.1\r\n/g;

/** @param target as "http://127.0.0.1:7480". */
export async function startTcpGate(target: string): Promise<TcpGate> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let stuck = false;
  let requests = 0;

  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {}).on('close', () => sockets.delete(client));
    if (stuck) return;
    const onward = connect(Number(targetPort), hostname);
    client.on('data', (bytes) => (requests += bytes.toString('latin1').match(REQUEST)?.length ?? 0));
    client.pipe(onward).pipe(client);
    onward.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => onward.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const shut = () => {
    for (const socket of sockets) socket.destroy();
    return server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    endpoint: `http://127.0.0.1:${port}`,
    passed() {
      const was = requests;
      requests = 0;
      return was;
    },
    async set(state) {
      await shut();
      stuck = state === 'stuck';
      if (state !== 'shut') await listen(port);
    },
    async close() {
      await shut();
    },
  };
}
