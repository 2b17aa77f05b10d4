/** Positions of games, looked up by what the page has. */
import type { Lookup } from '../../study/check-study.js';
import type { Shown } from '../explorer.js';
import { NoValueError, type TableSource } from '../source.js';

/** No table has more men, nor rights to castle. */
const MOST_MEN = 7;

/** Under the metric that is shown, if that is one of chess; else under the first that chess has. */
export function lookupBy(source: TableSource, { game, metric }: Shown): Lookup {
  const used = game.name === 'chess' ? metric : 'dtm';
  return async (fen) => {
    const [placement = '', , castling] = fen.split(' ');
    if (placement.replace(/[^a-z]/gi, '').length > MOST_MEN || (castling ?? '-') !== '-') return null;
    try {
      return await source.probe('chess', used, fen);
    } catch (error) {
      if (error instanceof NoValueError) return null;
      throw error;
    }
  };
}
