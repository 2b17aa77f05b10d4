/** Partitions of an import that are all in this thread: what they pass on is what threads would post. */
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { callMember, memberCalledBy } from '../../pipeline/engine/crew/partition.js';
import { memoryCarrier } from '../../pipeline/engine/phases/exchange.js';
import { threadCrews } from '../../pipeline/graph/import.js';
import type { ImportCrews } from '../../pipeline/graph/import-options.js';
import { ImportPartition } from '../../pipeline/graph/import-partition.js';

/** @param scratch the store of scratch that all share, as threads share a folder. */
export function crewsHere(of: number, scratch = memoryStore()): ImportCrews {
  return threadCrews(of, async (setups, options) =>
    setups.map((setup, i) => {
      const world = {
        ...options,
        carrier: memoryCarrier(of > 1),
        scratch: newScratch(scratch, `worker-${i}`),
      };
      const partition = new ImportPartition(structuredClone(setup), world);
      return memberCalledBy(
        ImportPartition,
        async (method, args) => structuredClone(await callMember(partition, method, structuredClone(args))),
        () => partition.takeCounters(),
      );
    }),
  );
}
