/** Requests of a store that is read over HTTP, each repeated while its failure may pass. */
import { StorageError } from '../core/errors.js';

export interface HttpAsked {
  readonly method: 'GET' | 'HEAD';
  /** Of GET: the bytes [offset, offset + length) of the object; all of it if left out. */
  readonly offset?: number;
  readonly length?: number;
  /** If the server sends all though it was asked for some: how many bytes of it are taken. */
  readonly mostWhole?: number;
  /** Caches on the way are passed by. */
  readonly fresh: boolean;
}

export interface HttpAnswer {
  /** What was asked for, as far as the object goes. */
  readonly body: Uint8Array;
  /** The body is the whole object. */
  readonly whole: boolean;
  /** Size of the object, if it is known. */
  readonly total: number | null;
  /** Milliseconds since 1970, if it is known. */
  readonly modified: number | null;
}

export interface HttpRequests {
  /** Null: there is no such object. @throws StorageError that names the address. */
  ask(address: string, asked: HttpAsked): Promise<HttpAnswer | null>;
  readonly counts: { requests: number; bytes: number };
}

const ATTEMPTS = 3;
/** An answer that takes longer is given up. */
const TIMEOUT_MS = 60_000;
/** Before the second attempt, in milliseconds; twice as long before the third. */
const WAIT_MS = 200;

/** A failure that may pass. */
class Passing extends Error {}

/** So that all that is counted as a fault of the way is, and nothing else. */
const passing = (error: unknown): never => {
  throw new Passing((error as Error).message, { cause: error });
};

export function newHttpRequests(fetch: typeof globalThis.fetch): HttpRequests {
  const counts = { requests: 0, bytes: 0 };

  async function once(address: string, asked: HttpAsked): Promise<HttpAnswer | null> {
    const { method, offset, length, fresh } = asked;
    const ranged = offset !== undefined && length !== undefined;
    counts.requests++;
    const response = await fetch(address, {
      method,
      headers: ranged ? { Range: `bytes=${offset}-${offset + length - 1}` } : {},
      ...(fresh && { cache: 'reload' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(passing);
    const { status } = response;
    const drop = () => response.body?.cancel().catch(() => {});
    if (status === 404 || status === 410) {
      await drop();
      return null;
    }
    const place = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
    const date = Date.parse(response.headers.get('last-modified') ?? '');
    const modified = Number.isNaN(date) ? null : date;
    const answer = (body: Uint8Array, whole: boolean, total: number | null): HttpAnswer => {
      counts.bytes += body.length;
      return { body, whole, total, modified };
    };
    if (ranged && status === 416) {
      // It begins behind the end.
      await drop();
      return answer(new Uint8Array(0), false, place === null ? null : Number(place[3]));
    }
    if (status !== 200 && !(ranged && status === 206)) {
      await drop();
      if (status === 429 || status >= 500) throw new Passing(`the server answers with status ${status}`);
      throw new StorageError(address, `the server answers with status ${status}`);
    }
    const said = lengthOf(response);
    if (method === 'HEAD') {
      const packed = (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
      return answer(new Uint8Array(0), false, packed ? null : said);
    }
    if (status === 200) {
      const most = ranged ? (asked.mostWhole ?? 0) : Number.POSITIVE_INFINITY;
      const body = await bodyOf(response, most);
      if (body === null) {
        throw new StorageError(
          address,
          `the server does not know range requests: it sends all of the object, ${said === null ? 'more' : `${said} bytes, which is more`} than the ${most} that are taken so`,
        );
      }
      return answer(body, true, body.length);
    }
    // Another site does not show the place unless it is told to.
    if (place !== null && Number(place[1]) !== offset) {
      await drop();
      throw new StorageError(
        address,
        `the server was asked for bytes from ${offset} on and answers with ${place[0]}`,
      );
    }
    const wanted = place === null ? length! : Math.min(length!, Number(place[3]) - offset!);
    const body = await bodyOf(response, wanted);
    if (body === null) throw new Passing(`more than the ${wanted} bytes asked for arrive`);
    if (place !== null && body.length < wanted) {
      throw new Passing(`only ${body.length} of ${wanted} bytes arrive`);
    }
    return answer(body, false, place === null ? null : Number(place[3]));
  }

  return {
    counts,
    async ask(address, asked) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(address, asked);
        } catch (error) {
          if (!(error instanceof Passing)) throw error;
          if (attempt === ATTEMPTS) {
            throw new StorageError(address, `cannot be read: ${error.message}`, { cause: error });
          }
          await new Promise((resolve) => setTimeout(resolve, WAIT_MS * attempt));
        }
      }
    },
  };
}

function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length');
  return length === null ? null : Number(length);
}

/** The body; null if it has more than `most` bytes, of which no more are then awaited. */
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
