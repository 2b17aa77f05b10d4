/** A move of a study, held against the tables. */
import type { OtherKind } from '../../pipeline/analysis/duals.js';
import type { Verdict } from '../../pipeline/analysis/judge-move.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';

/** A move with its distance in plies, null where there is none. */
export interface Alternative {
  readonly san: string;
  readonly plies: number | null;
  /** False: there may be one ply more. Left out where plies are exact. */
  readonly precise?: boolean | undefined;
  /** Of the solver's moves in a study: what this one is beside the move that was played. Left out where it was not examined. */
  readonly kind?: OtherKind;
}

export interface CheckedMove {
  readonly number: string;
  readonly san: string;
  /** 0 in the main line, 1 in a variation of it, and so on. */
  readonly depth: number;
  readonly fen: string;
  /** The metric that plies are of. */
  readonly metric: Metric;
  /** For the side that moves: before the move, and after it. */
  readonly wdl: Wdl;
  readonly after: Wdl;
  /** The best cases before the move and after it, where the outcomes are open: `wdl` and `after` are then the worst cases. */
  readonly most?: Wdl;
  readonly mostAfter?: Wdl;
  readonly plies: number | null;
  readonly precise?: boolean | undefined;
  readonly verdict: Verdict;
  /** Of the first move of a variation: what it is beside the move that it replaces. As {@link Alternative.kind}. */
  readonly kind?: OtherKind;
  /** True of the first move of a variation; else left out, as is the next. */
  readonly isFirst?: true;
  /** True of the solver's last move in its line, where duals are minor, unless it is the first move of the study. */
  readonly isLast?: true;
  /** Legal moves of the position. */
  readonly legal: number;
  /** Other moves that keep the outcome, best first. */
  readonly others: readonly Alternative[];
  /** For a mistake: the replies that make it one, best first. */
  readonly refutations: readonly string[];
}
