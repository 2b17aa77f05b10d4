/** Positions of games, looked up by what the page has. */

import type { Value } from '../../../pipeline/game/value.js';
import type { GameAnswer } from '../../server/api-answers.js';
import { type Lookup, underAny } from '../../study/check-study.js';
import { menOf } from '../../study/position-text.js';
import type { Shown } from '../line.js';
import { NoValueError, type TableSource } from '../source.js';
import { verdictOf } from '../value-words.js';

/** As `study` takes them: plies with bounds are no distance to compare. */
function judged({ wdl, plies, most }: Value & { readonly most?: Value | undefined }) {
  return {
    plies: most === undefined ? plies : null,
    ...(most !== undefined && most.wdl !== wdl && { most: most.wdl }),
  };
}

/** No table has more men, nor rights to castle. */
const MOST_MEN = 7;

/** Under the metric that is shown, if chess is; then under the others that there are tables of chess with. */
export function lookupBy(source: TableSource, games: readonly GameAnswer[], { game, metric }: Shown): Lookup {
  const metrics = games.find(({ name }) => name === 'chess')?.metrics ?? [];
  const shown = metrics.filter((each) => game.name === 'chess' && each === metric);
  const others = metrics.filter((each) => !shown.includes(each));
  const underEach = underAny(
    [...shown, ...others].map((each) => (position) => probe(source, each, position)),
  );
  return async (fen) => {
    const [, , castling] = fen.split(' ');
    return menOf(fen) > MOST_MEN || (castling ?? '-') !== '-' ? null : underEach(fen);
  };
}

async function probe(source: TableSource, metric: Shown['metric'], position: string): ReturnType<Lookup> {
  try {
    const { most, promotions, moves, ...found } = await source.probe('chess', metric, position);
    // Values of a game with fewer promotions judge nothing.
    if (promotions !== undefined) return null;
    return {
      ...found,
      ...judged({ ...found, most }),
      ...(most !== undefined && { known: verdictOf({ ...found, most, moves }) }),
      moves: moves.map(({ most, ...move }) => ({ ...move, ...judged({ ...move, most }) })),
    };
  } catch (error) {
    if (error instanceof NoValueError) return null;
    throw error;
  }
}
