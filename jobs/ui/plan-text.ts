/** A plan as people read it. */
import type { CutSlice } from '../../pipeline/cut.js';
import { bytes, whole } from './numbers.js';
import { textTable } from './text-table.js';

export function planTable(cuts: readonly CutSlice[]): string {
  const header = ['slice', 'indices a side', 'parts', 'labels', 'solved', 'memory a task'];
  const rows = cuts.map(({ slice, size, parts, labelBytes, partitions, memory }) => [
    slice,
    whole(size),
    whole(parts),
    bytes(labelBytes),
    partitions === 1 ? 'in one step' : `in ${whole(partitions)} partitions`,
    bytes(memory),
  ]);
  return textTable(header, rows);
}
