/** What the answers to requests for positions are made of, whatever the game. */
import type { Metric } from '../../pipeline/game/stipulation.js';
import type { Solved } from '../solved/solved.js';

/** A game or graph that requests name. */
export interface ServedGame {
  readonly name: string;
  /** Throws HttpProblem 400 for text that is not a position of the game, 404 or 413 for one that cannot be answered. */
  read(text: string): unknown;
  /** The metric that a request names, or the first that there are tables of. Throws HttpProblem 400 and 404. */
  metric(named: Metric | undefined): Promise<Metric>;
  /** Those for which the position is solved, in the order of the game's; `metric` if there are none, whose error says what is missing. */
  metricsOf(position: unknown, metric: Metric): Promise<readonly Metric[]>;
  /**
   * Calls `work` with what is solved under the metric. Throws HttpProblem 404 if it is not any more. It is opened again, and `work` called a second
   * time, after errors that this may mend.
   * @param signal of a batch or a line: other requests are let through between its positions, and it ends once the client has gone.
   */
  probing<T>(
    metric: Metric,
    signal: AbortSignal | undefined,
    work: (solved: Solved) => Promise<T>,
  ): Promise<T>;
}
