/** The values of a slice under one metric, in index order, however they are stored. */
import type { Reading } from '../../operators/runs/record-batches.js';
import type { DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import type { Side, Slice, SliceIndex } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';

export interface ValueTable<Index extends SliceIndex = Slice> {
  readonly slice: Index;
  readonly manifest: Pick<TableManifest, 'game' | 'metric' | 'slice' | 'valueType'>;
  /** Values of the parts [from, to) in order; columns[0] holds the codes of pipeline/game/value.ts. */
  values(side: Side, from: number, to: number, reading?: Reading): DenseCursor;
  /** An owned block of values that contains `key`. */
  block(side: Side, part: number, key: number): Promise<DenseBatch>;
}
