/**
 * The columns of a record batch while they fill. They grow up to a batch, for hundreds of runs have a few rows only. Columns from
 * arrays that are used again have the size of a batch at once.
 */
import type { Arrays } from '../core/arrays.js';
import { packedCapacity } from './compact/blocks.js';
import { columnView, newColumn, widthOf } from './schema.js';
import type { Column, ColumnSpec } from './types.js';

export interface BatchBuffers {
  /** Rows that the columns hold now; set to 0 once they are written. */
  rows: number;
  readonly columns: readonly Column[];
  /** Appends rows [from, from + length). `minor` is null for a dense run. */
  copyIn(length: number, minor: Uint32Array | null, payload: readonly Column[], from: number): void;
  /** Gives the arrays back that the columns were taken from. */
  giveBack(): void;
}

const FIRST_ROWS = 256;

/** @param compact whether the minors are packed in place: packed ones may need more room. */
export function newBatchBuffers(
  stored: readonly ColumnSpec[],
  compact: boolean,
  batchRows: number,
  arrays?: Arrays,
): BatchBuffers {
  const taken: Uint32Array[] = [];
  let capacity = arrays === undefined ? Math.min(batchRows, FIRST_ROWS) : 0;

  function newColumns(): Column[] {
    const room = compact ? packedCapacity(capacity) : capacity;
    if (arrays === undefined || room === 0) return stored.map(({ type }) => newColumn(type, room));
    return stored.map(({ type }) => {
      const array = arrays.take(Math.ceil((room * widthOf(type)) / 4));
      taken.push(array);
      return columnView(type, array.buffer, 0, room);
    });
  }

  let columns = newColumns();
  let rows = 0;

  function reserve(wanted: number): void {
    if (wanted <= capacity) return;
    capacity = arrays === undefined ? Math.min(batchRows, Math.max(wanted, 2 * capacity)) : batchRows;
    const before = columns;
    columns = newColumns();
    for (let i = 0; i < columns.length; i++) columns[i].set(before[i].subarray(0, rows));
  }

  return {
    get rows() {
      return rows;
    },
    set rows(count) {
      rows = count;
    },
    get columns() {
      return columns;
    },
    copyIn(length, minor, payload, from) {
      reserve(rows + length);
      const first = minor === null ? 0 : 1;
      if (minor !== null) columns[0].set(minor.subarray(from, from + length), rows);
      for (let i = 0; i < payload.length; i++) {
        columns[first + i].set(payload[i].subarray(from, from + length), rows);
      }
      rows += length;
    },
    giveBack() {
      for (const array of taken) arrays!.give(array);
      taken.length = 0;
    },
  };
}
