/**
 * Cuts the symbols of a file into tokens: runs, and copies of the symbols one row back. Don't-cares agree with anything, so
 * a copy goes on through them; they get the value that the token gives them.
 *
 * The token that reaches farthest is taken, a copy only if it reaches clearly farther than a run. A run gives back the
 * don't-cares at its end if runs of the next value are longer on the whole. In a slice that is lost here and won there with
 * drawn positions strewn in, the drawn ones become runs of one.
 */
import { assert } from '../../../../operators/core/errors.js';
import { newRunList, RUNS } from '../run-list.js';
import { WDL_VALUES } from '../symbols.js';
import { COPY, LONGEST_TOKEN } from './alphabet.js';
import {
  applyToken,
  contextOf,
  hasRow,
  kindFor,
  LONGEST_ROW,
  literalContextOf,
  newRowState,
  type RowState,
  startBlock,
} from './row-state.js';

/** How many symbols are taken over before those that are not needed any more make room. */
const BATCH = 1 << 18;

/** A copy makes no more runs than this, and a block with more than this is full: so it never has more than RUNS. */
const MANY_RUNS = RUNS / 2;

export interface Parser {
  /** The state that the next token is coded in, and the token itself: valid after `next` returned true. */
  readonly token: Token;
  readonly state: RowState;
  /** Takes symbols over, up to all of them; returns how many. */
  feed(symbols: Uint8Array): number;
  /** Finds the next token; false if more symbols must be fed first, or with `ending`, if none are left. */
  next(ending: boolean): boolean;
  /** The token is coded: goes on after it. */
  accept(): void;
  /** Begins a new block where the last token that was accepted ends; `next` must be asked again. */
  startBlock(): void;
  /** No further token may go into the block. */
  full(): boolean;
}

export interface Token {
  context: number;
  kind: number;
  length: number;
  /** Of a run. */
  value: number;
  /** The context of the literal, if there is one: of a run of kind OTHER of more than three values. */
  literalContext: number;
}

/** @param rows see `usedRows`. @param values how many there are; the next number is that of don't-cares. */
export function newParser(rows: readonly number[], values: number): Parser {
  const any = values;
  /** A copy reaches by so much farther than a run, which says less about what comes after it. With a literal a run takes more bits. */
  const margin = values === WDL_VALUES ? 7 : 1;
  const longestRow = Math.max(0, ...rows);
  assert(longestRow <= LONGEST_ROW, 'rows are no longer than what is kept');
  /** Up to `at` the values given, from there on symbols. */
  const window = new Uint8Array(longestRow + LONGEST_TOKEN + BATCH);
  let held = 0;
  let at = 0;
  const state = newRowState(newRunList(), values);
  const token: Token = { context: 0, kind: 0, length: 0, value: 0, literalContext: 0 };
  /** Per value: runs, and what they cover up to their last position that is no don't-care. */
  const runs = new Float64Array(values).fill(1);
  const covered = new Float64Array(values).fill(1);
  /** The run that was found: its value, its length, and the length without the don't-cares at its end. */
  let value = 0;
  let reach = 0;
  let cared = 0;

  function findRun(end: number): void {
    let to = at;
    while (to < end && window[to] === any) to++;
    value = to < end ? window[to] : state.last;
    let caredTo = at;
    for (; to < end; to++) {
      const symbol = window[to];
      if (symbol === value) caredTo = to + 1;
      else if (symbol !== any) break;
    }
    reach = to - at;
    cared = caredTo - at;
  }

  /** How far the symbols agree with what stands `row` positions back, this being repeated where it ends. */
  function reachOfCopy(row: number, end: number): number {
    let to = at;
    let from = at - row;
    for (; to < end; to++) {
      const symbol = window[to];
      if (symbol !== any && symbol !== window[from]) break;
      if (++from === at) from = at - row;
    }
    return to - at;
  }

  function endsEarly(): boolean {
    if (at + reach >= held) return false;
    const next = window[at + reach];
    return cared > 0 && next !== any && covered[value] * runs[next] < covered[next] * runs[value];
  }

  return {
    token,
    state,
    feed(symbols) {
      const needed = at - longestRow;
      if (needed > 0 && held + symbols.length > window.length) {
        window.copyWithin(0, needed, held);
        held -= needed;
        at -= needed;
      }
      const taken = Math.min(symbols.length, window.length - held);
      window.set(symbols.subarray(0, taken), held);
      held += taken;
      return taken;
    },
    next(ending) {
      if (at === held || (!ending && held - at < LONGEST_TOKEN + 1)) return false;
      token.context = contextOf(state);
      const end = Math.min(held, at + LONGEST_TOKEN);
      findRun(end);
      let longest = reach;
      token.kind = kindFor(state, value);
      const copyEnd = Math.min(end, at + MANY_RUNS);
      for (let row = 0; row < rows.length; row++) {
        if (!hasRow(state, row)) continue;
        const length = reachOfCopy(rows[row], copyEnd);
        if (length <= longest + (longest >>> 3) + (token.kind < COPY ? margin : 0)) continue;
        longest = length;
        token.kind = COPY + row;
      }
      token.length = token.kind < COPY && endsEarly() ? cared : longest;
      token.value = value;
      token.literalContext = literalContextOf(state);
      return true;
    },
    accept() {
      const { kind, length } = token;
      if (kind < COPY) {
        window.fill(value, at, at + length);
        runs[value]++;
        covered[value] += cared;
      } else {
        const row = rows[kind - COPY];
        for (let to = at; to < at + length; to++) window[to] = window[to - row];
      }
      applyToken(state, kind, length, value);
      at += length;
    },
    startBlock: () => startBlock(state, rows),
    full: () => state.list.count > MANY_RUNS,
  };
}
