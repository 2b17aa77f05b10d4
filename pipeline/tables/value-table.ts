/** The values of a slice under one metric, in index order, however they are stored. */
import type { Reading } from '../../operators/runs/record-batches.js';
import type { DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import type { Side, Slice, SliceIndex } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';

/** A column of a table: its values, the numbers beside them (numbers.ts), or the ladders of its positions (clock-runs.ts). */
export interface TableColumn {
  /** The parts [from, to) in order: columns[0]. */
  values(side: Side, from: number, to: number, reading?: Reading): DenseCursor;
  /** An owned block that contains `key`. */
  block(side: Side, part: number, key: number): Promise<DenseBatch>;
}

/** The values are the codes of pipeline/game/value.ts. */
export interface ValueTable<Index extends SliceIndex = Slice> extends TableColumn {
  readonly slice: Index;
  readonly manifest: Pick<TableManifest, 'game' | 'metric' | 'slice' | 'valueType'>;
}
