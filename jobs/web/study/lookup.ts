/** Positions of games, looked up by what the page has. */
import { type Lookup, underAny } from '../../study/check-study.js';
import { menOf } from '../../study/position-text.js';
import type { Shown } from '../line.js';
import { NoValueError, type TableSource } from '../source.js';

/** No table has more men, nor rights to castle. */
const MOST_MEN = 7;

/** Under the metric that is shown, if chess is; then under the others that there are tables of chess with. */
export function lookupBy(source: TableSource, { game, metric }: Shown): Lookup {
  let underEach: Promise<Lookup> | null = null;
  return async (fen) => {
    const [, , castling] = fen.split(' ');
    if (menOf(fen) > MOST_MEN || (castling ?? '-') !== '-') return null;
    underEach ??= metricsOf(source).then((metrics) => {
      const shown = metrics.filter((each) => game.name === 'chess' && each === metric);
      const others = metrics.filter((each) => !shown.includes(each));
      return underAny([...shown, ...others].map((each) => (position) => probe(source, each, position)));
    });
    return (await underEach)(fen);
  };
}

async function metricsOf(source: TableSource) {
  return (await source.games()).find(({ name }) => name === 'chess')?.metrics ?? [];
}

async function probe(source: TableSource, metric: Shown['metric'], position: string): ReturnType<Lookup> {
  try {
    return await source.probe('chess', metric, position);
  } catch (error) {
    if (error instanceof NoValueError) return null;
    throw error;
  }
}
