/** Remembers the positions looked at last, so that taking back and playing on need not ask again. */
import type { PositionAnswer } from '../server/shapes.js';
import type { TableSource } from './source.js';

const MOST = 500;

export function cachedSource(source: TableSource): TableSource {
  // A Map keeps the order of insertion: the first is the one not asked for the longest.
  const known = new Map<string, Promise<PositionAnswer>>();
  return {
    ...source,
    probe(game, metric, position) {
      const name = [game, metric, position].join('\n');
      const answer = known.get(name) ?? source.probe(game, metric, position);
      known.delete(name);
      known.set(name, answer);
      answer.catch(() => known.delete(name));
      if (known.size > MOST) known.delete(known.keys().next().value!);
      return answer;
    },
  };
}
