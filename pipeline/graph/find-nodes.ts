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

/** So many numbers of rows, and for each the node that has the key and its side, in a word. */
export type TakeFound = (numbers: Uint32Array, words: Uint32Array, length: number) => Promise<void>;

/**
 * Finds the node that has the key of each row (key | rest, number). @param majors of the keys. @param order for rows to be put in
 * order. @param found takes a batch; its arrays are used again. @returns the first key that no node has.
 */
export async function findNodes(
  names: Pick<Gatherable, 'sources'>,
  majors: Interval,
  index: readonly RunRef[],
  env: ImportEnv & { readonly order: Budget },
  found: TakeFound,
): Promise<Unknown | null> {
  const { scratch, counters } = env;
  const rows = gather(names.sources, majors, 2, { budget: env.order, scratch, counters });
  const nodes = await openIndexCursor(env, index, majors);
  let words = new Uint32Array(0);
  for await (const { left, first, second } of match(rows, nodes, { mask: REST_MASK, ...env })) {
    if (words.length < left.length) words = new Uint32Array(left.length);
    const numbers = left.payload[1] as Uint32Array;
    const known = wordsOf(first, second, left.length, words);
    if (known > 0) await found(numbers, words, known);
    if (known < left.length) {
      const key = { major: left.major, minor: left.minor[known], rest: left.payload[0][known] & REST_MASK };
      return { number: numbers[known], key };
    }
    env.report(left.length);
  }
  return null;
}

/** Joins nodes and their sides, up to the first that was not found; returns how many. */
function wordsOf(first: Uint32Array, second: Uint32Array, length: number, words: Uint32Array): number {
  for (let i = 0; i < length; i++) {
    if (second[i] === NONE) return i;
    words[i] = second[i] | (first[i] & (1 << SIDE_BIT));
  }
  return length;
}
