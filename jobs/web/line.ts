/** The moves that were made on the board, which position of them is shown, and what is known of it. */
import type { Metric } from '../../pipeline/game/value.js';
import type { GameAnswer } from '../server/api-answers.js';
import type { NoValueError, ShownMove, ShownPosition } from './source.js';

export type LineStep = Pick<ShownMove, 'uci' | 'san' | 'position'>;

export interface Line {
  readonly start: string;
  /** Who is to move at the start; null until the position has been looked up. */
  readonly first: string | null;
  readonly steps: readonly LineStep[];
  /** So many of the steps are made; those after them can be made again. */
  readonly at: number;
}

export function newLine(start: string): Line {
  return { start, first: null, steps: [], at: 0 };
}

export function positionOf({ start, steps, at }: Line): string {
  return at === 0 ? start : steps[at - 1].position;
}

/** After a move: what could be made again stays if it begins with this move. */
export function played(line: Line, { uci, san, position }: LineStep): Line {
  const { steps, at } = line;
  if (steps[at]?.uci === uci) return { ...line, at: at + 1 };
  return { ...line, steps: [...steps.slice(0, at), { uci, san, position }], at: at + 1 };
}

/** With so many steps made, as far as there are. */
export function wound(line: Line, at: number): Line {
  return { ...line, at: Math.max(0, Math.min(line.steps.length, at)) };
}

/** One answer about a position: what all parts of the page show belongs together. */
export interface Shown {
  readonly game: GameAnswer;
  /** The metric that was chosen. That of `answer` is another one where the chosen one has no table of the position. */
  readonly metric: Metric;
  readonly line: Line;
  /** Null if the position has no value here: then `problem` says why. */
  readonly answer: ShownPosition | null;
  /** The position under the other metrics that have a value of it. */
  readonly beside: ReadonlyMap<Metric, ShownPosition>;
  readonly problem: NoValueError | null;
  /** The moves of a legal position without a value, as far as the page knows the rules. */
  readonly free: readonly LineStep[];
}
