import type { Arrays } from '../core/arrays.js';
import type { Counters } from '../core/counters.js';
import { assert, DamageError, StorageError } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { firstAtLeast } from '../core/search.js';
import type { Store } from '../storage/store.js';
import { packedPieces, pieces, type RowBlock, rowBlocks, shapedPieces } from './pieces.js';
import { BatchReader, openFile, type Reading, type RunFile } from './record-batches.js';
import { newBatch, payloadOf } from './rows.js';
import type { Key, RunSpec } from './schema.js';
import type { Segments } from './segments.js';
import type { Batch, Column, Cursor, DenseBatch, DenseCursor, Grouped, RunRef } from './types.js';
import type { RunInfo } from './writer.js';

/** Rows [first, first + length) of a major. */
export interface DenseBlock {
  readonly first: number;
  readonly length: number;
  readonly columns: Column[];
}

/**
 * Opens a run and checks its footer: it must have the name and the digest of `ref`, and the kind and metadata that the caller
 * expects. Record batches are checked when they are read: their CRC, and the order
 * of rows across the borders of batches. The writer has checked the order within a batch, and the CRC covers it. Any deviation
 * is a StorageError that names the object and the place. `begins`: the byte of its object at which
 * it was written, if that is a bundle (bundle.ts). `arrays`: where cursors take their buffers from, which they give back when
 * they end.
 */
export async function openRun(
  store: Store,
  ref: RunRef,
  { counters, expect = {}, begins = 0, arrays }: OpenOptions,
): Promise<RunReader> {
  const file = await openFile(store, ref, { counters, begins, arrays });
  const fault = unexpected(file.facts.spec, expect);
  if (fault !== null) throw new DamageError(file.object, fault);
  return new RunReader(file, ref.name);
}

export interface OpenOptions {
  readonly counters: Counters;
  readonly expect?: Expected;
  readonly begins?: number;
  readonly arrays?: Arrays;
}

/** The description that a run must have. */
export interface Expected {
  readonly kind?: string;
  /** The members of `RunSpec.meta`; more may be there. */
  readonly meta?: Readonly<Record<string, string>>;
}

function unexpected({ kind, meta }: Pick<RunSpec, 'kind' | 'meta'>, expect: Expected): string | null {
  if (expect.kind !== undefined && kind !== expect.kind)
    return `is a run of kind "${kind}", not "${expect.kind}"`;
  for (const [name, value] of Object.entries(expect.meta ?? {}))
    if (meta[name] !== value) return `is a run of ${name} ${meta[name] ?? 'unknown'}, not ${value}`;
  return null;
}

/**
 * An open run. Reading it keeps nothing but its directory, and a record batch where `rowBlocks` was called. Each cursor holds one record
 * batch, as it is stored, and what is unpacked of it at once (pieces.ts). A class, as core/keep-shape.ts explains.
 */
export class RunReader {
  readonly spec: RunSpec;
  readonly info: RunInfo;
  private rowReader: BatchReader | null = null;
  /** Blocks that are being read, by their first rows in the run. */
  private readonly underway = new Map<number, Promise<DenseBlock>>();

  constructor(
    private readonly file: RunFile,
    name: string,
  ) {
    const { facts, columns, size } = file;
    const { kind, dense } = facts.spec;
    this.spec = { ...facts.spec, columns: dense ? columns : columns.slice(1) };
    const majors = facts.segments.majors.length;
    this.info = { name, kind, rows: facts.rows, bytes: size, majors, crc: facts.crc };
  }

  get rows(): number {
    return this.info.rows;
  }

  /** The keys of the first and the last row; null if there are none. */
  get least(): Key | null {
    return this.file.facts.least;
  }

  get greatest(): Key | null {
    return this.file.facts.greatest;
  }

  /** The majors that have rows, ascending. */
  majors(): Uint32Array {
    return this.file.facts.segments.majors;
  }

  /** Rows of a major; 0 if it has none. */
  segmentRows(major: number): number {
    const { starts } = this.file.facts.segments;
    const segment = this.find(major);
    return segment < 0 ? 0 : starts[segment + 1] - starts[segment];
  }

  /** The rows of a sparse run, of all majors or of some; only the record batches that hold them are read. */
  cursor(range?: Interval): Cursor {
    assert(!this.spec.dense, 'cursor() is for sparse runs');
    return sparseRows(this.file, range, new BatchReader(this.file), true);
  }

