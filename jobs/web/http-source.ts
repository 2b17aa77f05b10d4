/**
 * Values from the server that serves the page. All is asked by GET and URL, so the browser keeps answers and asks with their ETag. Positions that
 * are looked up at about the same time are one request, which answers under all metrics at once; each is asked for once.
 */
import { newOnce } from '../../operators/core/once.js';
import type { ErrorAnswer, PositionAnswer } from '../positions/shapes.js';
import type { CheckedStudy } from '../study/check-study.js';
import { queryText, textsOf } from './browse/query-texts.js';
import { shownPosition } from './shown-position.js';
import { NoValueError, type TableSource, UnreachableError } from './source.js';

/** The server takes no longer texts of positions, and no longer paths. */
const MOST = 1024;
const LONGEST_PATH = 1900;
/** Positions that are remembered; and milliseconds for which lists are shared, as often as the server looks for new tables. */
const REMEMBERED = 2000;
const FRESH = 10_000;

type Found = PositionAnswer | ErrorAnswer;
interface Waiting {
  readonly position: string;
  readonly done: (answer: Promise<Found>) => void;
}

/** `base`: the address that the API's paths are below, ended by a slash. */
export function httpSource(base: string): TableSource {
  const lists = newOnce<string>({ renewal: { now: () => performance.now(), freshMs: FRESH } });
  const positions = newOnce<string, PositionAnswer>({ most: REMEMBERED });
  const waiting = new Map<string, Waiting[]>();

  async function answer<T>(path: string, request: RequestInit = {}): Promise<T> {
    const response = await fetch(new URL(path, base), request).catch((error: Error) => {
      throw error.name === 'AbortError' ? error : new UnreachableError('The server does not answer.');
    });
    const body = (await response.json().catch(() => null)) as T | ErrorAnswer | null;
    if (response.ok && body !== null) return body as T;
    const said = (body as ErrorAnswer | null)?.error;
    if (said !== undefined) throw new Error(said);
    throw new UnreachableError(`The server answers ${response.status} ${response.statusText}`.trimEnd());
  }

  const get = <T>(path: string, query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<T> =>
    answer(`${path}?${queryText(query)}`, { signal: signal ?? null });

  /** Shared by all who need it at about the same time. */
  const list = <T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> => {
    const key = `${path} ${queryText(query)}`;
    return lists(key, () => get<T>(path, query));
  };

  /** Sends the positions of a game that are waiting, in as few requests as the longest allowed URL permits. */
  function send(game: string): void {
    const all = waiting.get(game)!;
    waiting.delete(game);
    while (all.length > 0) {
      let path = `api/values?${queryText({ game })}`;
      const some: Waiting[] = [];
      do {
        const one = all.shift()!;
        some.push(one);
        path += `&${queryText({ position: one.position })}`;
      } while (all.length > 0 && path.length + all[0].position.length < LONGEST_PATH);
      const answers = answer<Found[]>(path);
      for (const [i, { done }] of some.entries()) done(answers.then((found) => found[i]));
    }
  }

  /** A position without a value is not remembered: its table may be solved meanwhile. */
  const look = (game: string, position: string): Promise<PositionAnswer> =>
    positions(`${game}\n${position}`, async () => {
      const together = waiting.get(game) ?? [];
      if (together.length === 0) {
        waiting.set(game, together);
        setTimeout(() => send(game));
      }
      const found = await new Promise<Found>((done) => together.push({ position, done }));
      if (!('error' in found)) return found;
      const kind = { 400: 'illegal', 404: 'unknown', 413: 'unknown' } as const;
      const without = kind[found.status as keyof typeof kind];
      throw without === undefined ? new Error(found.error) : new NoValueError(without, found.error);
    });

  return {
    endings: (game, metric) => list('api/endings', { game, metric }),
    files: (game, metric) => list('api/files', { game, metric }),
    histogram: (game, metric, ending) => list('api/histogram', { game, metric, ending }),
    positions: ({ game, metric, ending, query, skip, limit }, signal) =>
      get(
        'api/positions',
        { game, metric, ending, ...textsOf(query), skip: String(skip), limit: String(limit) },
        signal,
      ),
    async probe(game, [metric], position) {
      if (position.length > MOST)
        throw new Error(`This is not a position: it has more than ${MOST} characters.`);
      const found = await look(game, position);
      const { diagram } = found;
      const all = Object.values(found.metrics ?? { [found.metric]: found });
      const shown = all.map((each) => shownPosition({ ...each, game, diagram }));
      return shown.sort((a, b) => Number(b.metric === metric) - Number(a.metric === metric));
    },
    solutions: (game, metric, position, limit, signal) =>
      get('api/solutions', { game, metric, position, limit: String(limit) }, signal),
    mainLine: (game, metric, position) => get('api/mainline', { game, metric, position }),
    async check(_, text) {
      const [checked] = await answer<CheckedStudy[]>('api/study', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text }),
      });
      return checked;
    },
    plan: (from) => get('api/plan', { from }),
  };
}
