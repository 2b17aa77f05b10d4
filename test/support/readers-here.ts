/** Those who read shares of a source, all in this thread: what they hand on is what threads would post. */
import { newCounters } from '../../operators/core/counters.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { Halted } from '../../pipeline/graph/exchange.js';
import { type EndedStride, type Readers, readShare } from '../../pipeline/graph/read-share.js';
import {
  type ExchangeMemory,
  newExchangeMemory,
  openExchange,
} from '../../pipeline/graph/shared-exchange.js';
import type { GraphSource } from '../../pipeline/graph/source.js';

export interface ReadersHere extends Readers {
  /** How often the others were started. */
  starts: number;
  /** Names that are left in the scratch of the others. */
  leftovers(): Promise<string[]>;
}

/** @param sourceOf makes the source of each of the others, with scratch of its own. */
export function readersHere(workers: number, sourceOf: () => GraphSource): ReadersHere {
  const scratches = Array.from({ length: workers }, () => memoryStore());
  const self: ReadersHere = {
    workers,
    starts: 0,
    leftovers: async () => (await Promise.all(scratches.map((store) => store.list('')))).flat(),
    start(beginning, env) {
      self.starts++;
      const memory = structuredClone<ExchangeMemory>(newExchangeMemory(workers, 1));
      const others = Array.from({ length: workers - 1 }, (_, i) => {
        const ended: Promise<EndedStride>[] = [];
        let next: { resolve(stride: EndedStride): void; reject(error: Error): void };
        const expect = () => {
          const each = new Promise<EndedStride>((resolve, reject) => {
            next = { resolve, reject };
          });
          each.catch(() => {});
          ended.push(each);
        };
        expect();
        const scratch = newScratch(scratches[i], 'share');
        const own = { ...env, scratch, counters: newCounters() };
        const end = readShare(
          sourceOf(),
          structuredClone(beginning),
          own,
          openExchange(memory, i + 1),
          async (stride) => {
            next.resolve(structuredClone(stride));
            expect();
          },
        ).then(
          () => null,
          (error: Error) => {
            next.reject(error);
            return error;
          },
        );
        return { ended, end };
      });
      return {
        exchange: openExchange(memory, 0),
        report: env.report,
        ended: async (first) => [first, ...(await Promise.all(others.map(({ ended }) => ended.shift()!)))],
        async fault() {
          const errors = await Promise.all(others.map(({ end }) => end));
          return errors.find((error) => error !== null && !(error instanceof Halted))!;
        },
        async close() {
          await Promise.all(others.map(({ end }) => end));
        },
      };
    },
  };
  return self;
}