  /** The same of many ranges, ascending and apart from each other, with one buffer. */
  async *cursorOver(ranges: AsyncIterable<Interval>): Cursor {
    assert(!this.spec.dense, 'cursorOver() is for sparse runs');
    const block = new BatchReader(this.file);
    try {
      for await (const range of ranges) yield* sparseRows(this.file, range, block);
    } finally {
      block.close();
    }
  }

  /** The rows of a dense run, of all majors or of some. */
  denseCursor(range?: Interval, reading?: Reading): DenseCursor {
    assert(this.spec.dense, 'denseCursor() is for dense runs');
    return shapedPieces(this.file, range, new BatchReader(this.file, reading), denseBatchOf, true);
  }

  /** The rows of a dense run whose first column is the minor; in a major they come as they were written. */
  groupedCursor(range?: Interval): Grouped {
    assert(this.spec.dense, 'groupedCursor() is for dense runs');
    return shapedPieces(this.file, range, new BatchReader(this.file), groupOf, true);
  }

  /** Returns a reader of ranges of rows of a dense run, across majors. It has one buffer, so only one range can be read at a time. */
  rowBlocks(): (range: Interval) => AsyncIterable<RowBlock> {
    assert(this.spec.dense, 'rowBlocks() is for dense runs');
    this.rowReader ??= new BatchReader(this.file);
    const block = this.rowReader;
    return (range) => rowBlocks(this.file, range, block);
  }

  /**
   * For a dense run: a copy of the part of `major` that is in the same record batch as its row number `row`. A caller that asks for it
   * while it is being read gets the same copy.
   */
  async denseBlock(major: number, row: number): Promise<DenseBlock> {
    assert(this.spec.dense, 'denseBlock() is for dense runs');
    const { segments, batchRows } = this.file.facts;
    const segment = this.find(major);
    assert(segment >= 0, `major ${major} has rows`);
    const start = segments.starts[segment];
    const end = segments.starts[segment + 1];
    assert(row >= 0 && row < end - start, `major ${major} has a row ${row}`);
    const batch = Math.floor((start + row) / batchRows);
    const base = batch * batchRows;
    const from = Math.max(start, base);
    const to = Math.min(end, base + batchRows);
    let block = this.underway.get(from);
    if (block === undefined) {
      const reader = new BatchReader(this.file);
      block = reader
        .read(batch)
        .then((read) => ({
          first: from - start,
          length: to - from,
          columns: read.map((column) => column.slice(from - base, to - base)),
        }))
        .finally(() => {
          reader.close();
          this.underway.delete(from);
        });
      this.underway.set(from, block);
    }
    return block;
  }

  /** The number of the segment of `major`, or -1. */
  private find(major: number): number {
    const { majors } = this.file.facts.segments;
    const segment = firstAtLeast(majors, major);
    return segment < majors.length && majors[segment] === major ? segment : -1;
  }
}

/** The rows of a range; `closes` the block at the end. */
async function* sparseRows(
  file: RunFile,
  range: Interval | undefined,
  block: BatchReader,
  closes = false,
): AsyncGenerator<Batch> {
  const { majors } = file.facts.segments;
  const step = file.facts.spec.strict ? 1 : 0;
  let segment = -1;
  let before = 0;
  const read = file.facts.compact ? packedPieces : pieces;
  try {
    for await (const piece of read(file, range, block)) {
      const minor = piece.columns[0] as Uint32Array;
      const least = minor[0];
      const greatest = minor[piece.length - 1];
      if ((piece.segment === segment && least < before + step) || greatest < least) {
        throw new StorageError(
          file.object,
          `row ${piece.row} (major ${majors[piece.segment]}) is out of order`,
        );
      }
      segment = piece.segment;
      before = greatest;
      yield newBatch(majors[segment], piece.length, minor, payloadOf(piece.columns));
    }
  } finally {
    if (closes) block.close();
  }
}

function denseBatchOf(
  { majors, starts }: Segments,
  segment: number,
  row: number,
  length: number,
  columns: Column[],
): DenseBatch {
  return { major: majors[segment], first: row - starts[segment], length, columns };
}

function groupOf(
  { majors }: Segments,
  segment: number,
  _row: number,
  length: number,
  columns: Column[],
): Batch {
  return newBatch(majors[segment], length, columns[0] as Uint32Array, payloadOf(columns));
}
