/** Probers that stay open from question to question. */
import { StorageError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import { breathe } from '../cli/output.js';
import { HttpProblem, mayBeReplaced } from './problems.js';

/** Probers by key. They are opened when they are first used, and again after failures that this may mend. */
export class KeptProbers<Prober> {
  readonly #once = newOnce<string, Prober>();

  /**
   * @param reach throws if the store cannot be reached.
   * @param closeFiles makes the store look for files by name again.
   */
  constructor(
    private readonly reach: () => Promise<void>,
    private readonly closeFiles: () => void,
  ) {}

  /**
   * Calls `work` with the prober of a key. Where an object is wrong or gone, everything is opened again by name, and `work` called a second
   * time. While the store cannot be reached, the prober is kept, since values in memory still answer. A prober that cannot be opened is
   * opened again the next time.
   *
   * @param version under another one than the last time, the prober is opened again.
   */
  async use<T>(
    key: string,
    version: number,
    open: () => Promise<Prober>,
    work: (prober: Prober) => Promise<T>,
  ): Promise<T> {
    // One function for both calls: this is passed by every value that an answer is made of.
    for (let isAgain = false; ; isAgain = true) {
      const opened = this.#once(key, open, version);
      try {
        return await work(await opened);
      } catch (error) {
        this.#failed(key, opened, error);
        if (isAgain || !mayBeReplaced(error)) throw error;
        this.closeFiles();
      }
    }
  }

  #failed(key: string, opened: Promise<Prober>, error: unknown): void {
    const forget = () => this.#once.forget(key, opened);
    if (mayBeReplaced(error)) forget();
    // The client has waited long enough: whether the store is there is found out without it.
    else if (error instanceof StorageError) void this.reach().then(forget, () => {});
  }
}

/** Between positions of one answer: lets other requests through. Throws HttpProblem 503 once nobody waits for the answer any more. */
export async function pause(signal: AbortSignal): Promise<void> {
  await breathe();
  if (signal.aborted) throw new HttpProblem(503, 'the request was given up', { 'Retry-After': '5' });
}
