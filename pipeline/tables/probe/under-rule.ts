/** A prober with verdicts under the 50-move rule for metrics that ignore the rule: where these do not decide, it looks the position up under a metric that does. */
import type { Metric } from '../../game/value.js';
import type { Probed, Prober } from './probed.js';
import {
  type Category,
  type Coded,
  compareMoves,
  isUnsure,
  type Judged,
  judgedAs,
  RULE_METRICS,
  settledBy,
  withBest,
} from './verdict.js';

/**
 * Plies stay those of the prober's metric; categories, the order of moves and `wdl` change where the metric alone cannot tell. A prober
 * under one of {@link RULE_METRICS} is returned as it is.
 * @param metrics those that the game may have values for.
 * @param probeUnder the position under one of the metrics that know the rule, asked for only where `prober` cannot tell; null if it has
 * no value there. What it throws is thrown on.
 */
export function underRule<Board>(
  prober: Prober<Board>,
  metrics: readonly Metric[],
  probeUnder: (metric: Metric, board: Board) => Promise<Probed<Board> | null>,
): Prober<Board> {
  const { metric } = prober;
  if (RULE_METRICS.includes(metric)) return prober;
  const ruling = RULE_METRICS.filter((each) => metrics.includes(each));

  async function byRule(board: Board): Promise<Probed<Board> | null> {
    for (const each of ruling) {
      const ruled = await probeUnder(each, board);
      if (ruled !== null) return ruled;
    }
    return null;
  }

  const judgedBy = (known: Judged & Coded, ruled: Category | undefined) =>
    judgedAs(ruled === undefined ? known.category : settledBy(known.category, ruled), known, metric);

  async function probe(board: Board): Promise<Probed<Board>> {
    const found = await prober.probe(board);
    const isOpen = isUnsure(found.category) || found.moves.some(({ category }) => isUnsure(category));
    const ruled = isOpen ? await byRule(board) : null;
    if (ruled === null) return found;
    const categories = new Map(ruled.moves.map(({ uci, category }) => [uci, category]));
    const moves = found.moves
      .map((move) => ({ ...move, ...judgedBy(move, categories.get(move.uci)) }))
      .sort((a, b) => compareMoves(a, b));
    const own = judgedBy(found, ruled.category);
    const category = withBest(own.category, moves[0]?.category);
    return { code: found.code, ...judgedAs(category, found, metric), moves };
  }

  return { metric, probe, code: (board) => prober.code(board) };
}
