/** The label planes (pipeline/labels.ts) of a context's interval, as blocks of majors = parts. */
import { type Allowance, type LabelBlocks, openLabels } from '../../operators/runs/dense-blocks.js';
import { bitBytes } from '../labels.js';
import type { LabelRuns, PartRun } from '../manifest.js';
import { type Context, runName } from './context.js';

const PLANES = ['counts', 'unwon'] as const;
export type Plane = (typeof PLANES)[number];

/** Rewriting a block costs its size, so blocks are small where few positions change; but every block is a run file. */
export const BLOCK_BYTES = 1 << 20;

/** Whoever allocates blocks may round them up to this. */
const MOST_ALIGNMENT = 16;

function planeBytes(plane: Plane, positions: number): number {
  return plane === 'counts' ? positions : bitBytes(positions);
}

/** `sources`: committed runs of any layout that cover the interval; empty to begin with zeroes. */
function openPlane(
  context: Context,
  plane: Plane,
  sources: readonly PartRun[],
  allowance: Allowance,
  allocate?: (bytes: number) => Uint8Array,
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
    ...(allocate === undefined ? {} : { allocate }),
  });
}

export type LabelPlanes = Readonly<Record<Plane, readonly [LabelBlocks, LabelBlocks]>>;

export function noLabelRuns(): LabelRuns {
  return { counts: [[], []], unwon: [[], []], excess: [] };
}

/** Bytes that the planes of both sides hold at most, if they are opened with so much memory: a block of each passes. */
export function mostPlaneBytes({ slice, parts }: Context, memory: number): number {
  const count = parts.to - parts.from;
  const part = PLANES.reduce((sum, plane) => sum + planeBytes(plane, slice.width), 0);
  const all = 2 * part * count;
  const passing = all <= memory ? 0 : 2 * (PLANES.length * BLOCK_BYTES + part);
  return Math.min(all, memory) + passing + 2 * PLANES.length * count * MOST_ALIGNMENT;
}

/**
 * Opens both planes of both sides. They share the memory: rounds sweep some of them far more than others. `allocate`: as in
 * {@link openLabels}.
 */
export function openPlanes(
  context: Context,
  sources: LabelRuns,
  memory: number,
  allocate?: (bytes: number) => Uint8Array,
): LabelPlanes {
  const allowance = { bytes: memory };
  const both = (plane: Plane) =>
    [0, 1].map((side) => openPlane(context, plane, sources[plane][side]!, allowance, allocate)) as [
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
