/** Answers of probers, however values are stored. */
import type { Move } from '../contract/game.js';
import type { Metric, Value } from '../formats/value.js';

/** Values that are not from tables may give plies in pairs: then there may be one ply more than `plies`. */
export interface AnsweredValue extends Value {
  readonly precise?: false;
}

export interface ProbedMove<Board> extends Move<Board>, AnsweredValue {
  /**
   * The value of the move for the mover, as a code of pipeline/formats/value.ts: plies counted from the position before it. Codes know
   * no clock; `wdl` does ({@link Game.clock}).
   */
  readonly code: number;
  /** The move leaves the slice. */
  readonly conversion: boolean;
  /** The metric's count restarts with the move: under `dtz` it is a zeroing move. */
  readonly restarts: boolean;
}

/** A position's value, and its moves. */
export interface Probed<Board> extends AnsweredValue {
  readonly code: number;
  /** All legal moves, best first: wins by fewer plies (cursed ones have more than others), draws, losses by more plies, then by their uci names. */
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
