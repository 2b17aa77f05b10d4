/** The statuses of all nodes, in the order of their numbers: a byte of graph-layout.ts each. */
import type { Counters } from '../../operators/core/counters.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { PART_NODES, PART_SHIFT } from './graph-layout.js';
import { isInOrder, rowsInOrder, type StrideColumns } from './stride-columns.js';

export const STATUSES = 'graph-statuses';
/** Divides the nodes of a part. */
const STATUS_ROWS = 1 << 16;

const spec: RunSpec = {
  kind: STATUSES,
  dense: true,
  columns: [{ name: 'status', type: 'u8' }],
  strict: true,
  meta: {},
};

/** Collects statuses of nodes that follow each other. */
export interface StatusWriter {
  /** Returns a promise if it has to be waited for. */
  put(status: number): Promise<void> | undefined;
  append(statuses: Uint8Array, length: number): Promise<void>;
  close(): Promise<RunRef>;
  abort(): Promise<void>;
}

/** @param first the number of the first node; majors are the parts of the nodes. */
export async function createStatusWriter(
  store: Store,
  name: string,
  first: number,
  { batchRows, counters }: { readonly batchRows: number; readonly counters: Counters },
): Promise<StatusWriter> {
  const run = await createRun(store, name, spec, { batchRows, counters });
  const status = new Uint8Array(STATUS_ROWS);
  let held = 0;
  let nodes = first;

  async function flush(): Promise<void> {
    if (held > 0) await run.append((nodes - 1) >>> PART_SHIFT, held, null, [status.subarray(0, held)]);
    held = 0;
  }

  return {
    put(each) {
      status[held++] = each;
      nodes++;
      return nodes % STATUS_ROWS === 0 ? flush() : undefined;
    },
    async append(statuses, length) {
      for (let from = 0; from < length; ) {
        const to = Math.min(length, from + STATUS_ROWS - (nodes % STATUS_ROWS));
        status.set(statuses.subarray(from, to), held);
        held += to - from;
        nodes += to - from;
        if (nodes % STATUS_ROWS === 0) await flush();
        from = to;
      }
    },
    async close() {
      await flush();
      return run.close();
    },
    abort: () => run.abort(),
  };
}

/** Runs of the statuses by parts, one behind the other. Those of strides that several have read become one, which is called `name`. */
export async function joinStatuses(
  store: Store,
  strides: readonly StrideColumns[],
  name: string,
  counters: Counters,
): Promise<readonly RunRef[]> {
  if (strides.every(isInOrder)) return strides.flatMap(({ runs }) => runs);
  const run = await createRun(store, name, spec, { batchRows: STATUS_ROWS, counters });
  let nodes = 0;
  return orAbort(run, async () => {
    for (const stride of strides) {
      for await (const { length, columns } of rowsInOrder(store, stride, { counters, kind: STATUSES })) {
        for (let from = 0; from < length; ) {
          const part = nodes >>> PART_SHIFT;
          const to = Math.min(length, from + (part + 1) * PART_NODES - nodes);
          await run.append(part, to - from, null, [(columns[0] as Uint8Array).subarray(from, to)]);
          nodes += to - from;
          from = to;
        }
      }
    }
    return [await run.close()];
  });
}
