/** Requests to a bucket, repeated while their failure may be transient. */
import { objectName } from './object-names.js';
import { type Retries, retried } from './retry.js';
import { newConnector, type S3Connection } from './s3-client.js';
import { s3Code, s3Error, s3Status } from './s3-errors.js';
import type { S3Place } from './s3-uri.js';

/** Makes one request; `attempt` is 1 the first time. */
export type S3Request<T> = (connection: S3Connection, attempt: number) => Promise<T>;

export interface S3Requests {
  readonly uri: string;
  readonly bucket: string;
  /** All keys of the store begin with it. */
  readonly prefix: string;
  /** The parameters that name the object in a request. */
  target(name: string): { readonly Bucket: string; readonly Key: string };
  /** The whole name of the object, for messages. */
  object(name: string): string;
  /** Makes a request about `name`, repeated while its failure may be transient. @throws StorageError */
  ask<T>(name: string, action: string, request: S3Request<T>): Promise<T>;
  /** The same request, but throws the SDK's errors, for callers that tell them apart. */
  attempt<T>(request: S3Request<T>): Promise<T>;
  /** Milliseconds by which the server's clock is ahead of the clock of this machine; null before the first answer. */
  clockAhead(): Promise<number | null>;
}

export function newS3Requests(place: S3Place): S3Requests {
  const { bucket, prefix } = place;
  const uri = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
  const connect = newConnector(place);
  const object = (name: string) => objectName({ uri }, name);

  let isAnswered = false;

  async function attempt<T>(request: S3Request<T>): Promise<T> {
    const connection = await connect();
    // The SDK's own retries end with the head of the answer, so they miss failures in its body.
    const found = await retried((number) => request(connection, number), newRetries());
    isAnswered = true;
    return found;
  }

  return {
    uri,
    bucket,
    prefix,
    target: (name) => ({ Bucket: bucket, Key: prefix + name }),
    object,
    async ask(name, action, request) {
      try {
        return await attempt(request);
      } catch (error) {
        throw s3Error(name === '' ? uri : object(name), action, error);
      }
    },
    attempt,
    // The SDK takes the difference from the Date of each answer, for its signatures.
    clockAhead: async () => (isAnswered ? (await connect()).client.config.systemClockOffset : null),
  };
}

/** How often a request is made before its failure counts. */
const ATTEMPTS = 6;
/** The longest first wait in ms; it doubles with every attempt. An overloaded server is given more time. */
const WAIT_MS = 200;
const OVERLOADED_WAIT_MS = 1000;

const OVERLOADED = /^(SlowDown|Throttling.*|TooManyRequests.*|RequestLimitExceeded|BandwidthLimitExceeded)$/;
/** Cut or lost connections, bodies that did not arrive as they were sent, conflicts with other requests about the same object. */
const PASSING =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|TimeoutError|RequestTimeout|IncompleteBody|BadDigest|XAmzContentSHA256Mismatch|ConditionalRequestConflict|OperationAborted)$/;

function mayPass(error: unknown): boolean {
  const status = s3Status(error) ?? 0;
  // 304 answers a question about an earlier copy, and none is ever asked: a cache on the way is wrong.
  if (status === 304 || status === 409 || status === 429 || (status >= 500 && status !== 501)) return true;
  return PASSING.test(s3Code(error)) || OVERLOADED.test(s3Code(error));
}

/**
 * Whether the server refused a request for its signature, which has the time, and the SDK has learned from the refusal that the clocks
 * differ. The SDK marks every failed request that way while the clocks are minutes apart, also the usual answer that there is no such object.
 */
function isMistimed(error: unknown): boolean {
  const { clockSkewCorrected } = (error as { $metadata?: { clockSkewCorrected?: boolean } }).$metadata ?? {};
  return clockSkewCorrected === true && [400, 401, 403].includes(s3Status(error) ?? 0);
}

/** A random time (full jitter) after the failure of attempt 1, 2, …: up to 0.2 s, 0.4 s, … */
export function waitMs(attempt: number, error?: unknown): number {
  const least = error !== undefined && OVERLOADED.test(s3Code(error)) ? OVERLOADED_WAIT_MS : WAIT_MS;
  return Math.random() * least * 2 ** (attempt - 1);
}

function newRetries(): Retries {
  /** Once is enough: the next signature has the time of the server. */
  let isRetimed = false;
  return {
    attempts: ATTEMPTS,
    waitMs: (attempt, error) => (isMistimed(error) ? 0 : waitMs(attempt, error)),
    mayPass(error) {
      if (mayPass(error)) return true;
      if (isRetimed || !isMistimed(error)) return false;
      isRetimed = true;
      return true;
    },
  };
}
