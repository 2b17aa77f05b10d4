/** Values of a keyed game from the server that serves this page. */

import type { Metric } from '../../../pipeline/game/value.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import type { KeyedProber } from '../../../pipeline/graph/keyed-prober.js';
import type { KeyedValue } from '../../../pipeline/graph/keyed-value.js';
import type { PositionAnswer, ValueAnswer } from '../../positions/shapes.js';
import { valueOfJson } from '../../positions/value.js';

/** `/probe`: the page is at `/game/NAME/`. */
const PROBE = '../../probe';

export function servedProber(game: KeyedRules, metric: Metric): KeyedProber<unknown> {
  return {
    metric,
    async probe(position) {
      const query = new URLSearchParams({ game: game.name, metric, position: game.format(position) });
      const response = await fetch(`${PROBE}?${query}`);
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error((answer as { readonly error: string }).error);
      const { mover, over, moves, ...value } = answer as PositionAnswer;
      return {
        ...keyedValue(value),
        mover: mover === game.colours[0] ? 0 : 1,
        isOver: over,
        moves: moves.map(({ move, position: after, ...value }) => ({
          ...keyedValue(value),
          name: move,
          after: game.parse(after),
        })),
      };
    },
  };
}

function keyedValue(answer: ValueAnswer): KeyedValue {
  const { wdl, plies, score = null } = valueOfJson(answer);
  return { wdl, plies, score };
}
