/** Probers that stay open from question to question. */
import { StorageError } from '../../operators/core/errors.js';

/** Calls `work` with the prober of a key, which is opened if it is not open; again the next time after errors of the store. */
export type KeptProbers<Prober> = <T>(
  key: string,
  open: () => Promise<Prober>,
  work: (prober: Prober) => Promise<T>,
) => Promise<T>;

export function newKeptProbers<Prober>(): KeptProbers<Prober> {
  const probers = new Map<string, Promise<Prober>>();
  return async (key, open, work) => {
    let prober = probers.get(key);
    if (prober === undefined) {
      prober = open();
      probers.set(key, prober);
    }
    try {
      return await work(await prober);
    } catch (error) {
      if (error instanceof StorageError) probers.delete(key);
      throw error;
    }
  };
}
