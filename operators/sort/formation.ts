/**
 * Run formation: collects unordered rows up to a number that fits the memory, and puts them in order by (major, minor).
 * It partitions them stably by major, then radix-sorts each major when its rows are asked for. So the rows are in the cache
 * when the consumer reads them.
 */

import type { Arrays } from '../core/arrays.js';
import { assert } from '../core/errors.js';
import type { Batch, Rows } from '../runs/types.js';
import { type Columns, copyRows, newColumns } from './columns.js';
import { scatterByMajor } from './major-scatter.js';
import { countMajors } from './majors.js';
import { radixSort } from './radix.js';

const FIRST_ROWS = 4096;

/** Bytes that a row costs from its arrival to its leaving in order. */
export function formationRowBytes(payload: number): number {
  return 4 * (1 + 2 * (1 + payload));
}

export interface Formation {
  readonly rows: number;
  readonly full: boolean;
  /** Takes rows from row `from` on until it is full; returns the first row not taken. */
  add(rows: Rows, from: number): number;
  /** Yields the rows added, in order, in batches of at most `batchRows`. It is empty afterwards, even if not all was read. */
  drain(batchRows: number): Generator<Batch>;
  /** Gives its arrays back. */
  release(): void;
}

/** `limit`: rows it holds at most. It grows as rows arrive; its arrays are taken from `arrays`. */
export function newFormation(limit: number, payload: number, arrays: Arrays): Formation {
  let capacity = 0;
  let major: Uint32Array = new Uint32Array(0);
  let held: Columns = newColumns(0, payload);
  let spare: Columns = newColumns(0, payload);
  let length = 0;

  const takeColumns = (rows: number): Columns => ({
    minor: arrays.take(rows),
    payload: Array.from({ length: payload }, () => arrays.take(rows)),
  });
  const giveColumns = (columns: Columns): void => {
    for (const column of [columns.minor, ...columns.payload]) arrays.give(column);
  };

  function grow(rows: number): void {
    const wanted = Math.min(limit, Math.max(rows, FIRST_ROWS, 4 * capacity));
    const larger = arrays.take(wanted);
    larger.set(major.subarray(0, length));
    arrays.give(major);
    major = larger;
    const columns = takeColumns(wanted);
    copyRows(held, 0, length, columns, 0);
    giveColumns(held);
    held = columns;
    // Arrays that were there already may be larger than needed.
    capacity = Math.min(limit, major.length, ...[held.minor, ...held.payload].map((column) => column.length));
  }

  return {
    get rows() {
      return length;
    },
    get full() {
      return length === limit;
    },
    add(rows, from) {
      assert(rows.payload.length === payload, 'rows have all payload columns');
      const to = Math.min(rows.length, from + limit - length);
      if (length + to - from > capacity) grow(length + to - from);
      major.set(rows.major.subarray(from, to), length);
      copyRows(rows, from, to, held, length);
      length += to - from;
      return to;
    },
    *drain(batchRows) {
      const n = length;
      length = 0;
      if (n === 0) return;
      if (Math.min(...[spare.minor, ...spare.payload].map((column) => column.length)) < n) {
        giveColumns(spare);
        spare = takeColumns(capacity);
      }
      const { majors, ends, starts, least } = countMajors(major, n);
      if (majors.length > 1) {
        scatterByMajor(major, held, spare, n, starts, least);
        [held, spare] = [spare, held];
      }
      let from = 0;
      for (let m = 0; m < majors.length; m++) {
        const end = ends[m];
        const sorted = radixSort(held, spare, from, end);
        for (; from < end; from += batchRows) {
          const to = Math.min(end, from + batchRows);
          yield {
            major: majors[m],
            length: to - from,
            minor: sorted.minor.subarray(from, to),
            payload: sorted.payload.map((column) => column.subarray(from, to)),
          };
        }
        from = end;
      }
    },
    release() {
      arrays.give(major);
      giveColumns(held);
      giveColumns(spare);
      major = new Uint32Array(0);
      held = spare = newColumns(0, payload);
      capacity = length = 0;
    },
  };
}
