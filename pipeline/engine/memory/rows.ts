/**
 * The rows that a slice is labelled by (pipeline/game/rows.ts), and sets of positions of a row in runs: minors are rows, the
 * payload is the set. Rows of one position have no payload.
 */
import type { ExpandKernel } from '../../../operators/expand.js';
import type { Batch, ColumnSpec, Rows } from '../../../operators/runs/types.js';
import {
  DIGIT_BITS,
  type Emission,
  type RowKernels,
  type SetColumns,
  type Side,
  type Slice,
  type SliceIndex,
  WHOLE,
} from '../../game/game.js';
import { DIRECT_LABELLING, type Labelling, labellingOf } from '../../game/labelling.js';
import { firstMajorBehind, partOf, sideOfMajor } from '../../game/majors.js';
import { hasRepeats, repeatsAmong } from '../../game/repeats.js';
import type { Metric } from '../../game/stipulation.js';
import type { Strategy } from '../../game/strategy.js';
import { EXPAND_ROWS } from './context.js';
import { type KeyedSlice, keysAsRows, NO_WORDS } from './keys-as-rows.js';

/** A slice, as far as its rows are concerned. */
export interface RowedSlice extends KeyedSlice {
  readonly rowKernels?: RowKernels | undefined;
}

/**
 * The rows that the rounds of a metric label, of one where both sides play to win unless it is given. Kernels of rows make unmoves, and only count:
 * other rounds go by keys.
 */
export function rowsOf(slice: RowedSlice, strategy: Strategy, metric?: Metric): RowKernels {
  const { unmoves, rowKernels } = slice;
  const byRows = strategy === 'count' && unmoves !== undefined;
  const rows = (byRows ? rowKernels : undefined) ?? keysAsRows(slice);
  const labelling: Labelling = metric === undefined ? DIRECT_LABELLING : labellingOf(metric);
  return labelling.goalOf === null ? rows : (rows.labelledAs?.(labelling) ?? rows);
}

/** The payload of sets. */
export const SET_COLUMNS: readonly ColumnSpec[] = [
  { name: 'low', type: 'u32' },
  { name: 'high', type: 'u32' },
];

const NO_COLUMNS: readonly ColumnSpec[] = [];

/** The payload of rows in requests and frontiers. */
export function columnsOf({ width }: Pick<RowKernels, 'width'>): readonly ColumnSpec[] {
  return width === 1 ? NO_COLUMNS : SET_COLUMNS;
}

/** Whether the rows of a batch are sets; else keys. */
export function areSets({ payload }: Batch): boolean {
  return payload.length === SET_COLUMNS.length;
}

/** The sets of a batch; keys are rows of one position. */
export function setsOf({ minor, payload }: Pick<Batch, 'minor' | 'payload'>): SetColumns {
  return payload.length === 0
    ? { minor, low: NO_WORDS, high: NO_WORDS }
    : { minor, low: payload[0] as Uint32Array, high: payload[1] as Uint32Array };
}

/** The payload of sets, for a run of these rows. */
export function payloadOf({ width }: Pick<RowKernels, 'width'>, { low, high }: Omit<SetColumns, 'minor'>) {
  return width === 1 ? [] : [low, high];
}

/** How many positions sets have together. */
export function positionsIn({ low, high }: Omit<SetColumns, 'minor'>, length: number): number {
  let positions = 0;
  for (let i = 0; i < length; i++) positions += bitsIn(low[i]) + bitsIn(high[i]);
  return positions;
}

/**
 * How many positions of a part that sets have repeat others (game/repeats.ts). Each counts once, also where it comes with several digits.
 */
export function repeatsIn(
  slice: SliceIndex,
  part: number,
  sets: Sets,
  { digitBits }: Pick<RowKernels, 'digitBits'>,
): number {
  if (!hasRepeats(slice, part)) return 0;
  const { minor, low, high, length } = digitBits === 0 ? sets : withoutDigits(sets);
  if (low.length === 0) return repeatsAmong(slice, part, minor, length);
  const repeats = slice.repeats!;
  const intervals = repeats.within(part);
  let count = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const key = 64 * minor[i];
    // Rows ascend, as the intervals do, and lie within or beyond them.
    while (at < intervals.length && intervals[at].to <= key) at++;
    if (at === intervals.length) break;
    if (key < intervals[at].from) continue;
    repeats.ofRow(key, repeated);
    count += bitsIn(low[i] & repeated[0]) + bitsIn(high[i] & repeated[1]);
  }
  return count;
}

const repeated = new Uint32Array(2);

