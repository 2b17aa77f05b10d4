import { ABSENT, StorageError } from '../core/errors.js';
import { own } from '../core/own.js';
import { errnoOf } from './errno.js';

/** By the code of S3's answer, or the name of the SDK's or system's error. */
const WORDS: Record<string, string> = {
  AccessDenied: 'access denied: these credentials may not do this',
  AccountProblem: 'the account has a problem',
  AuthorizationHeaderMalformed: 'the server expects another region: give region=… in the URI',
  BucketRegionError: 'the bucket is in another region: give region=… in the URI',
  CredentialsProviderError:
    'no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  ECONNREFUSED: 'the endpoint refuses connections',
  ECONNRESET: 'the connection was cut again and again',
  EAI_AGAIN: "the endpoint's host name cannot be resolved at the moment",
  EHOSTUNREACH: "the endpoint's host cannot be reached",
  ENETUNREACH: "the endpoint's network cannot be reached",
  ENOTFOUND: "the endpoint's host name is not known",
  EPIPE: 'the connection was cut again and again',
  EntityTooLarge: 'the object is larger than the server takes',
  ExpiredToken: 'the credentials have expired',
  Forbidden: 'access denied, or wrong credentials',
  InternalError: 'the server failed',
  InvalidAccessKeyId: 'wrong credentials: the server does not know this access key',
  InvalidBucketName: 'the server takes no bucket of this name',
  InvalidToken: 'wrong credentials: the session token is not valid',
  NoSuchBucket: 'no such bucket',
  NoSuchKey: ABSENT,
  NotFound: ABSENT,
  PermanentRedirect: 'the bucket is at another endpoint',
  QuotaExceeded: 'the quota is used up',
  RequestTimeTooSkewed: "this machine's clock differs too much from the server's",
  ServiceUnavailable: 'the server is not available',
  SignatureDoesNotMatch: 'wrong credentials: the secret key does not fit the access key',
  SlowDown: 'the server is overloaded',
  TimeoutError: 'the endpoint does not answer',
};

/** The code of S3's answer, or the name of the system's or the SDK's error. */
export function s3Code(error: unknown): string {
  const errno = errnoOf(error);
  if (Object.hasOwn(WORDS, errno)) return errno;
  const { name, Code } = error as { name?: string; Code?: string };
  return Code ?? name ?? '';
}

export function s3Status(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

/** Whether the error means that there is no such object, from an answer with or without a body. */
export function isAbsent(error: unknown): boolean {
  const code = s3Code(error);
  return (
    code === 'NoSuchKey' || (s3Status(error) === 404 && (code === 'NotFound' || code === 'UnknownError'))
  );
}

/** The StorageError for an error of the SDK about `object`, in plain words; `action` is what was attempted, e.g. "read". */
export function s3Error(object: string, action: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = s3Code(error);
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  const status = s3Status(error);
  const words =
    own(WORDS, code) ??
    (message === 'Region is missing'
      ? 'no region is given: put region=… into the URI or set AWS_REGION'
      : status === 403
        ? WORDS.Forbidden
        : message || 'failed');
  const detail = [action, [status, code].filter((part) => part !== undefined && part !== '').join(' ')];
  return new StorageError(object, `${words} (${detail.filter((part) => part !== '').join(': ')})`, {
    cause: error,
  });
}
