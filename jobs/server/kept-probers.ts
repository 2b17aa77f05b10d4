/** Probers that stay open from question to question. */
import { StorageError } from '../../operators/core/errors.js';

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
