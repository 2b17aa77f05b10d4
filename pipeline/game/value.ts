/**
 * Values as tables hold them: one signed integer a position, from the mover's side.
 *   n > 0: won in n plies;  0: drawn;  n < 0: lost in -n - 1 plies (-1: lost now).  The type's minimum: broken index.
 * A column is i8 when every value fits, else i16. What plies count, and what else a value has, the metric's stipulation says. Without
 * plies wins are 1 and losses -1. Where values may be cursed, more plies than {@link RULE_PLIES} mean that the winner cannot win under the
 * 50-move rule. Where values go by clock, codes are those with the clock at 0; a ladder (pipeline/tables/ladders.ts) has those of later
 * clocks.
 */
import { type Metric, stipulations } from './stipulation.js';

export { type Metric, metrics } from './stipulation.js';

/**
 * The 50-move rule: a game is drawn after so many plies in a row without a zeroing move, unless the last of them
 * mates. A zeroing move is a capture or a move of a pawn.
 */
export const RULE_PLIES = 100;

export type ValueColumn = Int8Array | Int16Array;

/** A column of so many zeroes. */
export function newValueColumn(type: 'i8' | 'i16', length: number): ValueColumn {
  return type === 'i8' ? new Int8Array(length) : new Int16Array(length);
}

/** The least ply count that needs i16. */
export const WIDE_PLIES = 127;

/** The code of a broken index in a column of the given type. */
export function brokenCode(type: 'i8' | 'i16'): number {
  return type === 'i8' ? -128 : -32768;
}

export function brokenIn(column: ValueColumn): number {
  return column.BYTES_PER_ELEMENT === 1 ? -128 : -32768;
}

/** For the mover. A cursed win is a draw by the 50-move rule, and so is a blessed loss; only metrics whose `rule50` is `cursed` have them. */
export type Wdl = 'win' | 'cursed win' | 'draw' | 'blessed loss' | 'loss';

/** All outcomes, from the worst to the best for the mover. */
export const OUTCOMES: readonly Wdl[] = ['loss', 'blessed loss', 'draw', 'cursed win', 'win'];

/** The place of an outcome in {@link OUTCOMES}: the better it is for the mover, the higher. */
export function outcomeRank({ wdl }: Pick<Value, 'wdl'>): number {
  return OUTCOMES.indexOf(wdl);
}

/** The value of a position, for the side to move. */
export interface Value {
  readonly wdl: Wdl;
  /** Plies to the end that the metric counts to; null for draws, and if the metric counts none. */
  readonly plies: number | null;
}

/** Plies of a code that is no draw. */
export function pliesOfCode(code: number): number {
  return code > 0 ? code : -code - 1;
}

/**
 * Decodes a code that is not broken. `clock`: plies since the last zeroing move. Under a metric with cursed wins a win is cursed if
 * `clock` and the plies to the next zeroing move are together more than the 50-move rule allows.
 */
export function decodeValue(code: number, metric: Metric, clock = 0): Value {
  if (code === 0) return { wdl: 'draw', plies: null };
  const plies = pliesOfCode(code);
  const { plies: hasPlies, rule50 } = stipulations[metric];
  if (!hasPlies) return { wdl: code > 0 ? 'win' : 'loss', plies: null };
  const inTime = rule50 !== 'cursed' || clock + plies <= RULE_PLIES;
  return { wdl: code > 0 ? (inTime ? 'win' : 'cursed win') : inTime ? 'loss' : 'blessed loss', plies };
}

/**
 * The code that a successor's value gives to its predecessor by one move, for the mover of the predecessor.
 * `restarts`: whether the metric's count restarts with the move (see `Dependency.restarts`); moves within a slice
 * never restart it. The position after such a move has depth 0 (Wendroff et al. 1993, section 2, as "max-to-win").
 * Under a metric with cursed wins it has depth 100 if the rest of the game cannot be won under the 50-move rule. So cursed wins stay
 * cursed (Koistinen 2001, "What should the result be"). Where no plies are counted, every count restarts; where values go by clock, none.
 */
export function backUp(code: number, metric: Metric, restarts: boolean): number {
  if (code === 0) return 0;
  const counted = pliesOfCode(code);
  const { plies: hasPlies, rule50 } = stipulations[metric];
  const restarted = rule50 === 'cursed' && counted > RULE_PLIES ? RULE_PLIES : 0;
  const plies = (restarts && rule50 !== 'clocked') || !hasPlies ? restarted : counted;
  return code < 0 ? plies + 1 : -(plies + 1) - 1;
}

/** Whether {@link backUp} depends on the plies of the successor, not only on its result. */
export function asksPlies(metric: Metric, restarts: boolean): boolean {
  const { plies, rule50 } = stipulations[metric];
  return rule50 === 'cursed' || (plies && !restarts);
}

/**
 * Orders codes by what the mover prefers, in 16 bits: more is better. Wins by fewer plies, then draws, then losses by
 * more. At least 1; `BROKEN_RANK` is the rank of no code.
 */
export function preference(code: number): number {
  return code > 0 ? 0x10000 - code : code === 0 ? 0x8000 : Math.min(-code, BROKEN_RANK - 1);
}

/** The rank that may stand for a broken index. */
export const BROKEN_RANK = 0x7fff;

/** The inverse of {@link preference}. */
export function fromPreference(rank: number): number {
  return rank > 0x8000 ? 0x10000 - rank : rank === 0x8000 ? 0 : -rank;
}
