/**
 * The words of the data plane. A row has a key of two unsigned 32-bit integers, `major` and `minor`, and payload
 * columns of integers. Order always means ascending by (major, minor). Majors are few and repeat, so an ordered batch
 * has exactly one of them and a run stores them run-length coded in its segment directory.
 */

export type Column = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array;

/** A reference to a run: enough to open it and to check that it is the right one. */
export interface RunRef {
  /** The name of the object, in its store. The run says the same of itself. */
  readonly name: string;
  /** Digest of its content, the same however rows were cut in batches: 8 hexadecimal digits. */
  readonly crc: string;
}

/** Column types by their short names; the names are what a run's metadata records. */
export type ColumnType = 'u8' | 'u16' | 'u32' | 'i8' | 'i16' | 'i32';

export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
}

/**
 * Unordered rows, as `expand` produces them: columns of at least `length` values, reused by the producer after the
 * consumer asks for the next. All payload columns of unordered rows are u32.
 */
export interface Rows {
  length: number;
  readonly major: Uint32Array;
  readonly minor: Uint32Array;
  readonly payload: readonly Uint32Array[];
}

/**
 * Ordered rows of one major: a view that is valid until the next batch is asked for. `minor` ascends (weakly, unless
 * the operator that made it says strictly). Empty batches are not passed on.
 */
export interface Batch {
  readonly major: number;
  readonly length: number;
  readonly minor: Uint32Array;
  readonly payload: readonly Column[];
}

/**
 * Rows of a dense run: one row for every minor from `first` on, so no minor column is stored. Dense runs hold labels
 * and tables: row number = position.
 */
export interface DenseBatch {
  readonly major: number;
  readonly first: number;
  readonly length: number;
  readonly columns: readonly Column[];
}

/** Batches in ascending order of majors; the minors of a major are in any order, over any number of batches. */
export type Grouped = AsyncIterable<Batch>;
/** Batches in ascending (major, minor) order. Ending the iteration early releases what the producer holds. */
export type Cursor = AsyncIterable<Batch>;
export type DenseCursor = AsyncIterable<DenseBatch>;
export type RowSource = AsyncIterable<Rows>;
