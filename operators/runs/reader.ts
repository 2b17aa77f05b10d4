import type { Arrays } from '../core/arrays.js';
import type { Counters } from '../core/counters.js';
import { assert, DamageError, StorageError } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { firstAtLeast } from '../core/search.js';
import type { Store } from '../storage/store.js';
import { packedPieces, pieces, type RowBlock, rowBlocks, shapedPieces } from './pieces.js';
import { type BatchReader, newBlock, openFile, type Reading, type RunFile } from './record-batches.js';
import type { Key, RunSpec } from './schema.js';
import type { Batch, Column, Cursor, DenseBatch, DenseCursor, Grouped, RunRef } from './types.js';
import type { RunInfo } from './writer.js';

/**
 * An open run. Reading it keeps nothing but its directory. Each cursor holds one record batch, as it is stored, and what is
 * unpacked of it at once (pieces.ts).
 */
export interface RunReader {
  readonly spec: RunSpec;
  readonly info: RunInfo;
  readonly rows: number;
  /** The keys of the first and the last row; null if there are none. */
  readonly least: Key | null;
  readonly greatest: Key | null;
  /** The majors that have rows, ascending. */
  majors(): Uint32Array;
  /** Rows of a major; 0 if it has none. */
  segmentRows(major: number): number;
  /** The rows of a sparse run, of all majors or of some; only the record batches that hold them are read. */
  cursor(range?: Interval): Cursor;
  /** The same of many ranges, ascending and apart from each other, with one buffer. */
  cursorOver(ranges: AsyncIterable<Interval>): Cursor;
  /** The rows of a dense run, of all majors or of some. */
  denseCursor(range?: Interval, reading?: Reading): DenseCursor;
  /** The rows of a dense run whose first column is the minor; in a major they come as they were written. */
  groupedCursor(range?: Interval): Grouped;
  /** Returns what reads the rows of a range of a dense run whatever majors they are of, each time with the same buffer. */
  rowBlocks(): (range: Interval) => AsyncIterable<RowBlock>;
  /**
   * For a dense run: a copy of the part of `major` that is in the same record batch as its row number `row`. A caller that asks for it
   * while it is being read gets the same copy.
   */
  denseBlock(major: number, row: number): Promise<DenseBlock>;
}

/** Rows [first, first + length) of a major. */
export interface DenseBlock {
  readonly first: number;
  readonly length: number;
  readonly columns: Column[];
}

/**
 * Opens a run and checks its footer: it must be the run that `ref` names, with the digest that was noted when it was
 * written. It must say of itself what is expected. Record batches are checked when they are read: their CRC, and the order
 * of rows at the edges of batches. The writer checked the order within a batch, and the CRC vouches for it. Everything that
 * is not as it was written is a StorageError that names the object and the place. `begins`: the byte of its object at which
 * it was written, if that is a bundle (bundle.ts). `arrays`: of these cursors take what they hold, and give it back when
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
  return newReader(file, ref.name);
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

function newReader(file: RunFile, name: string): RunReader {
  const { facts, columns } = file;
  const { segments } = facts;
  const { dense } = facts.spec;
  const spec: RunSpec = { ...facts.spec, columns: dense ? columns : columns.slice(1) };
  /** Blocks that are being read, by their first rows in the run. */
  const underway = new Map<number, Promise<DenseBlock>>();

  /** The number of the segment of `major`, or -1. */
  function find(major: number): number {
    const segment = firstAtLeast(segments.majors, major);
    return segment < segments.majors.length && segments.majors[segment] === major ? segment : -1;
  }

  return {
    spec,
    rows: facts.rows,
    least: facts.least,
    greatest: facts.greatest,
    info: {
      name,
      kind: spec.kind,
      rows: facts.rows,
      bytes: file.size,
      majors: segments.majors.length,
      crc: facts.crc,
    },
    majors: () => segments.majors,
    segmentRows(major) {
      const segment = find(major);
      return segment < 0 ? 0 : segments.starts[segment + 1] - segments.starts[segment];
    },
    cursor(range) {
      assert(!dense, 'cursor() is for sparse runs');
      return sparseCursor(file, range);
    },
    async *cursorOver(ranges) {
      assert(!dense, 'cursorOver() is for sparse runs');
      const block = newBlock(file);
      try {
        for await (const range of ranges) yield* sparseRows(file, range, block);
      } finally {
        block.close();
      }
    },
    denseCursor(range, reading) {
      assert(dense, 'denseCursor() is for dense runs');
      return denseCursor(file, range, reading);
    },
    groupedCursor(range) {
      assert(dense, 'groupedCursor() is for dense runs');
      return groupedCursor(file, range);
    },
    rowBlocks() {
      assert(dense, 'rowBlocks() is for dense runs');
      const block = newBlock(file);
      return (range) => rowBlocks(file, range, block);
    },
    async denseBlock(major, row) {
      assert(dense, 'denseBlock() is for dense runs');
      const segment = find(major);
      assert(segment >= 0, `major ${major} has rows`);
      const start = segments.starts[segment];
      const end = segments.starts[segment + 1];
      assert(row >= 0 && row < end - start, `major ${major} has a row ${row}`);
      const batch = Math.floor((start + row) / facts.batchRows);
      const base = batch * facts.batchRows;
      const from = Math.max(start, base);
      const to = Math.min(end, base + facts.batchRows);
      let block = underway.get(from);
      if (block === undefined) {
        block = newBlock(file)
          .read(batch)
          .then((read) => ({
            first: from - start,
            length: to - from,
            columns: read.map((column) => column.slice(from - base, to - base)),
          }))
          .finally(() => underway.delete(from));
        underway.set(from, block);
      }
      return block;
    },
  };
}

async function* sparseCursor(file: RunFile, range: Interval | undefined): AsyncGenerator<Batch> {
  const block = newBlock(file);
  try {
    yield* sparseRows(file, range, block);
  } finally {
    block.close();
  }
}

async function* sparseRows(
  file: RunFile,
  range: Interval | undefined,
  block: BatchReader,
): AsyncGenerator<Batch> {
  const { majors } = file.facts.segments;
  const step = file.facts.spec.strict ? 1 : 0;
  let segment = -1;
  let before = 0;
  const read = file.facts.compact ? packedPieces : pieces;
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
    yield { major: majors[segment], length: piece.length, minor, payload: piece.columns.slice(1) };
  }
}

function denseCursor(file: RunFile, range: Interval | undefined, reading: Reading | undefined): DenseCursor {
  const { majors, starts } = file.facts.segments;
  const block = newBlock(file, reading);
  const shape = (segment: number, row: number, length: number, columns: Column[]): DenseBatch => ({
    ...{ major: majors[segment], first: row - starts[segment], length, columns },
  });
  return shapedPieces(file, range, block, shape, block.close);
}

function groupedCursor(file: RunFile, range: Interval | undefined): Grouped {
  const { majors } = file.facts.segments;
  const block = newBlock(file);
  const shape = (segment: number, _row: number, length: number, columns: Column[]): Batch => {
    const [minor, ...payload] = columns as [Uint32Array, ...Column[]];
    return { major: majors[segment], length, minor, payload };
  };
  return shapedPieces(file, range, block, shape, block.close);
}
