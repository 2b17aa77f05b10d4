/**
 * The least S3 server that a store needs, in memory: put (also conditional), multipart uploads, get with ranges, head, delete,
 * list by pages. It checks the hashes of bodies but no signatures. For machines without a real server, and for cases that a
 * real one cannot be brought into.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ListeningServer, listen, readBody } from './http.js';

export interface MemoryS3Options {
  readonly bucket: string;
  /** Without: conditional puts are answered with 501. */
  readonly conditional: boolean;
  /** Keys in a page of a listing. */
  readonly page: number;
}

/** Faults of servers that tests switch on and off while the server runs. */
export interface S3Faults {
  /** So many reads of an object after it was written are answered with 404, as if the write had not arrived everywhere. */
  staleReads: number;
  /** For so many milliseconds after an object was written, reads of it are answered with 404, whoever reads. */
  staleMs: number;
  /** A listing gives the same token with every page, another token with the same page, or no token though it has more. */
  pages: 'right' | 'same token' | 'same page' | 'no token';
  /** An upload loses its first part when it is completed, and is answered with 200. */
  losesParts: boolean;
  /** Milliseconds by which the clock of the server is ahead. */
  aheadMs: number;
  /** Requests whose signature has another time are refused, as AWS does. */
  checksTime: boolean;
  /** Listings show the objects of so many milliseconds ago. */
  lagMs: number;
  /** Of so many requests one is answered with 304, as by a wrong cache on the way; 0: none. */
  notModified: number;
  /** Of so many conditional puts one is answered with 409, as if another were under way; 0: none. */
  conflicts: number;
  /** Of so many conditional puts one is carried out and its connection cut, so that the next attempt is answered with 412; 0: none. */
  unheard: number;
}

export interface MemoryS3 extends ListeningServer {
  readonly faults: S3Faults;
  /** Requests so far. */
  readonly requests: () => number;
  /** The method and the address of each. */
  readonly asked: readonly string[];
}

interface Stored {
  readonly bytes: Buffer;
  readonly metadata: Record<string, string>;
  readonly modified: Date;
}

