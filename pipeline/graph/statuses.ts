/** The statuses of all nodes, in the order of their numbers: a word of graph-layout.ts each. */
import type { Counters } from '../../operators/core/counters.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { RunRef } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { PART_NODES, PART_SHIFT } from './graph-layout.js';
import { isInOrder, rowsInOrder, type StrideColumns } from './stride-columns.js';

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
): Promise<StatusWriter> {
  return new StatusWriter(await createRun(store, name, spec, env), first);
}

/** Writes statuses of nodes that follow each other. A class, as core/keep-shape.ts explains. */
export class StatusWriter {
  private readonly status = new Uint32Array(STATUS_ROWS);
  private length = 0;

  constructor(
    private readonly run: RunWriter,
    private nodes: number,
  ) {}

  /** Returns a promise if it has to be waited for. */
  put(each: number): Promise<void> | undefined {
    this.status[this.length++] = each;
    return ++this.nodes % STATUS_ROWS === 0 ? this.flush() : undefined;
  }

  async append(statuses: Uint32Array, length: number): Promise<void> {
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + STATUS_ROWS - (this.nodes % STATUS_ROWS));
      this.status.set(statuses.subarray(from, to), this.length);
      this.length += to - from;
      this.nodes += to - from;
      if (this.nodes % STATUS_ROWS === 0) await this.flush();
      from = to;
    }
  }

  async close(): Promise<RunRef> {
    await this.flush();
    return this.run.close();
  }

  abort(): Promise<void> {
    return this.run.abort();
  }

  private async flush(): Promise<void> {
    const { length, status, nodes } = this;
    if (length > 0)
      await this.run.append((nodes - 1) >>> PART_SHIFT, length, null, [status.subarray(0, length)]);
    this.length = 0;
  }
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
          // Earlier versions, which may have read a stride, have two bytes for a status.
          await run.append(part, to - from, null, [Uint32Array.from(columns[0].subarray(from, to))]);
          nodes += to - from;
          from = to;
        }
      }
    }
    return [await run.close()];
  });
}
