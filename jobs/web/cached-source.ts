/** Remembers the positions looked at last, so that taking back and playing on need not ask again. */
import { newOnce } from '../../operators/core/once.js';
import type { PositionAnswer } from '../server/api-answers.js';
import type { TableSource } from './source.js';

const MOST = 500;

export function cachedSource(source: TableSource): TableSource {
  const once = newOnce<string, PositionAnswer>(MOST);
  return {
    ...source,
    probe: (game, metric, position) =>
      once([game, metric, position].join('\n'), () => source.probe(game, metric, position)),
  };
}
