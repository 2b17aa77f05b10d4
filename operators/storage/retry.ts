/**
 * Repeats requests after failures that may be transient. One loop covers every failure of a request, from the connection to the last byte of
 * the body.
 */

/** A failure that may be transient: a lost connection, or an answer that cannot be right although the server reported no error. */
export class PassingFault extends Error {
  override name = 'PassingFault';
}

export interface Retries {
  /** How often a request is made before its failure counts. */
  readonly attempts: number;
  /** Whether a failure other than a {@link PassingFault} may pass. */
  readonly mayPass?: (error: unknown) => boolean;
  /** Milliseconds to wait after the failure of attempt 1, 2, …. */
  readonly waitMs: (attempt: number, error: unknown) => number;
}

/** `request` receives the number of the attempt, because a later attempt may fail just because an earlier one, whose answer was lost, has done the work. */
export async function retried<T>(
  request: (attempt: number) => Promise<T>,
  { attempts, mayPass, waitMs }: Retries,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request(attempt);
    } catch (error) {
      const passes = error instanceof PassingFault || mayPass?.(error) === true;
      if (attempt >= attempts || !passes) throw error;
      await pause(waitMs(attempt, error));
    }
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
