/** The label planes (pipeline/labels.ts) of a context's interval, as blocks of majors = parts. */
import { type Allowance, type LabelBlocks, openLabels } from '../../operators/runs/dense-blocks.js';
import { bitBytes } from '../labels.js';
import type { LabelRuns, PartRun } from '../manifest.js';
import { type Context, runName } from './context.js';

const PLANES = ['counts', 'unwon'] as const;
export type Plane = (typeof PLANES)[number];

/** Rewriting a block costs its size, so blocks are small where few positions change; but every block is a run file. */
export const BLOCK_BYTES = 1 << 20;

function planeBytes(plane: Plane, positions: number): number {
  return plane === 'counts' ? positions : bitBytes(positions);
}

/** `sources`: committed runs of any layout that cover the interval; empty to begin with zeroes. */
function openPlane(
  context: Context,
  plane: Plane,
  sources: readonly PartRun[],
  allowance: Allowance,
): LabelBlocks {
  const { slice, parts, scratch, counters, budget, store } = context;
  return openLabels({
    majors: [parts.from, parts.to],
    rowsOf: (part) => planeBytes(plane, slice.partSize(part)),
    blockBytes: Math.min(BLOCK_BYTES, Math.floor(allowance.bytes / 16)),
    allowance,
    sources: sources.map((run) => ({ store, ...run })),
    scratch,
    batchRows: budget.batchRows,
    counters,
  });
}

export type LabelPlanes = Readonly<Record<Plane, readonly [LabelBlocks, LabelBlocks]>>;

export function noLabelRuns(): LabelRuns {
  return { counts: [[], []], unwon: [[], []], excess: [] };
}

/** Opens both planes of both sides. They share the memory: rounds sweep some of them far more than others. */
export function openPlanes(context: Context, sources: LabelRuns, memory: number): LabelPlanes {
  const allowance = { bytes: memory };
  const both = (plane: Plane) =>
    [0, 1].map((side) => openPlane(context, plane, sources[plane][side]!, allowance)) as [
      LabelBlocks,
      LabelBlocks,
    ];
  return { counts: both('counts'), unwon: both('unwon') };
}

/** Makes the store hold all planes as they are before round `ply`. */
export async function commitPlanes(context: Context, planes: LabelPlanes, ply: number): Promise<LabelRuns> {
  const runs = noLabelRuns();
  for (const plane of PLANES) {
    for (const side of [0, 1] as const) {
      runs[plane][side] = await planes[plane][side].commit(context.store, (i) =>
        runName(context, `${plane}-${ply}-${side}-${i}`),
      );
    }
  }
  return runs;
}

export async function disposePlanes(planes: LabelPlanes): Promise<void> {
  for (const plane of PLANES) for (const blocks of planes[plane]) await blocks.dispose();
}

/** The runs of several partitions as one. */
export function joinLabelRuns(all: readonly LabelRuns[]): LabelRuns {
  const joined = noLabelRuns();
  for (const plane of PLANES) {
    for (const side of [0, 1] as const) joined[plane][side] = all.flatMap((runs) => runs[plane][side]);
  }
  joined.excess = all.flatMap((runs) => runs.excess);
  return joined;
}
