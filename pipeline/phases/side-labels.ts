/** The labels of one side's positions in a context's interval, as blocks of majors = parts. */
import { type LabelBlocks, openLabels } from '../../operators/runs/dense-blocks.js';
import type { PartRun } from '../manifest.js';
import type { Context } from './context.js';

/** Rewriting a block costs its size, so blocks are small where few positions change; but every block is a run file. */
const BLOCK_BYTES = 1 << 21;

/** `sources`: committed label runs of any layout that cover the interval; empty to begin with zeroes. */
export function openSideLabels(context: Context, sources: readonly PartRun[], memory: number): LabelBlocks {
  const { slice, parts, scratch, counters, budget, store } = context;
  return openLabels({
    majors: [parts.from, parts.to],
    rowsOf: (part: number) => slice.partSize(part),
    blockBytes: Math.min(BLOCK_BYTES, Math.floor(memory / 4)),
    memory,
    sources: sources.map((run) => ({ store, name: run.name, from: run.from, to: run.to })),
    scratch,
    batchRows: budget.batchRows,
    counters,
  });
}