/** Each row once, with the positions that come with any digit. */
function withoutDigits({ minor, low, high, length }: Sets): Sets {
  const joined = {
    minor: new Uint32Array(length),
    low: new Uint32Array(length),
    high: new Uint32Array(length),
  };
  let n = -1;
  for (let i = 0; i < length; i++) {
    const row = minor[i] >>> DIGIT_BITS;
    if (n < 0 || joined.minor[n] !== row) joined.minor[++n] = row;
    joined.low[n] |= low[i];
    joined.high[n] |= high[i];
  }
  return { ...joined, length: n + 1 };
}

/** The bits of a word that are set (Warren, Hacker's Delight, section 5-1). */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

type Sets = SetColumns & { readonly length: number };

/** Reads batches of keys or sets as sets of some rows. Its arrays are used again: sets are valid until the next batch. */
export class RowReader {
  private room: SetColumns = newSetColumns(0);

  constructor(private readonly rows: Pick<RowKernels, 'width' | 'digitBits' | 'numbering'>) {}

  /**
   * The batch as sets. Keys ascend, and come once. They are ends of the play, whose number is one.
   */
  read(batch: Batch): Sets {
    const { minor, length } = batch;
    if (this.rows.width === 1 || areSets(batch)) return { ...setsOf(batch), length };
    if (this.room.minor.length < length) this.room = newSetColumns(length);
    const joined = joinKeys(minor, length, this.room);
    if (this.rows.digitBits === 0) return { ...this.room, length: joined };
    return withDigits({ ...this.room, length: joined }, this.rows.numbering === 'moves' ? [0, WHOLE] : [0]);
  }
}

/** The keys of a batch as sets of rows of 64. */
export const setsOfKeys = (batch: Batch): Sets =>
  new RowReader({ width: 64, digitBits: 0, numbering: null }).read(batch);

/** Sets of rows, once for each digit. */
function withDigits({ minor, low, high, length }: Sets, digits: readonly number[]): Sets {
  const sets = { ...newSetColumns(length * digits.length), length: length * digits.length };
  for (let i = 0, n = 0; i < length; i++)
    for (const digit of digits) {
      sets.minor[n] = minor[i] * 2 ** DIGIT_BITS + digit;
      sets.low[n] = low[i];
      sets.high[n++] = high[i];
    }
  return sets;
}

const newSetColumns = (length: number): SetColumns => ({
  minor: new Uint32Array(length),
  low: new Uint32Array(length),
  high: new Uint32Array(length),
});

/** Writes keys to `into` as sets; returns how many sets these are. */
function joinKeys(keys: Uint32Array, length: number, { minor, low, high }: SetColumns): number {
  let n = -1;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    if (n < 0 || minor[n] !== key >>> 6) {
      minor[++n] = key >>> 6;
      low[n] = 0;
      high[n] = 0;
    }
    const half = (key & 32) === 0 ? low : high;
    half[n] |= 1 << (key & 31);
  }
  return n + 1;
}

/** Makes moves of the positions keys[from..to) of a part, from `from` on; returns the first that is not done. */
type MakeMoves = (
  side: Side,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  out: Emission,
) => number;

/** Writes the payload of the rows from out.length to `end`, of which row i is of a move of number source[i] of the positions. */
type PutSources = (positions: Batch, source: Uint32Array, out: Rows, end: number) => void;

/** Rows for the moves of the positions of a batch, whose majors are of sides. */
export function moveKernel(
  slice: Pick<SliceIndex, 'parts'>,
  makeMoves: MakeMoves,
  putSources: PutSources,
): ExpandKernel {
  const source = new Uint32Array(EXPAND_ROWS);
  return (batch, from, out) => {
    const { major, minor, length } = batch;
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const next = makeMoves(sideOfMajor(slice, major), partOf(slice, major), minor, from, length, emission);
    putSources(batch, source, out, emission.length);
    out.length = emission.length;
    return next;
  };
}

/** The moves in a slice; the majors that they lead to are of the other side. */
export function movesBehind(slice: Slice): MakeMoves {
  return (side, part, keys, from, to, out) =>
    slice.moves(side, part, keys, from, to, firstMajorBehind(slice, side), out);
}

/** The payload of requests: asker's major, asker's key. */
export function putAskers({ major, minor }: Batch, source: Uint32Array, out: Rows, end: number): void {
  const [askerMajor, askerKey] = out.payload as [Uint32Array, Uint32Array];
  for (let i = out.length; i < end; i++) {
    askerMajor[i] = major;
    askerKey[i] = minor[source[i]];
  }
}
