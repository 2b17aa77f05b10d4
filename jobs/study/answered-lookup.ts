/** Looks positions of studies up by the answers of the API or of a site, which come under all metrics at once. */
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { MetricAnswer } from '../positions/shapes.js';
import { rangeText, valueOfJson } from '../positions/value.js';
import type { KnownPosition, Lookup } from './check-study.js';
import { judged } from './judged.js';

/**
 * The plies of a study are of one metric where that is possible: once one had a position, it comes first.
 * @param answers of a position; none if no table has it.
 */
export function answeredLookup(answers: (fen: string) => Promise<readonly MetricAnswer[]>): Lookup {
  let preferred: Metric | undefined;
  return async (fen) => {
    // Values of a game with fewer promotions judge nothing, and problems have other outcomes.
    const judging = (await answers(fen)).filter(
      ({ metric, promotions }) => promotions === undefined && !stipulations[metric].numbers,
    );
    const found = judging.find(({ metric }) => metric === preferred) ?? judging[0];
    if (found === undefined) return null;
    preferred = found.metric;
    return knownOf(found);
  };
}

function knownOf(answer: MetricAnswer): KnownPosition {
  const { metric, moves, most } = answer;
  return {
    metric,
    ...judged(valueOfJson(answer)),
    ...(most !== undefined && { known: rangeText(valueOfJson(answer), metric) }),
    moves: moves.map((move) => ({
      ...judged(valueOfJson(move)),
      uci: move.uci ?? move.move,
      san: move.san ?? move.move,
      position: move.position,
    })),
  };
}
