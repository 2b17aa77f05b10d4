/**
 * State that coder and decoder share at a position of a block. It is the runs so far, the token before, and how the
 * two rows go on, one row length back. The context in which the next token is coded follows from this state.
 */
import type { RunList } from '../run-list.js';
import { WDL_VALUES } from '../symbols.js';
import { COPY, KINDS, OTHER, PREVIOUS, ROWS, SAME } from './alphabet.js';

/** Longer rows are not used: the coder keeps that many positions. */
export const LONGEST_ROW = 1 << 20;

/** How a row goes on: one of three classes of values, for a length of five sizes; or it is not there. */
const SIZES = 5;
const NO_ROW = 3 * SIZES;
const WAYS = NO_ROW + 1;
/** The kind of the token before the first. */
const START = KINDS;
export const CONTEXTS = 9 * (KINDS + 1) * WAYS ** ROWS;

/** Literals go by the value one row back, or none, and the size of the last value: how many binary digits it has. */
const NO_VALUE = 255;
const DIGITS = 9;
export const LITERAL_CONTEXTS = (NO_VALUE + 1) * DIGITS;

/** A row length that no position has reached. */
const NEVER = 2 ** 31 - 1;

/** The lengths of the rows of a file that are used: periods of its slice. */
export function usedRows(periods: readonly number[]): number[] {
  return periods.filter((period) => period > 1 && period <= LONGEST_ROW).slice(0, ROWS);
}

export interface RowState {
  /** How many values there are. */
  readonly values: number;
  readonly list: RunList;
  /** How many positions the runs have. */
  position: number;
  row0: number;
  row1: number;
  /** The runs in which the positions one row back are, as far as they were looked for. */
  run0: number;
  run1: number;
  /** Belongs to the last token. */
  kind: number;
  /** The last value, and the value of the run before its run; a block begins as if it were 0 after 1. */
  last: number;
  previous: number;
}

export function newRowState(list: RunList, values: number): RowState {
  return {
    values,
    list,
    position: 0,
    row0: NEVER,
    row1: NEVER,
    run0: 0,
    run1: 0,
    kind: START,
    last: 0,
    previous: 1,
  };
}

/** Forgets all for a new block. `rows`: see {@link usedRows}. */
export function startBlock(state: RowState, rows: readonly number[]): void {
  state.list.count = 0;
  state.position = 0;
  state.row0 = rows[0] ?? NEVER;
  state.row1 = rows[1] ?? NEVER;
  state.run0 = 0;
  state.run1 = 0;
  state.kind = START;
  state.last = 0;
  state.previous = 1;
}

/** The context of the next token, below {@link CONTEXTS}. */
export function contextOf(state: RowState): number {
  const { list, position, row0, row1 } = state;
  let way0 = NO_ROW;
  if (position >= row0) {
    state.run0 = runAt(list.ends, state.run0, position - row0);
    way0 = wayOf(state, state.run0, position - row0);
  }
  let way1 = NO_ROW;
  if (position >= row1) {
    state.run1 = runAt(list.ends, state.run1, position - row1);
    way1 = wayOf(state, state.run1, position - row1);
  }
  const before = 3 * classOf(state.last, state.values) + classOf(state.previous, state.values);
  return ((before * (KINDS + 1) + state.kind) * WAYS + way0) * WAYS + way1;
}

/** Three values are classes of their own; of more, the least and the greatest. */
function classOf(value: number, values: number): number {
  if (values === WDL_VALUES) return value;
  return value === 0 ? 0 : value === values - 1 ? 2 : 1;
}

/** The context of the literal of a token whose context was just found, below {@link LITERAL_CONTEXTS}. */
export function literalContextOf({ list, position, row0, run0, last }: RowState): number {
  const above = position >= row0 ? list.values[run0] : NO_VALUE;
  return above * DIGITS + 32 - Math.clz32(last);
}

/** The run that `position` is in; not before run `from`. */
function runAt(ends: Uint32Array, from: number, position: number): number {
  let run = from;
  while (ends[run] <= position) run++;
  return run;
}

function wayOf({ list, values, last, previous }: RowState, run: number, position: number): number {
  const rest = list.ends[run] - position;
  const size = rest < 8 ? (rest < 3 ? rest - 1 : 2) : rest < 32 ? 3 : 4;
  const value = list.values[run];
  // Of many values it matters whether the row has one of those that a token can name without a literal.
  const way = values === WDL_VALUES ? value : value === last ? 0 : value === previous ? 1 : 2;
  return way * SIZES + size;
}

/** Whether a row can be copied from. */
export function hasRow({ position, row0, row1 }: RowState, row: number): boolean {
  return position >= (row === 0 ? row0 : row1);
}

/** The value that a token of kind SAME, PREVIOUS or, of three values, OTHER makes a run of. Of more values a literal follows OTHER. */
export function valueFor({ last, previous }: RowState, kind: number): number {
  return kind === SAME ? last : kind === PREVIOUS ? previous : 3 - last - previous;
}

/** The inverse of {@link valueFor}. */
export function kindFor({ last, previous }: RowState, value: number): number {
  return value === last ? SAME : value === previous ? PREVIOUS : OTHER;
}

/**
 * Appends the positions of a token: a run, or a copy of the positions one row back, which may reach into itself.
 * @param value of a run; copies have their own.
 */
export function applyToken(state: RowState, kind: number, length: number, value: number): void {
  if (kind < COPY) append(state, value, length);
  else if (kind === COPY) state.run0 = copyRow(state, state.row0, state.run0, length);
  else state.run1 = copyRow(state, state.row1, state.run1, length);
  state.kind = kind;
}

function append(state: RowState, value: number, length: number): void {
  const { list, position } = state;
  const end = position + length;
  state.position = end;
  const { count } = list;
  if (count > 0 && state.last === value) {
    list.ends[count - 1] = end;
    return;
  }
  list.ends[count] = end;
  list.values[count] = value;
  list.count = count + 1;
  state.previous = count > 0 ? state.last : value === 0 ? 1 : 0;
  state.last = value;
}

/** Returns the run that it ends in. */
function copyRow(state: RowState, row: number, from: number, length: number): number {
  const { ends, values } = state.list;
  let back = state.position - row;
  let run = from;
  for (let left = length; left > 0; ) {
    run = runAt(ends, run, back);
    const piece = Math.min(left, ends[run] - back);
    append(state, values[run], piece);
    back += piece;
    left -= piece;
  }
  return run;
}
