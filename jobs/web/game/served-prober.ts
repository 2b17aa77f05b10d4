/** Values of a keyed game from the server that serves this page. */

import type { Metric, Wdl } from '../../../pipeline/game/value.js';
import type { KeyedRules } from '../../../pipeline/games/keyed/keyed-rules.js';
import type { KeyedProber } from '../../../pipeline/graph/keyed-prober.js';
import type { KeyedValue } from '../../../pipeline/graph/keyed-value.js';

/** `/probe`: the page is at `/game/NAME/`. */
const PROBE = '../../probe';

interface AnsweredValue {
  readonly outcome: Wdl;
  readonly plies: number | null;
  readonly score?: number;
}

interface Answer extends AnsweredValue {
  readonly mover: string;
  readonly over: boolean;
  readonly moves: readonly (AnsweredValue & { readonly move: string; readonly position: string })[];
}

export function servedProber(game: KeyedRules, metric: Metric): KeyedProber<unknown> {
  return {
    metric,
    async probe(position) {
      const query = new URLSearchParams({ game: game.name, metric, position: game.format(position) });
      const response = await fetch(`${PROBE}?${query}`);
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error((answer as { readonly error: string }).error);
      const { mover, over, moves, ...value } = answer as Answer;
      return {
        ...valueOfAnswer(value),
        mover: mover === game.colours[0] ? 0 : 1,
        isOver: over,
        moves: moves.map(({ move, position: after, ...value }) => ({
          ...valueOfAnswer(value),
          name: move,
          after: game.parse(after),
        })),
      };
    },
  };
}

function valueOfAnswer({ outcome: wdl, plies, score }: AnsweredValue): KeyedValue {
  return { wdl, plies, score: score ?? null };
}
