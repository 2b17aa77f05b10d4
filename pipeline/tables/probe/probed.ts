/** Answers of probers, however values are stored. */
import type { Move } from '../../game/game.js';
import type { Metric } from '../../game/value.js';
import type { Judged } from './verdict.js';

export interface ProbedMove<Board> extends Move<Board>, Judged {
  /**
   * The value of the move for the mover, as a code of pipeline/game/value.ts: plies counted from the position before it. Codes do not depend on
   * the clock; `wdl` and `category` do ({@link Game.clock}).
   */
  readonly code: number;
  /** The number of the position that it leads to; left out where the metric has no numbers. */
  readonly number?: number;
  /** The move leaves the slice. */
  readonly conversion: boolean;
  /** The metric's count restarts with the move: under `dtz` it is a zeroing move. */
  readonly restarts: boolean;
}

/** A position's value, and its moves. */
export interface Probed<Board> extends Judged {
  readonly code: number;
  /** Of shortest solutions, or of best moves, as the stipulation has it; 255 stands for more, too. Left out where the metric has no numbers. */
  readonly number?: number;
  /** All legal moves, best first: by category, then wins by fewer plies, losses by more, then by their uci names. */
  readonly moves: readonly ProbedMove<Board>[];
}

/** Looks positions up in solved tables. */
export interface Prober<Board> {
  readonly metric: Metric;
  /**
   * @throws UserError if no slice can hold the board or its table is not in the store. StorageError if a table is
   * damaged, or gives the position another value than its moves give it.
   */
  probe(board: Board): Promise<Probed<Board>>;
  /** The code of the board alone, without a look at its moves. Throws as {@link probe}. */
  code(board: Board): Promise<number>;
}
