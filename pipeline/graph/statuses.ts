/** The statuses of all nodes, in the order of their numbers: a word of graph-layout.ts each. */
import type { Counters } from '../../operators/core/counters.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { PART_SHIFT } from './graph-layout.js';
import { ColumnWriter, isInOrder, joinColumns, type StrideColumns } from './stride-columns.js';

export const STATUSES = 'graph-statuses';
/** Divides the nodes of a part. */
const STATUS_ROWS = 1 << 16;

const spec: RunSpec = {
  kind: STATUSES,
  dense: true,
  columns: [{ name: 'status', type: 'u32' }],
  strict: true,
  meta: {},
};

/** @param first the number of the first node; majors are the parts of the nodes. */
export async function createStatusWriter(
  store: Store,
  name: string,
  first: number,
  env: { readonly batchRows: number; readonly counters: Counters },
): Promise<ColumnWriter> {
  return new ColumnWriter(await createRun(store, name, spec, env), PART_SHIFT, first);
}

/**
 * Runs of the statuses by parts, one behind the other. Those of strides that several have read become one, which is called `name`. Strides of
 * earlier versions, which may have begun the import, have statuses of two bytes.
 */
export async function joinStatuses(
  store: Store,
  strides: readonly StrideColumns[],
  name: string,
  counters: Counters,
): Promise<readonly RunRef[]> {
  if (strides.every(isInOrder)) return strides.flatMap(({ runs }) => runs);
  const writer = await createStatusWriter(store, name, 0, { batchRows: STATUS_ROWS, counters });
  return [await joinColumns(store, strides, { counters, kind: STATUSES }, writer)];
}
