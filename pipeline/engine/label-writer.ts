/** Writes the label planes for the first time: part after part, each but once, straight into the runs of their blocks. */
import { newArrays } from '../../operators/core/arrays.js';
import { newClosings } from '../../operators/runs/closings.js';
import { LABELS } from '../../operators/runs/dense-blocks.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import type { Side } from '../game/game.js';
import type { PartRun } from '../game/manifest.js';
import { type Context, runName } from './context.js';
import { BLOCK_BYTES, type Plane } from './label-planes.js';

export interface PlaneWriter {
  /** Parts come in order, each once. */
  append(part: number, labels: Uint8Array): Promise<void>;
  close(): Promise<PartRun[]>;
  abort(): Promise<void>;
}

/** @param ply of the first round that reads the labels. */
export function createPlaneWriter(context: Context, plane: Plane, side: Side, ply: number): PlaneWriter {
  const { store, budget, counters } = context;
  const runs: PartRun[] = [];
  const closings = newClosings();
  const arrays = newArrays();
  let count = 0;
  let writer: RunWriter | undefined;
  /** The parts [first, behind) are in the run that is being written. */
  let first = 0;
  let behind = 0;

  async function end(to: number): Promise<void> {
    if (writer === undefined) return;
    const run = writer;
    const number = count++;
    const from = first;
    writer = undefined;
    await closings.add(run, ({ name, crc }) => {
      runs[number] = { name, crc, from, to };
    });
  }

  async function next(part: number): Promise<RunWriter> {
    await end(part);
    const name = runName(context, `${plane}-${ply}-${side}-${count}`);
    const columns = [{ name: 'label', type: 'u8' }] as const;
    writer = await createRun(
      store,
      name,
      { kind: LABELS, dense: true, columns, strict: true, meta: {} },
      { batchRows: budget.batchRows, counters, arrays },
    );
    first = part;
    return writer;
  }

  return {
    async append(part, labels) {
      const run = writer === undefined || writer.rows >= BLOCK_BYTES ? await next(part) : writer;
      await run.append(part, labels.length, null, [labels]);
      behind = part + 1;
    },
    async close() {
      await end(behind);
      await closings.settle();
      return runs;
    },
    async abort() {
      await closings.abandon();
      await writer?.abort();
    },
  };
}
