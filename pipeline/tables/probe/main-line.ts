/** The line of best play from a position: each side plays the first of its best moves. */

import { UserError } from '../../../operators/core/errors.js';
import type { Game } from '../../game/game.js';
import { stipulations } from '../../game/stipulation.js';
import { RULE_PLIES, type Wdl } from '../../game/value.js';
import type { Probed, ProbedMove, Prober } from './prober.js';

/** Best play by both sides from a position. */
export interface MainLine<Board> {
  /** The position asked about. */
  readonly start: Probed<Board>;
  /** Empty if the position is drawn or over. */
  readonly steps: readonly ProbedMove<Board>[];
  /** For the side to move at the start. */
  readonly result: Wdl;
  /** The line ends before the game does, at a position whose value is assumed, or looked up in other files than tables (`SliceIndex`). */
  readonly isCut: boolean;
  /** The number of plies after which the 50-move rule draws the game, though the line goes on; null, if it does not. */
  readonly ruleDrawsAt: number | null;
}

/**
 * The line from a won or lost position to its end. Under `dtc` each of its sections is as short as can be up to a
 * conversion. Under `dtz` it is so up to a zeroing move, where the next table takes over. A cursed win is played on
 * to its end, as if there were no 50-move rule. The line ends because within a slice the plies of a position are one
 * more than those of its best successor (the prober insists). And slices form no cycle.
 * @throws UserError under `wdl`, which holds no distances; and what {@link Prober.probe} throws.
 */
export async function mainLine<Board>(
  game: Game<Board>,
  prober: Prober<Board>,
  board: Board,
): Promise<MainLine<Board>> {
  const { plies, restartsAt } = stipulations[prober.metric];
  if (!plies) {
    const others = game.metrics.filter((metric) => stipulations[metric].plies).join(' or ');
    throw new UserError(
      `metric ${prober.metric} holds no distances, so it has no main line: use --metric ${others}`,
    );
  }
  const start = await prober.probe(board);
  const steps: ProbedMove<Board>[] = [];
  let here = start;
  let at = board;
  let quiet = game.clock?.(board) ?? 0;
  const isZeroed = restartsAt === 'zeroing move';
  const hasRule = isZeroed || game.clock !== undefined;
  const isCounted = hasRule && start.wdl !== 'draw' && game.terminal(board) === 'open';
  let ruleDrawsAt: number | null = isCounted && quiet >= RULE_PLIES ? 0 : null;
  let isCut = false;
  while (start.wdl !== 'draw' && game.terminal(at) === 'open') {
    const best = here.moves[0];
    steps.push(best);
    at = best.board;
    // Only conversions lead there.
    if (best.conversion && game.terminal(at) === 'open') {
      const { lookedUp, assumed } = game.slice(game.locate(at).slice);
      isCut = lookedUp === true || assumed !== undefined;
    }
    if (isCut) break;
    here = await prober.probe(at);
    quiet = isZeroed ? (best.restarts ? 0 : quiet + 1) : (game.clock?.(at) ?? 0);
    // A player who mates with the last ply has won.
    if (hasRule && quiet === RULE_PLIES && game.terminal(at) === 'open') {
      ruleDrawsAt ??= steps.length;
    }
  }
  return { start, steps, result: start.wdl, isCut, ruleDrawsAt };
}
