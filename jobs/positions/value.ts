/** A value and its JSON, the same in answers on positions and in rows. */
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { Wdl } from '../../pipeline/game/value.js';
import type { Category } from '../../pipeline/tables/probe/verdict.js';
import { rangeWords } from '../ui/range.js';
import { outcomeWord, problemText } from '../ui/verdict.js';
import type { ValueAnswer } from './shapes.js';

/** Of a position for the player to move, of a move for the player who makes it. */
export interface SolvedValue {
  readonly wdl: Wdl;
  /** Null: a draw, or a metric without distances. */
  readonly plies: number | null;
  /** Of shortest solutions, or of best moves, under metrics that have numbers; 255 stands for more, too. */
  readonly number?: number | undefined;
  /** Points by which the player wins; null in games without scores. */
  readonly score?: number | null;
  /** What the 50-move rule makes of it, in games that have the rule. Problems have no such rule, and nobody wins them. */
  readonly category?: Category;
  /** False: there may be one ply more than `plies`. */
  readonly precise?: boolean;
  /**
   * What the unknown may make of it at best: `wdl` and `plies` are then what the player is sure of. Of a problem, its value if the unknown is the
   * goal; `number` is then what is sure, if the plies are the same. Absent where all is the same, so that the value is exact.
   */
  readonly most?: Pick<SolvedValue, 'wdl' | 'plies'>;
  /** Letters of the pieces that pawns become, in the game whose value this is. Absent where the rules are those of chess. */
  readonly promotions?: string;
}

/** What is known of a value between two cases, in words. */
export function rangeText(value: SolvedValue, metric: Metric): string {
  return stipulations[metric].numbers ? problemText(value, metric) : rangeWords(value);
}

/** The fields of a value in JSON, by the names that exports have for them. */
export function valueJson(value: SolvedValue, metric: Metric): ValueAnswer {
  const { wdl, plies, number, score, category, precise, most, promotions } = value;
  return {
    outcome: outcomeWord(wdl, number !== undefined),
    plies,
    ...(number !== undefined && { solutions: number }),
    ...(most !== undefined && {
      known: rangeText(value, metric),
      most: { outcome: outcomeWord(most.wdl, number !== undefined), plies: most.plies },
    }),
    ...(promotions !== undefined && { promotions }),
    ...(score != null && { score }),
    ...(category !== undefined && number === undefined && { precise, category }),
  };
}

/** The value that JSON has. Of a solved problem the side that is to move at the goal has lost: the plies tell which one that is. */
export function valueOfJson({ outcome, solutions, score, most, ...value }: ValueAnswer): SolvedValue {
  const { plies, category, precise, promotions } = value;
  return {
    wdl: wdlOf(outcome, plies),
    plies,
    ...(solutions !== undefined && { number: solutions }),
    ...(score !== undefined && { score }),
    ...(most !== undefined && { most: { wdl: wdlOf(most.outcome, most.plies), plies: most.plies } }),
    ...(category !== undefined && { category }),
    ...(precise !== undefined && { precise }),
    ...(promotions !== undefined && { promotions }),
  };
}

function wdlOf(outcome: ValueAnswer['outcome'], plies: number | null): Wdl {
  if (outcome === 'no solution') return 'draw';
  if (outcome !== 'solved') return outcome;
  return plies !== null && plies % 2 === 0 ? 'loss' : 'win';
}
