/** The line of best play from a position of a keyed game: each side plays the first of its best moves. */

import { UserError } from '../../operators/core/errors.js';
import type { Side } from '../game/game.js';
import { stipulations } from '../game/stipulation.js';
import type { KeyedMove, KeyedProber, ProbedPosition } from './keyed-prober.js';

/** A move of the line, and who makes it. */
export interface KeyedStep<Position> extends KeyedMove<Position> {
  readonly mover: Side;
}

/** Best play by both sides from a position. */
export interface KeyedLine<Position> {
  readonly start: ProbedPosition<Position>;
  /** Empty if the position is drawn or over. */
  readonly steps: readonly KeyedStep<Position>[];
}

/**
 * The line from a won or lost position to the end of the game. It ends because each move takes a ply off.
 *
 * @throws UserError under `wdl`, which holds no distances, and if the position cannot be reached.
 */
export async function keyedLine<Position>(
  prober: KeyedProber<Position>,
  position: Position,
): Promise<KeyedLine<Position>> {
  if (!stipulations[prober.metric].plies)
    throw new UserError(
      `metric ${prober.metric} holds no distances, so it has no main line: use --metric dtw`,
    );
  const start = await prober.probe(position);
  const steps: KeyedStep<Position>[] = [];
  for (let here = start; start.wdl !== 'draw' && !here.isOver; ) {
    const best = here.moves[0];
    steps.push({ ...best, mover: here.mover });
    here = await prober.probe(best.after);
  }
  return { start, steps };
}
