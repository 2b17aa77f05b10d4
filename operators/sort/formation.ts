/**
 * Run formation: collects unordered rows up to a number that fits the memory, and puts them in order by (major, minor).
 * It partitions them stably by major, then radix-sorts each major when its rows are asked for. So the rows are in the cache
 * when the consumer reads them.
 */

import type { Arrays } from '../core/arrays.js';
import { type Columns, copyRows, newColumns } from '../core/columns.js';
import { copyWords } from '../core/copy-words.js';
import { assert } from '../core/errors.js';
import { newBatch, views } from '../runs/rows.js';
import type { Batch, Rows } from '../runs/types.js';
import { scatterByMajor } from './major-scatter.js';
import { countMajors } from './majors.js';
import { numberWords, radixSort } from './radix.js';

const FIRST_ROWS = 4096;

/** Bytes that a row costs from its arrival to its leaving in order. */
export function formationRowBytes(payload: number): number {
  return 4 * (1 + 2 * (1 + payload) + numberWords(payload));
}

/** A class, as core/keep-shape.ts explains. */
export class Formation {
  private capacity = 0;
  private major: Uint32Array = new Uint32Array(0);
  private held: Columns;
  private spare: Columns;
  private length = 0;

  /** `limit`: rows it holds at most. It grows as rows arrive; its arrays are taken from `arrays`. */
  constructor(
    private readonly limit: number,
    private readonly payload: number,
    private readonly arrays: Arrays,
  ) {
    this.held = this.spare = newColumns(0, payload);
  }

  get rows(): number {
    return this.length;
  }

  get full(): boolean {
    return this.length === this.limit;
  }

  /** Takes rows from row `from` on until it is full; returns the first row not taken. */
  add(rows: Rows, from: number): number {
    assert(rows.payload.length === this.payload, 'rows have all payload columns');
    const { length } = this;
    const to = Math.min(rows.length, from + this.limit - length);
    if (length + to - from > this.capacity) this.grow(length + to - from);
    copyWords(rows.major, from, to - from, this.major, length);
    copyRows(rows, from, to, this.held, length);
    this.length = length + to - from;
    return to;
  }

  /** Yields the rows added, in order, in batches of at most `batchRows`. It is empty afterwards, even if not all was read. */
  *drain(batchRows: number): Generator<Batch> {
    const n = this.length;
    this.length = 0;
    if (n === 0) return;
    if (roomOf(this.spare) < n) {
      this.give(this.spare);
      this.spare = newColumns(this.capacity, this.payload, this.arrays.take);
    }
    const { majors, ends, starts, least } = countMajors(this.major, n);
    if (majors.length > 1) {
      scatterByMajor(this.major, this.held, this.spare, n, starts, least);
      [this.held, this.spare] = [this.spare, this.held];
    }
    let from = 0;
    for (let m = 0; m < majors.length; m++) {
      const end = ends[m];
      const sorted = radixSort(this.held, this.spare, from, end);
      for (; from < end; from += batchRows) {
        const to = Math.min(end, from + batchRows);
        yield newBatch(
          majors[m],
          to - from,
          sorted.minor.subarray(from, to),
          views(sorted.payload, from, to),
        );
      }
      from = end;
    }
  }

  /** Gives its arrays back. */
  release(): void {
    this.arrays.give(this.major);
    this.give(this.held);
    this.give(this.spare);
    this.major = new Uint32Array(0);
    this.held = this.spare = newColumns(0, this.payload);
    this.capacity = this.length = 0;
  }

  private grow(rows: number): void {
    const { arrays, major, held, length, limit } = this;
    const wanted = Math.min(limit, Math.max(rows, FIRST_ROWS, 4 * this.capacity));
    this.major = arrays.take(wanted);
    this.major.set(major.subarray(0, length));
    arrays.give(major);
    this.held = newColumns(wanted, this.payload, arrays.take);
    copyRows(held, 0, length, this.held, 0);
    this.give(held);
    // Arrays that were there already may be larger than needed.
    this.capacity = Math.min(limit, this.major.length, roomOf(this.held));
  }

  private give(columns: Columns): void {
    for (const column of [columns.minor, ...columns.payload]) this.arrays.give(column);
  }
}

function roomOf({ minor, payload }: Columns): number {
  return Math.min(minor.length, ...payload.map((column) => column.length));
}
