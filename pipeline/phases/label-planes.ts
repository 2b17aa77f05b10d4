/** The label planes (pipeline/formats/labels.ts) of a context's interval, as blocks of majors = parts. */
import { type Allowance, type LabelBlocks, openLabels } from '../../operators/runs/dense-blocks.js';
import type { Side } from '../contract/game.js';
import { bitBytes, planesBytes } from '../formats/labels.js';
import type { LabelRuns } from '../formats/manifest.js';
import { type Context, runName } from './context.js';

const PLANES = ['counts', 'unwon'] as const;
export type Plane = (typeof PLANES)[number];

/** Rewriting a block costs its size, so blocks are small where few positions change; but every block is a run file. */
export const BLOCK_BYTES = 1 << 20;

/** Allocated blocks may be rounded up to a multiple of this. */
const MOST_ALIGNMENT = 16;

/** How counts are held: {@link LabelRuns}. */
export type CountPlanes = LabelRuns['countPlanes'];

/** Bytes of a plane of so many positions of a side. */
export function planeBytes(plane: Plane, positions: number, side: Side, countPlanes: CountPlanes): number {
  if (plane === 'unwon') return bitBytes(positions);
  return countPlanes === null ? positions : planesBytes(countPlanes[side], positions);
}

/** `sources`: committed runs of any layout that cover the interval; empty to begin with zeroes. */
function openPlane(
  context: Context,
  plane: Plane,
  side: Side,
  { [plane]: sources, countPlanes }: LabelRuns,
  { allowance, allocate }: { allowance: Allowance; allocate: ((bytes: number) => Uint8Array) | undefined },
): LabelBlocks {
  const { slice, parts, scratch, counters, budget, store } = context;
  return openLabels({
    majors: [parts.from, parts.to],
    rowsOf: (part) => planeBytes(plane, slice.partSize(part), side, countPlanes),
    blockBytes: Math.min(BLOCK_BYTES, Math.floor(allowance.bytes / 16)),
    allowance,
    sources: sources[side].map((run) => ({ store, ...run })),
    scratch,
    batchRows: budget.batchRows,
    counters,
    ...(allocate === undefined ? {} : { allocate }),
  });
}

export type LabelPlanes = Readonly<Record<Plane, readonly [LabelBlocks, LabelBlocks]>>;

export function noLabelRuns(countPlanes: CountPlanes): LabelRuns {
  return { counts: [[], []], unwon: [[], []], excess: [], countPlanes };
}

/** Bytes that the planes of both sides hold at most, if they are opened with so much memory: a block of each passes. */
export function mostPlaneBytes({ slice, parts }: Context, countPlanes: CountPlanes, memory: number): number {
  const count = parts.to - parts.from;
  const bytes = (plane: Plane) =>
    planeBytes(plane, slice.width, 0, countPlanes) + planeBytes(plane, slice.width, 1, countPlanes);
  const part = PLANES.reduce((sum, plane) => sum + bytes(plane), 0);
  const all = part * count;
  const passing = all <= memory ? 0 : 2 * PLANES.length * BLOCK_BYTES + part;
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
    ([0, 1] as const).map((side) => openPlane(context, plane, side, sources, { allowance, allocate })) as [
      LabelBlocks,
      LabelBlocks,
    ];
  return { counts: both('counts'), unwon: both('unwon') };
}

/** Makes the store hold all planes as they are before round `ply`. */
export async function commitPlanes(
  context: Context,
  planes: LabelPlanes,
  countPlanes: CountPlanes,
  ply: number,
): Promise<LabelRuns> {
  const runs = noLabelRuns(countPlanes);
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
  const joined = noLabelRuns(all[0].countPlanes);
  for (const plane of PLANES) {
    for (const side of [0, 1] as const) joined[plane][side] = all.flatMap((runs) => runs[plane][side]);
  }
  joined.excess = all.flatMap((runs) => runs.excess);
  return joined;
}
