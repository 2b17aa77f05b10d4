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

/** A list that is requested once by all who need it at about the same time. */
function shared<T>(request: List<T>): List<T> {
  const once = newOnce<string, T>();
  const span = () => Math.floor(performance.now() / FRESH);
  return (game, metric) => once(`${game} ${metric}`, () => request(game, metric), span());
}
