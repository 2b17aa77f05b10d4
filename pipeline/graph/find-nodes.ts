/** Joins names with the index of nodes. */

import type { Interval } from '../../operators/core/interval.js';
import { gather, type Source } from '../../operators/gather.js';
import { match, NONE } from '../../operators/match.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, RowSource, Rows, RunRef } from '../../operators/runs/types.js';
import { EXCHANGED_BIT, SIDE_BIT } from './graph-layout.js';
import { type IdKey, REST_MASK } from './ids.js';
import { openIndexCursor } from './index-run.js';
import { importMemory } from './memory.js';
import type { ImportEnv } from './stride.js';

/** A name that no node has, and the number of the node or edge that named it. */
export interface Unknown {
  readonly number: number;
  readonly key: IdKey;
}

/**
 * The nodes that have the keys of rows (key | rest, number), of some majors. Beside the rest, the highest bit says whether an edge leads
 * there with the colours exchanged. A class, as core/keep-shape.ts explains.
 */
export class FoundNodes {
  /** The first key that no node has. Rows end before it. */
  unknown: Unknown | null = null;

  constructor(
    private readonly names: readonly Source[],
    private readonly majors: Interval,
    private readonly index: readonly RunRef[],
    private readonly env: ImportEnv,
  ) {}

  /** Rows (number >>> shift, number | the node and its side). They are used again. */
  async *rows(shift: number): RowSource {
    const { names, majors, index, env } = this;
    const order = importMemory('successors', env.budget).found;
    const rows = gather(names, majors, 2, { ...env, budget: order });
    const nodes = await openIndexCursor(env, index, majors);
    let found = newRows(0, 1);
    for await (const { left, first, second } of match(rows, nodes, { mask: REST_MASK, ...env })) {
      if (found.minor.length < left.length) found = newRows(left.length, 1);
      const numbers = left.payload[1] as Uint32Array;
      const known = putFound(left, first, second, shift, found);
      if (known > 0) yield found;
      if (known < left.length) {
        const key = { major: left.major, minor: left.minor[known], rest: left.payload[0][known] & REST_MASK };
        this.unknown = { number: numbers[known], key };
        return;
      }
      env.report(left.length);
    }
  }
}

/** Joins nodes and their sides, up to the first that was not found; returns how many. */
function putFound(
  { length, payload: [rests, numbers] }: Batch,
  first: Uint32Array,
  second: Uint32Array,
  shift: number,
  out: Rows,
): number {
  const { major, minor } = out;
  const [words] = out.payload;
  let n = 0;
  for (; n < length && second[n] !== NONE; n++) {
    major[n] = numbers[n] >>> shift;
    minor[n] = numbers[n];
    words[n] = second[n] | (first[n] & (1 << SIDE_BIT)) | ((rests[n] >>> SIDE_BIT) << EXCHANGED_BIT);
  }
  out.length = n;
  return n;
}
