import { s3Code, s3Status } from './s3-errors.js';

/** How often a request is made before its failure counts. */
export const ATTEMPTS = 6;
/** The longest first wait in ms; it doubles with every attempt. An overloaded server is given more time. */
const WAIT_MS = 200;
const OVERLOADED_WAIT_MS = 1000;

const OVERLOADED = /^(SlowDown|Throttling.*|TooManyRequests.*|RequestLimitExceeded|BandwidthLimitExceeded)$/;
/** Cut or lost connections, bodies that did not arrive as they were sent, a clock that the SDK has set right. */
const PASSING =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|TimeoutError|RequestTimeout|IncompleteBody|BadDigest|XAmzContentSHA256Mismatch|ConditionalRequestConflict|OperationAborted)$/;

/** An answer that cannot be right, though the server said nothing of an error: it is asked again. */
export class PassingFault extends Error {
  override name = 'PassingFault';
}

function mayPass(error: unknown): boolean {
  if (error instanceof PassingFault) return true;
  const status = s3Status(error) ?? 0;
  if (status === 429 || (status >= 500 && status !== 501)) return true;
  const { clockSkewCorrected } = (error as { $metadata?: { clockSkewCorrected?: boolean } }).$metadata ?? {};
  return clockSkewCorrected === true || PASSING.test(s3Code(error)) || OVERLOADED.test(s3Code(error));
}

/** Waits a random time (full jitter) after the failure of attempt `number`, 1, 2, …: up to 0.2 s, 0.4 s, … */
export function backOff(number: number, error?: unknown): Promise<void> {
  const least = error !== undefined && OVERLOADED.test(s3Code(error)) ? OVERLOADED_WAIT_MS : WAIT_MS;
  const wait = Math.random() * least * 2 ** (number - 1);
  return new Promise((resolve) => setTimeout(resolve, wait));
}

/**
 * Calls `request` until it succeeds, at most {@link ATTEMPTS} times, while its failure may pass. One loop covers every
 * failure, from the connection to the last byte of the body. The SDK's own loop ends at the head of the answer.
 * `request` gets the number of the attempt: a later attempt may fail because an earlier one has done the work.
 */
export async function retried<T>(request: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request(attempt);
    } catch (error) {
      if (attempt >= ATTEMPTS || !mayPass(error)) throw error;
      await backOff(attempt, error);
    }
  }
}
