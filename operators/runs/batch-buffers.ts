/**
 * The columns of a record batch while they fill. They grow up to a batch, for hundreds of runs have a few rows only. Columns from
 * arrays that are used again have the size of a batch at once.
 */
import type { Arrays } from '../core/arrays.js';
import { packedCapacity } from './compact-blocks.js';
import { takeColumns } from './schema.js';
import type { Column, ColumnSpec } from './types.js';

const FIRST_ROWS = 256;

/** A class, as core/keep-shape.ts explains. */
export class BatchBuffers {
  /** Rows that the columns hold now; set to 0 once they are written. */
  rows = 0;
  columns: readonly Column[];
  private capacity: number;
  private readonly taken: Uint32Array[] = [];

  /** @param compact whether the minors are packed in place: packed ones may need more room. */
  constructor(
    private readonly stored: readonly ColumnSpec[],
    private readonly compact: boolean,
    private readonly batchRows: number,
    private readonly arrays?: Arrays,
  ) {
    this.capacity = arrays === undefined ? Math.min(batchRows, FIRST_ROWS) : 0;
    this.columns = this.newColumns();
  }

  /** Appends rows [from, from + length). `minor` is null for a dense run. */
  copyIn(length: number, minor: Uint32Array | null, payload: readonly Column[], from: number): void {
    this.reserve(this.rows + length);
    const { columns, rows } = this;
    const first = minor === null ? 0 : 1;
    if (minor !== null) columns[0].set(minor.subarray(from, from + length), rows);
    for (let i = 0; i < payload.length; i++)
      columns[first + i].set(payload[i].subarray(from, from + length), rows);
    this.rows = rows + length;
  }

  /** Gives the arrays back that the columns were taken from. */
  giveBack(): void {
    for (const array of this.taken) this.arrays!.give(array);
    this.taken.length = 0;
  }

  private reserve(wanted: number): void {
    if (wanted <= this.capacity) return;
    const { arrays, batchRows, columns: before } = this;
    this.capacity =
      arrays === undefined ? Math.min(batchRows, Math.max(wanted, 2 * this.capacity)) : batchRows;
    this.columns = this.newColumns();
    for (let i = 0; i < before.length; i++) this.columns[i].set(before[i].subarray(0, this.rows));
  }

  private newColumns(): Column[] {
    const { arrays, capacity } = this;
    const room = this.compact ? packedCapacity(capacity) : capacity;
    return takeColumns(this.stored, room, arrays, this.taken);
  }
}
