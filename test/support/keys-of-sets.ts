import type { Batch } from '../../operators/runs/types.js';
import { areSets, setsOf } from '../../pipeline/engine/memory/rows.js';
import type { SetColumns } from '../../pipeline/game/game.js';

/** The keys of a set. */
export function keysOfSet({ minor, low, high }: SetColumns, set: number): number[] {
  const keys: number[] = [];
  for (let bit = 0; bit < 64; bit++) {
    const half = bit < 32 ? low[set] : high[set];
    if (((half >>> (bit & 31)) & 1) === 1) keys.push(64 * minor[set] + bit);
  }
  return keys;
}

/** The keys of sets, one after the other. */
export function keysOfSets(sets: SetColumns, length: number): number[] {
  return Array.from({ length }, (_, set) => keysOfSet(sets, set)).flat();
}

/** Keys in place of the sets of batches; keys of a set ascend. */
export async function* keysOfBatches(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (!areSets(batch)) {
      yield batch;
      continue;
    }
    const minor = Uint32Array.from(keysOfSets(setsOf(batch), batch.length));
    yield { major: batch.major, length: minor.length, minor, payload: [] };
  }
}
