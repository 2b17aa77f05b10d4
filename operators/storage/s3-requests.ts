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
}

export function newS3Requests(place: S3Place): S3Requests {
  const { bucket, prefix } = place;
  const uri = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
  const connect = newConnector(place);
  const object = (name: string) => objectName({ uri }, name);

  async function attempt<T>(request: S3Request<T>): Promise<T> {
    const connection = await connect();
    // The SDK's own retries end with the head of the answer, so they miss failures in its body.
    return retried((number) => request(connection, number), RETRIES);
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
  };
}

/** How often a request is made before its failure counts. */
const ATTEMPTS = 6;
/** The longest first wait in ms; it doubles with every attempt. An overloaded server is given more time. */
const WAIT_MS = 200;
const OVERLOADED_WAIT_MS = 1000;

const OVERLOADED = /^(SlowDown|Throttling.*|TooManyRequests.*|RequestLimitExceeded|BandwidthLimitExceeded)$/;
/** Cut or lost connections, bodies that did not arrive as they were sent, a clock that the SDK has set right. */
const PASSING =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|TimeoutError|RequestTimeout|IncompleteBody|BadDigest|XAmzContentSHA256Mismatch|ConditionalRequestConflict|OperationAborted)$/;

function mayPass(error: unknown): boolean {
  const status = s3Status(error) ?? 0;
  if (status === 429 || (status >= 500 && status !== 501)) return true;
  const { clockSkewCorrected } = (error as { $metadata?: { clockSkewCorrected?: boolean } }).$metadata ?? {};
  return clockSkewCorrected === true || PASSING.test(s3Code(error)) || OVERLOADED.test(s3Code(error));
}

/** A random time (full jitter) after the failure of attempt 1, 2, …: up to 0.2 s, 0.4 s, … */
export function waitMs(attempt: number, error?: unknown): number {
  const least = error !== undefined && OVERLOADED.test(s3Code(error)) ? OVERLOADED_WAIT_MS : WAIT_MS;
  return Math.random() * least * 2 ** (attempt - 1);
}

const RETRIES: Retries = { attempts: ATTEMPTS, mayPass, waitMs };
