/** Values from the server that serves the page. */
import type { Metric } from '../../pipeline/game/value.js';
import type { ErrorAnswer, PositionAnswer } from '../positions/shapes.js';
import { textsOf } from './browse/query-texts.js';
import { shownPosition } from './shown-position.js';
import { NoValueError, type ShownPosition, type TableSource, UnreachableError } from './source.js';

/** The server takes no longer texts of positions. */
const MOST = 1024;

/** `base`: the address that the API's paths are below, ended by a slash. */
export function httpSource(base: string): TableSource {
  const get = <T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> =>
    answer(`${path}?${new URLSearchParams(query)}`);

  async function answer<T>(path: string, request: RequestInit = {}): Promise<T> {
    const response = await fetch(new URL(path, base), request).catch(() => {
      throw new UnreachableError('The server does not answer.');
    });
    const body = (await response.json().catch(() => null)) as T | ErrorAnswer | null;
    if (response.ok && body !== null) return body as T;
    const said = (body as ErrorAnswer | null)?.error;
    if (said !== undefined) throw new Error(said);
    throw new UnreachableError(`The server answers ${response.status} ${response.statusText}`.trimEnd());
  }

  async function one(asked: object): Promise<PositionAnswer | ErrorAnswer> {
    const [found] = await answer<(PositionAnswer | ErrorAnswer)[]>('probe', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
    });
    return found;
  }

  /** As a batch of one: a position without a value is an answer there, not a failed request, which browsers report in red. */
  async function probe(game: string, metric: Metric, position: string): Promise<ShownPosition> {
    if (position.length > MOST)
      throw new Error(`This is not a position: it has more than ${MOST} characters.`);
    const found = await one({ game, metric, positions: [position] });
    if (!('error' in found)) return shownPosition(found);
    if (found.status === 404 && game === 'chess') {
      // It may have tables of its own, under another metric.
      const other = await one({ game, positions: [position] });
      if (!('error' in other) && other.root !== undefined) return shownPosition(other);
    }
    const kind = { 400: 'illegal', 404: 'unknown' } as const;
    const without = kind[found.status as keyof typeof kind];
    throw without === undefined ? new Error(found.error) : new NoValueError(without, found.error);
  }

  return {
    games: () => get('api/games'),
    endings: (game, metric) => get('api/endings', { game, metric }),
    files: (game, metric) => get('api/files', { game, metric }),
    histogram: (game, metric, ending) => get('api/histogram', { game, metric, ending }),
    positions: ({ game, metric, ending, query, skip, limit }) =>
      get('api/positions', {
        game,
        metric,
        ending,
        ...textsOf(query),
        skip: String(skip),
        limit: String(limit),
      }),
    probe,
    solutions: (game, metric, position, limit) =>
      get('api/solutions', { game, metric, position, limit: String(limit) }),
    mainLine: (game, metric, position) => get('api/mainline', { game, metric, position }),
    roots: () => get('api/roots'),
    plan: (from) => get('api/plan', { from }),
  };
}
