/** The label planes (pipeline/game/labels.ts) of a context's interval, as blocks of majors = parts. */
import { type LabelBlocks, openLabels } from '../../operators/runs/dense-blocks.js';
import {
  type LabelMemory,
  type LabelMemoryOptions,
  labelMemoryBytes,
  newLabelMemory,
} from '../../operators/runs/label-memory.js';
import { MOST_KERNEL_BYTES, type Side } from '../game/game.js';
import { bitBytes, planesBytes } from '../game/labels.js';
import type { LabelRuns } from '../game/manifest.js';
import { type Context, runName } from './context.js';
import { memoryOf } from './memory.js';

/** All planes. */
export const PLANES = ['counts', 'unwon'] as const;
export type Plane = (typeof PLANES)[number];

/** Rewriting a block costs its size, so blocks are small where few positions change; but every block is a run file. */
export const BLOCK_BYTES = 1 << 22;

/** An allocation may be rounded up to a multiple of this. */
const MOST_ALIGNMENT = 16;

/** Labels that a round looks at come to memory and leave it in such pieces, or parts if these are larger. */
const PAGE_BYTES = 1 << 16;

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
  memory: LabelMemory,
): LabelBlocks {
  const { slice, parts, scratch, counters, budget, store } = context;
  return openLabels({
    majors: [parts.from, parts.to],
    rowsOf: (part) => planeBytes(plane, slice.partSize(part), side, countPlanes),
    blockBytes: BLOCK_BYTES,
    pageBytes: PAGE_BYTES,
    memory,
    sources: sources[side].map((run) => ({ store, ...run })),
    scratch,
    batchRows: budget.batchRows,
    counters,
  });
}

export interface LabelPlanes extends Readonly<Record<Plane, readonly [LabelBlocks, LabelBlocks]>> {
  /** The memory that all planes share. */
  readonly memory: LabelMemory;
}

export function noLabelRuns(countPlanes: CountPlanes): LabelRuns {
  return { counts: [[], []], unwon: [[], []], excess: [], countPlanes };
}

function memoryOptions(
  { slice, parts }: Context,
  countPlanes: CountPlanes,
  bytes: number,
): LabelMemoryOptions {
  const ofPart = PLANES.flatMap((plane) =>
    ([0, 1] as const).map((side) => planeBytes(plane, slice.width, side, countPlanes)),
  );
  const all = (parts.to - parts.from) * ofPart.reduce((sum, each) => sum + each);
  return { bytes, all, largest: PAGE_BYTES + Math.max(...ofPart) };
}

/** The bytes of memory for labels. */
export function labelMemoryOf({ budget }: Context, { countPlanes }: LabelRuns): number {
  const { memory } = memoryOf('rounds', budget).labels;
  return countPlanes === null ? memory : Math.min(memory, MOST_KERNEL_BYTES);
}

/** Bytes that the planes of both sides hold at most, if they are opened with so much memory. */
export function mostPlaneBytes(context: Context, countPlanes: CountPlanes, memory: number): number {
  return labelMemoryBytes(memoryOptions(context, countPlanes, memory)) + MOST_ALIGNMENT;
}

/**
 * Opens both planes of both sides. They share the memory: rounds sweep some of them far more than others. `allocate`: memory of so
 * many bytes, of the heap unless given; given back by whoever gave it.
 */
export function openPlanes(
  context: Context,
  sources: LabelRuns,
  bytes: number,
  allocate?: (bytes: number) => Uint8Array,
): LabelPlanes {
  const memory = newLabelMemory({ ...memoryOptions(context, sources.countPlanes, bytes), allocate });
  const both = (plane: Plane) =>
    ([0, 1] as const).map((side) => openPlane(context, plane, side, sources, memory)) as [
      LabelBlocks,
      LabelBlocks,
    ];
  return { counts: both('counts'), unwon: both('unwon'), memory };
}

/** Makes the store hold the wanted planes as they are before round `ply`. */
export async function commitPlanes(
  context: Context,
  planes: LabelPlanes,
  countPlanes: CountPlanes,
  { ply, wanted }: { readonly ply: number; readonly wanted: readonly Plane[] },
): Promise<LabelRuns> {
  const runs = noLabelRuns(countPlanes);
  for (const plane of wanted) {
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
