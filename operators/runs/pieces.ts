/** The walk over record batches and segments that cursors share. */

import { StorageError } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { firstAtLeast } from '../core/search.js';
import { BLOCK_ROWS, openBlocks, unpackBlocks } from './compact-blocks.js';
import { type BatchReader, placeOf, type RunFile } from './record-batches.js';
import { views } from './rows.js';
import { partsOf, type Segments } from './segments.js';
import type { Column } from './types.js';

/** Consecutive rows in one record batch and one segment. */
export interface Piece {
  readonly segment: number;
  /** Row of the run that the piece begins at. */
  readonly row: number;
  readonly length: number;
  /** Values, valid until the next piece is asked for. */
  readonly columns: Column[];
}

/** Consecutive rows in one record batch. */
export type RowBlock = Omit<Piece, 'segment'>;

/** The most minors that are unpacked at once, so that they are still in the processor's cache when they are read. */
const UNPACKED_ROWS = 64 * BLOCK_ROWS;

/** Reads the rows of a range through `block`, columns as they are stored. */
export function pieces(
  file: RunFile,
  range: Interval | undefined,
  block: BatchReader,
): AsyncGenerator<Piece> {
  return shapedPieces(file, range, block, pieceOf);
}

function pieceOf(
  _segments: Segments,
  segment: number,
  row: number,
  length: number,
  columns: Column[],
): Piece {
  return { segment, row, length, columns };
}

/** Makes a piece of consecutive rows. A function of a module, as core/keep-shape.ts explains. */
export type PieceMaker<Made> = (
  segments: Segments,
  segment: number,
  row: number,
  length: number,
  columns: Column[],
) => Made;

/**
 * The same, each piece as `shape` makes it; `closes` the block at the end. A generator behind another would cost as much as a
 * piece of few rows.
 */
export async function* shapedPieces<Made>(
  file: RunFile,
  range: Interval | undefined,
  block: BatchReader,
  shape: PieceMaker<Made>,
  closes = false,
): AsyncGenerator<Made> {
  const { batchRows, segments } = file.facts;
  const { starts } = segments;
  let { segment, row, end } = rowsOf(segments, range);
  const last = Math.floor((end - 1) / batchRows);
  try {
    while (row < end) {
      const batch = Math.floor(row / batchRows);
      const columns = await block.read(batch, last);
      const base = batch * batchRows;
      const rows = columns[0].length;
      const stop = Math.min(end, base + rows);
      while (row < stop) {
        if (starts[segment + 1] <= row) segment++;
        const to = Math.min(stop, starts[segment + 1]);
        const isWhole = to - row === rows;
        const cut = isWhole ? columns : views(columns, row - base, to - base);
        yield shape(segments, segment, row, to - row, cut);
        row = to;
      }
    }
  } finally {
    if (closes) block.close();
  }
}

/** The same, not cut where segments end: many of a few rows each would cost more than the rows. */
export async function* rowBlocks(
  file: RunFile,
  range: Interval,
  block: BatchReader,
): AsyncGenerator<RowBlock> {
  const { batchRows, segments } = file.facts;
  let { row, end } = rowsOf(segments, range);
  while (row < end) {
    const batch = Math.floor(row / batchRows);
    const columns = await block.read(batch);
    const base = batch * batchRows;
    const to = Math.min(end, base + columns[0].length);
    yield { row, length: to - row, columns: views(columns, row - base, to - base) };
    row = to;
  }
}

/** The same of packed minors: no block outside the range is unpacked. */
export async function* packedPieces(
  file: RunFile,
  range: Interval | undefined,
  block: BatchReader,
): AsyncGenerator<Piece> {
  const { batchRows, segments, rows } = file.facts;
  let { row, end } = rowsOf(segments, range);
  let minor = new Uint32Array(0);
  while (row < end) {
    const batch = Math.floor(row / batchRows);
    const [words] = await block.read(batch);
    const base = batch * batchRows;
    const { first, parts } = partsOf(segments, base, Math.min(rows, base + batchRows));
    const blocks = openBlocks(words as Uint32Array, parts);
    if (typeof blocks === 'string') throw damaged(file, batch, blocks);
    const skipped = partsOf(segments, base, row + 1).parts.length - 1;
    // A range begins and ends with a segment, so that every part from here on is wanted whole.
    for (let p = skipped; p < parts.length && row < end; p++) {
      for (let from = 0; from < parts[p]; from += UNPACKED_ROWS) {
        const length = Math.min(UNPACKED_ROWS, parts[p] - from);
        if (minor.length < length) minor = new Uint32Array(length);
        const fault = unpackBlocks(blocks, p, from, length, minor);
        if (fault !== null) throw damaged(file, batch, fault);
        yield { segment: first + p, row, length, columns: [minor.subarray(0, length)] };
        row += length;
      }
    }
  }
}

function damaged(file: RunFile, batch: number, fault: string): StorageError {
  return new StorageError(file.object, `${placeOf(file, batch)}: ${fault}`);
}

/** The first segment and the rows of a range of majors. */
function rowsOf(segments: Segments, range: Interval | undefined) {
  const segment = range === undefined ? 0 : firstAtLeast(segments.majors, range.from);
  const last = range === undefined ? segments.majors.length : firstAtLeast(segments.majors, range.to);
  const { starts } = segments;
  return { segment, row: starts[segment], end: Math.max(starts[segment], starts[last]) };
}
