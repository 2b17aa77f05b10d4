/** Joins names with the index of nodes. */

import type { Budget } from '../../operators/core/budget.js';
import type { Interval } from '../../operators/core/interval.js';
import { gather } from '../../operators/gather.js';
import { match, NONE } from '../../operators/match.js';
import type { RunRef } from '../../operators/runs/types.js';
import { SIDE_BIT } from './graph-layout.js';
import { type IdKey, REST_MASK } from './ids.js';
import { openIndexCursor } from './index-run.js';
import type { Gatherable } from './row-collector.js';
import type { ImportEnv } from './stride.js';

/** A name that no node has, and the number of the node or edge that named it. */
export interface Unknown {
  readonly number: number;
  readonly key: IdKey;
}

/**
 * Hands each number of rows (key | rest, number) out with the node that has this key, and the side of that. What `found` returns is
 * awaited. @param majors of the keys. @param order for rows to be put in order. @returns the first key that no node has.
 */
export async function findNodes(
  names: Pick<Gatherable, 'sources'>,
  majors: Interval,
  index: readonly RunRef[],
  env: ImportEnv & { readonly order: Budget },
  found: (number: number, word: number) => Promise<void> | undefined,
): Promise<Unknown | null> {
  const { scratch, counters } = env;
  const rows = gather(names.sources, majors, 2, { budget: env.order, scratch, counters });
  const nodes = await openIndexCursor(env, index, majors);
  for await (const { left, first, second } of match(rows, nodes, { mask: REST_MASK, ...env })) {
    const numbers = left.payload[1] as Uint32Array;
    for (let i = 0; i < left.length; i++) {
      if (second[i] === NONE) {
        const key = { major: left.major, minor: left.minor[i], rest: left.payload[0][i] & REST_MASK };
        return { number: numbers[i], key };
      }
      const taken = found(numbers[i], (second[i] | (first[i] & (1 << SIDE_BIT))) >>> 0);
      if (taken !== undefined) await taken;
    }
    env.report(left.length);
  }
  return null;
}
