/**
 * Remembers the positions looked at last, so that taking back and playing on need not request them again; and shares lists of
 * endings, which several parts of the page need at once.
 */
import { newOnce } from '../../operators/core/once.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { ShownPosition, TableSource } from './source.js';

const MOST = 500;
/** Milliseconds for which a list of endings is shared. The server looks for new tables as often. */
const FRESH = 10_000;

export function cachedSource(source: TableSource): TableSource {
  const once = newOnce<string, ShownPosition>(MOST);
  return {
    ...source,
    endings: shared((game, metric) => source.endings(game, metric)),
    files: shared((game, metric) => source.files(game, metric)),
    probe: (game, metric, position) =>
      once([game, metric, position].join('\n'), () => source.probe(game, metric, position)),
  };
}

type List<T> = (game: string, metric: Metric) => Promise<T>;

/** A list that is requested once by all who need it at about the same time; one that failed is requested again. */
function shared<T>(request: List<T>): List<T> {
  const lists = new Map<string, { readonly at: number; readonly list: Promise<T> }>();
  return (game, metric) => {
    const key = `${game} ${metric}`;
    const last = lists.get(key);
    if (last !== undefined && performance.now() - last.at < FRESH) return last.list;
    const list = request(game, metric);
    lists.set(key, { at: performance.now(), list });
    list.catch(() => lists.delete(key));
    return list;
  };
}