interface Upload {
  readonly key: string;
  readonly begun: Date;
  readonly parts: Map<number, Buffer>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const refusal = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const xml = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?>${text}`,
});
/** The connection is cut in place of an answer. */
const CUT: Answer = { status: 0 };
const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

export function startMemoryS3({ bucket, conditional, page }: MemoryS3Options): Promise<MemoryS3> {
  const faults: S3Faults = {
    staleReads: 0,
    staleMs: 0,
    pages: 'right',
    losesParts: false,
    aheadMs: 0,
    checksTime: false,
    lagMs: 0,
    notModified: 0,
    conflicts: 0,
    unheard: 0,
  };
  const now = () => new Date(Date.now() + faults.aheadMs);
  const isTurn = (number: number, of: number) => of > 0 && number % of === 0;
  let conditionalPuts = 0;
  /** When keys came and went, for listings that lag. */
  const changes: { readonly at: number; readonly key: string; readonly isThere: boolean }[] = [];
  /** Reads that will not find an object, by key. */
  const stale = new Map<string, number>();
  let requests = 0;
  const asked: string[] = [];
  let tokens = 0;
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Upload>();

  function store(key: string, stored: Stored): void {
    objects.set(key, stored);
    stale.set(key, faults.staleReads);
    changes.push({ at: Date.now(), key, isThere: true });
  }

  /** The keys as listings show them. */
  function listedKeys(): string[] {
    const keys = new Set(objects.keys());
    if (faults.lagMs === 0) return [...keys];
    for (let i = changes.length - 1; i >= 0 && changes[i].at > Date.now() - faults.lagMs; i--)
      changes[i].isThere ? keys.delete(changes[i].key) : keys.add(changes[i].key);
    return [...keys];
  }

  /** As AWS does: a quarter of an hour is too much. */
  function isMistimed({ headers }: IncomingMessage): boolean {
    const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(String(headers['x-amz-date'])) ?? [];
    const signed = Date.parse(
      `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`,
    );
    return Math.abs(signed - now().getTime()) > 900_000;
  }

  function metadataOf(request: IncomingMessage): Record<string, string> {
    const found = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'));
    return Object.fromEntries(found) as Record<string, string>;
  }

  function put(request: IncomingMessage, key: string, query: URLSearchParams, bytes: Buffer): Answer {
    const hash = request.headers['x-amz-content-sha256'];
    if (hash !== 'UNSIGNED-PAYLOAD' && hash !== createHash('sha256').update(bytes).digest('hex')) {
      return refusal(400, 'XAmzContentSHA256Mismatch');
    }
    const upload = query.get('uploadId');
    if (upload !== null) {
      const begun = uploads.get(upload);
      if (begun === undefined) return refusal(404, 'NoSuchUpload');
      begun.parts.set(Number(query.get('partNumber')), bytes);
      return { status: 200, headers: { etag: etagOf(bytes) } };
    }
    if (request.headers['if-none-match'] !== undefined) {
      if (!conditional) return refusal(501, 'NotImplemented');
      if (isTurn(++conditionalPuts, faults.conflicts)) return refusal(409, 'ConditionalRequestConflict');
      if (objects.has(key)) return refusal(412, 'PreconditionFailed');
    }
    store(key, { bytes, metadata: metadataOf(request), modified: now() });
    if (request.headers['if-none-match'] !== undefined && isTurn(conditionalPuts, faults.unheard)) return CUT;
    return { status: 200, headers: { etag: etagOf(bytes) } };
  }

  function post(key: string, query: URLSearchParams, body: string): Answer {
    if (query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, { key, begun: now(), parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const id = query.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (upload === undefined) return refusal(404, 'NoSuchUpload');
    const pieces: Buffer[] = [];
    for (const [, number] of body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)) {
      const piece = upload.parts.get(Number(number));
      if (piece === undefined) return refusal(400, 'InvalidPart');
      pieces.push(piece);
    }
    uploads.delete(id);
    if (faults.losesParts) pieces.shift();
    store(key, { bytes: Buffer.concat(pieces), metadata: {}, modified: now() });
    return xml(`<CompleteMultipartUploadResult><ETag>"${id}"</ETag></CompleteMultipartUploadResult>`);
  }

  function get(request: IncomingMessage, key: string): Answer {
    const missed = stale.get(key) ?? 0;
    if (missed > 0) stale.set(key, missed - 1);
    const found = missed > 0 ? undefined : objects.get(key);
    if (found === undefined || now().getTime() - found.modified.getTime() < faults.staleMs)
      return refusal(404, 'NoSuchKey');
    const { bytes, metadata, modified } = found;
    const headers = { ...metadata, etag: etagOf(bytes), 'last-modified': modified.toUTCString() };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (range === null) return { status: 200, headers, body: bytes };
    const last = bytes.length - 1;
    const [from, to] = [Number(range[1]), range[2] === '' ? last : Math.min(Number(range[2]), last)];
    if (from > to) return refusal(416, 'InvalidRange');
    const place = { 'content-range': `bytes ${from}-${to}/${bytes.length}` };
    return { status: 206, headers: { ...headers, ...place }, body: bytes.subarray(from, to + 1) };
  }

  function list(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? '';
    const asked = query.get('continuation-token') ?? '';
    const after = faults.pages === 'right' ? asked : '';
    const rest = listedKeys()
      .filter((key) => key.startsWith(prefix) && key > after)
      .sort();
    const shown = rest.slice(0, Math.min(page, Number(query.get('max-keys') ?? page)));
    const more = shown.length < rest.length;
    const keys = shown.map((key) => `<Contents><Key>${escaped(key)}</Key></Contents>`).join('');
    const token = faults.pages === 'same page' ? String(++tokens) : shown.at(-1)!;
    const next =
      more && faults.pages !== 'no token'
        ? `<NextContinuationToken>${escaped(token)}</NextContinuationToken>`
        : '';
    return xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${keys}${next}</ListBucketResult>`);
  }

  function listUploads(query: URLSearchParams): Answer {
    const found = [...uploads]
      .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
      .map(([id, { key, begun }]) => {
        const initiated = `<Initiated>${begun.toISOString()}</Initiated>`;
        return `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId>${initiated}</Upload>`;
      });
    return xml(`<ListMultipartUploadsResult>${found.join('')}</ListMultipartUploadsResult>`);
  }

  function listParts(id: string): Answer {
    const upload = uploads.get(id);
    if (upload === undefined) return refusal(404, 'NoSuchUpload');
    const parts = [...upload.parts].map(
      ([number, { length }]) => `<Part><PartNumber>${number}</PartNumber><Size>${length}</Size></Part>`,
    );
    return xml(`<ListPartsResult>${parts.join('')}</ListPartsResult>`);
  }

  function remove(key: string, query: URLSearchParams): Answer {
    const upload = query.get('uploadId');
    if (upload !== null) return uploads.delete(upload) ? { status: 204 } : refusal(404, 'NoSuchUpload');
    if (objects.delete(key)) changes.push({ at: Date.now(), key, isThere: false });
    return { status: 204 };
  }

  function answer(request: IncomingMessage, body: Buffer): Answer {
    const url = new URL(request.url!, 'http://localhost');
    const [, asked, path = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname)!;
    const key = decodeURIComponent(path);
    const query = url.searchParams;
    if (asked !== bucket) return refusal(404, 'NoSuchBucket');
    if (key === '') return query.has('uploads') ? listUploads(query) : list(query);
    if (request.method === 'PUT') return put(request, key, query, body);
    if (request.method === 'POST') return post(key, query, body.toString());
    if (request.method === 'DELETE') return remove(key, query);
    const upload = query.get('uploadId');
    return upload === null ? get(request, key) : listParts(upload);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++;
    asked.push(`${request.method} ${request.url}`);
    const bytes = await readBody(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const given =
      faults.checksTime && isMistimed(request)
        ? refusal(403, 'RequestTimeTooSkewed')
        : isRead && isTurn(requests, faults.notModified)
          ? { status: 304 }
          : answer(request, bytes);
    if (given === CUT) return void response.destroy();
    const { status, headers = {}, body = '' }: Answer = given;
    response.setHeader('date', now().toUTCString());
    const length = Buffer.byteLength(body);
    response.writeHead(
      status,
      status === 204 || status === 304 ? headers : { ...headers, 'content-length': length },
    );
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  // A client that goes away in the middle of its request gets no answer.
  const listening = listen(
    createServer((request, response) => serve(request, response).catch(() => response.destroy())),
  );
  return listening.then((server) => ({ ...server, faults, asked, requests: () => requests }));
}
