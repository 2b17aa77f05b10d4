/** Probers that stay open from question to question. */
import { StorageError } from '../../operators/core/errors.js';
import { breathe } from '../cli/output.js';
import { HttpProblem } from './problems.js';

/** Calls `work` with the prober of a key, which is opened if it is not open. */
type KeptProbers<Prober> = <T>(
  key: string,
  open: () => Promise<Prober>,
  work: (prober: Prober) => Promise<T>,
) => Promise<T>;

/**
 * After errors of a store that can be reached, a prober is forgotten, so that it is opened again the next time. While the store is gone,
 * values in memory still answer. @param reach throws if the store cannot be reached.
 */
export function newKeptProbers<Prober>(reach: () => Promise<void>): KeptProbers<Prober> {
  const probers = new Map<string, Promise<Prober>>();
  return async (key, open, work) => {
    let prober = probers.get(key);
    if (prober === undefined) {
      prober = open();
      probers.set(key, prober);
    }
    const forget = () => void probers.delete(key);
    try {
      return await work(await prober);
    } catch (error) {
      // The client has waited long enough: whether the store is there is found out without it.
      if (error instanceof StorageError) void reach().then(forget, () => {});
      throw error;
    }
  };
}

/** A prober for many positions: it lets other requests through between them, and ends when nobody waits for it any more. */
export function pausing<Asking extends { probe(position: never): Promise<unknown> }>(
  prober: Asking,
  signal: AbortSignal,
): Asking {
  return {
    ...prober,
    async probe(board: never) {
      await breathe();
      if (signal.aborted) throw new HttpProblem(503, 'the request was given up');
      return prober.probe(board);
    },
  };
}
