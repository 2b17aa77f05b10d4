/** How slices are cut into tasks for machines that share nothing but the store. Data only; nothing is run here. */
import type { Game, Slice } from './game.js';
import { bitBytes } from './labels.js';
import { planSlices } from './plan.js';

export interface CutOptions {
  /** Bytes of buffers a task may use. */
  readonly memory: number;
  /** Partitions of every slice that is cut; without it, as many as let a partition's labels fit `memory`. */
  readonly partitions: number | undefined;
  /** A slice with fewer bytes of labels is one step. */
  readonly wholeBelow: number;
}

export interface CutSlice {
  readonly slice: string;
  readonly dependencies: readonly string[];
  /** See pipeline/plan.ts. */
  readonly wave: number;
  /** Positions of a side, and parts of its index space. */
  readonly size: number;
  readonly parts: number;
  /** Labels of both sides: a byte and a bit a position. */
  readonly labelBytes: number;
  /** 1: solved whole, as one step; else the tasks of each of its phases. */
  readonly partitions: number;
  /** Bytes of buffers of a task: what was asked for, or the least that holds a part. */
  readonly memory: number;
}

/**
 * Buffers for a part of so many positions: while it is finished, its values, two bytes each, may have four tenths of the
 * memory; in the rounds the counts of a side, one byte each, get a sixth of it less the bits.
 */
const BYTES_PER_POSITION = 8;

/** The slices `wanted` and all they convert to, in the order they are solved. */
export function cutSlices(game: Game, wanted: readonly string[], options: CutOptions): CutSlice[] {
  return planSlices(game, wanted).map((planned) => ({
    ...planned,
    ...cutSlice(game.slice(planned.slice), options),
  }));
}

function cutSlice(
  slice: Slice,
  { memory, partitions, wholeBelow }: CutOptions,
): Omit<CutSlice, 'dependencies' | 'wave'> {
  const { name, size, parts, width } = slice;
  const labelBytes = labelBytesOf(slice);
  const taskMemory = Math.max(memory, width * BYTES_PER_POSITION);
  const wanted = partitions ?? Math.ceil(labelBytes / taskMemory);
  return {
    slice: name,
    size,
    parts,
    labelBytes,
    partitions: labelBytes < wholeBelow ? 1 : Math.min(wanted, parts),
    memory: taskMemory,
  };
}

/** Labels of both sides: a byte and a bit a position. */
export function labelBytesOf({
  size,
  parts,
  width,
  partSize,
}: Pick<Slice, 'size' | 'parts' | 'width' | 'partSize'>): number {
  const last = partSize(parts - 1);
  return 2 * (size + (parts - 1) * bitBytes(width) + bitBytes(last));
}
