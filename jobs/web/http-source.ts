/** Values from the server that serves the page. */
import type { ErrorAnswer } from '../server/api-answers.js';
import { textsOf } from './browse/query-texts.js';
import { NoValueError, type TableSource, UnreachableError } from './source.js';

const PROBE = 'probe';

/** `base`: the address that the API's paths are below, ended by a slash. */
export function httpSource(base: string): TableSource {
  async function get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const url = new URL(path, base);
    url.search = new URLSearchParams(query).toString();
    const response = await fetch(url).catch(() => {
      throw new UnreachableError('The server does not answer.');
    });
    const body = (await response.json().catch(() => null)) as T | ErrorAnswer | null;
    if (response.ok && body !== null) return body as T;
    const said = (body as ErrorAnswer | null)?.error;
    if (said !== undefined && path === PROBE && [400, 404].includes(response.status))
      throw new NoValueError(response.status === 400 ? 'illegal' : 'unknown', said);
    if (said !== undefined) throw new Error(said);
    throw new UnreachableError(`The server answers ${response.status} ${response.statusText}`.trimEnd());
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
    probe: (game, metric, position) => get(PROBE, { game, metric, position }),
    mainLine: (game, metric, position) => get('api/mainline', { game, metric, position }),
  };
}
