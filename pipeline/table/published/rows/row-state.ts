/**
 * What coder and decoder know alike at a position of a block: the runs so far, the token before, and how the rows go on,
 * which is what stands one row length back. From that follows the context in which the next token is coded.
 */
import { appendRun, positionsOf, type RunList } from '../run-list.js';
import { COPY, KINDS, OTHER, PREVIOUS, ROWS, SAME } from './alphabet.js';

/** Longer rows are not used: the coder keeps that many positions. */
export const LONGEST_ROW = 1 << 20;

/** How a row goes on: one of three values, for a length of five sizes; or it is not there. */
const SIZES = 5;
const NO_ROW = 3 * SIZES;
const ROW_STATES = NO_ROW + 1;
/** The kind of the token before the first. */
const START = KINDS;
export const CONTEXTS = 9 * (KINDS + 1) * ROW_STATES ** ROWS;

/** The rows that are used, of those a file has. */
export function usedRows(rows: readonly number[]): number[] {
  return rows.filter((row) => row > 1 && row <= LONGEST_ROW).slice(0, ROWS);
}

export interface RowState {
  readonly list: RunList;
  rows: readonly number[];
  /** Per row: the run in which the position one row back is, as far as it was looked for. */
  readonly runs: Uint32Array;
  /** Of the last token. */
  kind: number;
  /** The last value, and the value of the run before its run; a block begins as if it were 0 after 1. */
  last: number;
  previous: number;
}

export function newRowState(list: RunList): RowState {
  return { list, rows: [], runs: new Uint32Array(ROWS), kind: START, last: 0, previous: 1 };
}

/** Forgets all for a new block. `rows`: see {@link usedRows}. */
export function startBlock(state: RowState, rows: readonly number[]): void {
  state.list.count = 0;
  state.rows = rows;
  state.runs.fill(0);
  state.kind = START;
  noteValues(state);
}

function noteValues(state: RowState): void {
  const { count, values } = state.list;
  state.last = count > 0 ? values[count - 1] : 0;
  state.previous = count > 1 ? values[count - 2] : state.last === 0 ? 1 : 0;
}

/** The context of the next token, below {@link CONTEXTS}. */
export function contextOf(state: RowState): number {
  let context = (3 * state.last + state.previous) * (KINDS + 1) + state.kind;
  for (let row = 0; row < ROWS; row++) context = context * ROW_STATES + rowState(state, row);
  return context;
}

function rowState({ list, rows, runs }: RowState, row: number): number {
  const position = positionsOf(list);
  if (row >= rows.length || position < rows[row]) return NO_ROW;
  const { ends, values } = list;
  const back = position - rows[row];
  let run = runs[row];
  while (ends[run] <= back) run++;
  runs[row] = run;
  const rest = ends[run] - back;
  return values[run] * SIZES + sizeOf(rest);
}

function sizeOf(rest: number): number {
  if (rest < 8) return rest < 3 ? rest - 1 : 2;
  return rest < 32 ? 3 : 4;
}

/** Whether a row can be copied from: {@link contextOf} was asked for and found it. */
export function hasRow({ list, rows }: RowState, row: number): boolean {
  return row < rows.length && positionsOf(list) >= rows[row];
}

/** The value that a token of kind SAME, PREVIOUS or OTHER makes a run of. */
export function valueOf({ last, previous }: RowState, kind: number): number {
  return kind === SAME ? last : kind === PREVIOUS ? previous : 3 - last - previous;
}

/** The inverse of {@link valueOf}. */
export function kindFor({ last, previous }: RowState, value: number): number {
  return value === last ? SAME : value === previous ? PREVIOUS : OTHER;
}

/** Appends what the token says: a run, or a copy of what stands one row back, which may reach into itself. */
export function applyToken(state: RowState, kind: number, length: number): void {
  if (kind < COPY) appendRun(state.list, valueOf(state, kind), length);
  else copyRow(state, kind - COPY, length);
  state.kind = kind;
  noteValues(state);
}

function copyRow({ list, rows, runs }: RowState, row: number, length: number): void {
  const { ends, values } = list;
  let back = positionsOf(list) - rows[row];
  let run = runs[row];
  for (let left = length; left > 0; ) {
    while (ends[run] <= back) run++;
    const piece = Math.min(left, ends[run] - back);
    appendRun(list, values[run], piece);
    back += piece;
    left -= piece;
  }
  runs[row] = run;
}
