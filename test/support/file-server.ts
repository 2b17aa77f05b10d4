/** A plain file server, as any host of static files is one; it can be made to fail. */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { type ListeningServer, listen } from './http.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Ways of the next answers. `raw` is sent in place of an answer, before the connection is closed. */
export type ServerFault =
  | { readonly status: number }
  | { readonly raw: (body: Uint8Array, from: number, total: number) => string | Uint8Array }
  | 'no ranges'
  | 'no size';

export interface FileRequest {
  /** Request line, as in "GET /folder/file bytes=0-99". */
  readonly text: string;
  /** Bytes of the body that was sent. */
  bytes: number;
}

export interface FileServer extends ListeningServer {
  /** The requests since the last call. */
  sent(): FileRequest[];
  /** The next `times` answers to requests that match are faulty. */
  fail(fault: ServerFault, times?: number, matching?: RegExp): void;
}

/** Headers that let pages of other sites read the files of a host, and ask for ranges of them. */
const TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Range',
  'access-control-expose-headers': 'Content-Range, ETag',
};

export interface FileServerOptions {
  /** Pages of other sites may read the files. */
  readonly toAll?: boolean;
}

/** Serves the files under `root`, single ranges included. */
export async function fileServer(
  root: string,
  { toAll = false }: FileServerOptions = {},
): Promise<FileServer> {
  let requests: FileRequest[] = [];
  let faults: { fault: ServerFault; times: number; matching: RegExp }[] = [];

  function nextFault(path: string): ServerFault | null {
    const found = faults.find(({ matching, times }) => times > 0 && matching.test(path));
    if (found === undefined) return null;
    found.times--;
    return found.fault;
  }

  function send(
    [request, response]: [FileRequest, ServerResponse],
    status: number,
    headers: Record<string, string>,
    body: Uint8Array,
  ): void {
    request.bytes = body.length;
    response.writeHead(status, { ...headers, 'content-length': String(body.length) });
    response.end(body);
  }

  /** Files are asked for many times. */
  const contents = new Map<string, { at: number; bytes: Uint8Array }>();
  function contentOf(file: string): Uint8Array {
    const at = statSync(file).mtimeMs;
    const known = contents.get(file);
    if (known?.at === at) return known.bytes;
    const bytes = new Uint8Array(readFileSync(file));
    contents.set(file, { at, bytes });
    return bytes;
  }

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(toAll ? TO_ALL : {})) response.setHeader(name, value);
    if (toAll && request.method === 'OPTIONS') return void response.writeHead(204).end();
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname);
    const { range } = request.headers;
    const text = `${request.method} ${path}${range === undefined ? '' : ` ${range}`}`;
    const asking: FileRequest = { text, bytes: 0 };
    requests.push(asking);
    const to: [FileRequest, ServerResponse] = [asking, response];
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    const fault = nextFault(path);
    if (typeof fault === 'object' && fault !== null && 'status' in fault)
      return send(to, fault.status, {}, new Uint8Array(3));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return send(to, 404, {}, new Uint8Array(9));
    const all = contentOf(file);
    const headers = {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'last-modified': statSync(file).mtime.toUTCString(),
    };
    if (request.method === 'HEAD') {
      response.writeHead(200, fault === 'no size' ? headers : { ...headers, 'content-length': all.length });
      response.end();
      return;
    }
    const asked = fault === 'no ranges' ? null : /^bytes=(\d+)-(\d+)$/.exec(range ?? '');
    const from = asked === null ? 0 : Number(asked[1]);
    const body = asked === null ? all : all.subarray(from, Number(asked[2]) + 1);
    if (typeof fault === 'object' && fault !== null && 'raw' in fault) {
      response.socket!.end(fault.raw(body, from, all.length));
      return;
    }
    if (asked === null) return send(to, 200, headers, all);
    if (from >= all.length)
      return send(to, 416, { 'content-range': `bytes */${all.length}` }, new Uint8Array(0));
    const place = `bytes ${from}-${from + body.length - 1}/${all.length}`;
    send(to, 206, { ...headers, 'content-range': place }, body);
  });

  return {
    ...(await listen(server)),
    sent() {
      const was = requests;
      requests = [];
      return was;
    },
    fail(fault, times = Number.POSITIVE_INFINITY, matching = /./) {
      if (times === 0) faults = [];
      else faults.push({ fault, times, matching });
    },
  };
}
