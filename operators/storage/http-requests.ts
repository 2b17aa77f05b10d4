/** Requests of a store that is read over HTTP, each repeated while its failure may pass. */
import { StorageError } from '../core/errors.js';
import { PassingFault, retried } from './retry.js';

export interface HttpAsked {
  readonly method: 'GET' | 'HEAD';
  /** For GET: the bytes [offset, offset + length) of the object; all of it if left out. */
  readonly offset?: number;
  readonly length?: number;
  /** How many bytes to accept if the server ignores the range and sends the whole object. */
  readonly mostWhole?: number;
  /** Bypass HTTP caches. */
  readonly fresh: boolean;
}

export interface HttpAnswer {
  /** The bytes asked for, as far as the object has them. */
  readonly body: Uint8Array;
  /** The body is the whole object. */
  readonly whole: boolean;
  /** Size of the object, if it is known. */
  readonly total: number | null;
  /** Milliseconds since 1970, if it is known. */
  readonly modified: number | null;
  /** Null if the server gives none. */
  readonly etag: string | null;
}

export interface HttpRequests {
  /** Null: there is no such object. @throws StorageError that names the address. */
  ask(address: string, asked: HttpAsked): Promise<HttpAnswer | null>;
  readonly counts: { requests: number; bytes: number };
  /** Milliseconds by which the server's clock is ahead of the clock here; 0 as long as no answer gave its time. */
  clockAhead(): number;
}

/** Waits 200 ms before the second attempt and 400 before the third. */
const RETRIES = { attempts: 3, waitMs: (attempt: number) => 200 * attempt };
/** An answer that takes longer is given up. */
const TIMEOUT_MS = 60_000;

/** Marks errors of the connection, and no others, as worth a retry. */
const passing = (error: unknown): never => {
  throw new PassingFault((error as Error).message, { cause: error });
};

export function newHttpRequests(fetch: typeof globalThis.fetch): HttpRequests {
  const counts = { requests: 0, bytes: 0 };
  let ahead = 0;

  async function once(address: string, asked: HttpAsked): Promise<HttpAnswer | null> {
    counts.requests++;
    const { method, offset, length, fresh } = asked;
    const response = await fetch(address, {
      method,
      headers: offset === undefined ? {} : { Range: `bytes=${offset}-${offset + length! - 1}` },
      ...(fresh && { cache: 'reload' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(passing);
    const date = Date.parse(response.headers.get('date') ?? '');
    // An answer that a cache kept has the time at which it was made, and says how long ago that was.
    if (!Number.isNaN(date) && response.headers.get('age') === null) ahead = date - Date.now();
    try {
      const answer = await answerOf(response, address, asked);
      counts.bytes += answer?.body.length ?? 0;
      return answer;
    } finally {
      // The body of an answer that is not used has to be cancelled.
      if (!response.bodyUsed) await response.body?.cancel().catch(() => {});
    }
  }

  return {
    counts,
    clockAhead: () => ahead,
    async ask(address, asked) {
      try {
        return await retried(() => once(address, asked), RETRIES);
      } catch (error) {
        if (!(error instanceof PassingFault)) throw error;
        throw new StorageError(address, `cannot be read: ${error.message}`, { cause: error });
      }
    },
  };
}

async function answerOf(response: Response, address: string, asked: HttpAsked): Promise<HttpAnswer | null> {
  const { status } = response;
  const ranged = asked.offset !== undefined;
  const place = placeOf(response);
  const answer = (body: Uint8Array, whole: boolean, total: number | null): HttpAnswer => ({
    body,
    whole,
    total,
    modified: dateOf(response),
    etag: response.headers.get('etag'),
  });
  if (status === 404 || status === 410) return null;
  // The range begins behind the end of the object.
  if (ranged && status === 416) return answer(NOTHING, false, place?.total ?? null);
  // 304 answers a question about an earlier copy, and none was asked: a cache on the way is wrong.
  if (status === 304 || status === 429 || status >= 500)
    throw new PassingFault(`the server answers with status ${status}`);
  if (asked.method === 'HEAD' && status === 200) return answer(NOTHING, false, lengthOf(response));
  if (status === 200) {
    const body = await wholeBody(response, address, asked);
    return answer(body, true, body.length);
  }
  if (status === 206 && ranged) {
    return answer(await rangeBody(response, address, asked, place), false, place?.total ?? null);
  }
  throw new StorageError(address, `the server answers with status ${status}`);
}

/** The body of an answer with all of the object, though a part may have been asked for. */
async function wholeBody(response: Response, address: string, asked: HttpAsked): Promise<Uint8Array> {
  const most = asked.offset === undefined ? Number.POSITIVE_INFINITY : (asked.mostWhole ?? 0);
  const body = await bodyOf(response, most);
  if (body !== null) return body;
  const length = lengthOf(response);
  throw new StorageError(
    address,
    `the server does not support range requests: it sent the whole object, ${length === null ? 'more' : `${length} bytes, which is more`} than the limit of ${most}`,
  );
}

async function rangeBody(
  response: Response,
  address: string,
  { offset, length }: HttpAsked,
  place: Place | null,
): Promise<Uint8Array> {
  // Without the right CORS header a browser hides the place from pages of other origins.
  if (place !== null && place.from !== offset) {
    throw new StorageError(
      address,
      `the server was asked for bytes from ${offset} on and answers with those from ${place.from} on`,
    );
  }
  const wanted = place === null ? length! : Math.min(length!, place.total - offset!);
  const body = await bodyOf(response, wanted);
  if (body === null) throw new PassingFault(`more than the ${wanted} bytes asked for arrive`);
  if (place !== null && body.length < wanted) {
    throw new PassingFault(`only ${body.length} of ${wanted} bytes arrive`);
  }
  return body;
}

const NOTHING = new Uint8Array(0);

/** Where the bytes of an answer are in the object. */
interface Place {
  /** Null where there are none. */
  readonly from: number | null;
  readonly total: number;
}

function placeOf({ headers }: Response): Place | null {
  const place = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (place === null) return null;
  return { from: place[1] === undefined ? null : Number(place[1]), total: Number(place[2]) };
}

function dateOf({ headers }: Response): number | null {
  const date = Date.parse(headers.get('last-modified') ?? '');
  return Number.isNaN(date) ? null : date;
}

/** Size of the object; null if the server does not say, or says that of a compressed one. */
function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length');
  const packed = (headers.get('content-encoding') ?? 'identity') !== 'identity';
  return length === null || packed ? null : Number(length);
}

/** The body; null if it has more than `most` bytes, and then the rest is not awaited. */
async function bodyOf(response: Response, most: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const read = await reader?.read().catch(passing);
    if (read?.value === undefined) break;
    pieces.push(read.value);
    length += read.value.length;
    if (length > most) {
      await reader?.cancel().catch(() => {});
      return null;
    }
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return body;
}
