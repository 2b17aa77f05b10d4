/** One look at a store: its progress, by all of its manifests and records. */
import { DamageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import { surveyGraphs } from '../../pipeline/graph/survey.js';
import { recordNumbers, SliceRecord } from '../../pipeline/tables/records/record-shapes.js';
import {
  isSlice,
  ManifestReader,
  objectOf,
  type SliceObjects,
  type StoredGame,
  type StoredGames,
  slicesAmong,
} from '../../pipeline/tables/records/slices.js';
import { type SliceSurvey, surveyStore } from '../../pipeline/tables/records/survey.js';
import type { Progress, SliceDetail } from './model.js';
import { type FoundRun, readRuns, runStatus } from './runs.js';
import { newSetLookout } from './set.js';
import { type Known, type Live, sliceDetail } from './slice.js';

/** What is looked at. */
export interface LookScope {
  readonly store: Store;
  readonly games: StoredGames;
  /** Where Syzygy's files are made. */
  readonly files?: Store | undefined;
  /** Only this game, and of that only these slices (canonical names). */
  readonly game?: string | undefined;
  readonly slices?: readonly string[] | undefined;
  /** Whether the imports of graphs are looked at. */
  readonly withGraphs?: boolean;
}

interface At {
  readonly game: StoredGame;
  readonly metric: Metric;
  readonly slice: string;
}

/** The slices that a solve wants, and all they convert to. */
interface WantedSlices {
  readonly run: FoundRun;
  readonly slices: readonly At[];
}

export const keyOf = (game: string, metric: string, slice: string): string => `${game}/${metric}/${slice}`;
const keyAt = ({ game, metric, slice }: At): string => keyOf(game.name, metric, slice);

/**
 * Returns a function that looks at the store by one listing, and reads new objects. `now`: ms since 1970. The function throws
 * StorageError if the store cannot be read, or the place where Syzygy's files are made.
 */
export function newLookout({
  store,
  games,
  files,
  game: onlyGame,
  slices: onlySlices,
  withGraphs = false,
}: LookScope): (now: number) => Promise<Progress> {
  const reader = new ManifestReader(store);
  const scope = {
    ...{ store, games, reader },
    ...(onlyGame !== undefined && { game: onlyGame }),
    ...(onlySlices !== undefined && { slices: onlySlices }),
  };
  const setIn = files === undefined ? () => null : newSetLookout(files);
  const plans = newSlicePlans();
  const isIn = ({ game, slice }: Pick<At, 'game' | 'slice'>): boolean =>
    (onlyGame ?? game.name) === game.name && (onlySlices === undefined || onlySlices.includes(slice));
  let runs: readonly FoundRun[] = [];

  /** The slices that a run wants, and all they convert to. */
  function closure({ game: name, record }: FoundRun): At[] {
    const game = games.get(name)!;
    const found = new Set<string>();
    const visit = (slice: string): void => {
      if (found.has(slice)) return;
      const planned = plans(game, slice);
      if (planned === null) return;
      found.add(slice);
      planned.dependencies.forEach(visit);
    };
    record.wanted.forEach(visit);
    return [...found].map((slice) => ({ game, metric: record.metric, slice }));
  }

  /** All slices that are shown. */
  function shownSlices(
    surveys: readonly SliceSurvey[],
    wanted: readonly WantedSlices[],
    live: ReadonlyMap<string, Live>,
  ): Map<string, At> {
    const all = new Map<string, At>();
    for (const { game, metric, slice } of surveys) {
      all.set(keyOf(game, metric, slice), { game: games.get(game)!, metric, slice });
    }
    for (const { run, slices } of wanted) {
      // Everything about finished runs is there, unless somebody has deleted it.
      if (run.state !== 'done') for (const at of slices) all.set(keyAt(at), at);
    }
    for (const [key, { game, slice, run }] of live) {
      if (!all.has(key)) all.set(key, { game: games.get(game)!, metric: run.metric, slice: slice.slice });
    }
    return all;
  }

  async function recordOf(objects: SliceObjects): Promise<Pick<Known, 'record' | 'recordProblem'>> {
    const last = recordNumbers(objects.names).at(-1);
    if (last === undefined) return { record: null, recordProblem: null };
    try {
      const name = objectOf(objects, `record-${last}.json`);
      return { record: (await reader.read([name], SliceRecord))[0] ?? null, recordProblem: null };
    } catch (error) {
      if (!(error instanceof DamageError)) throw error;
      return { record: null, recordProblem: error.message };
    }
  }

  return async (now) => {
    const listing = await store.list(onlyGame === undefined ? '' : `${onlyGame}/`);
    const surveys = await surveyStore(scope, now, listing);
    const found = await readRuns(reader, listing, new Set(games.keys()), runs, now);
    runs = found;

    const survey = new Map(surveys.map((each) => [keyOf(each.game, each.metric, each.slice), each]));
    const wanted = found
      .filter(({ record }) => record.kind === 'solve')
      .map((run) => ({ run, slices: closure(run) }));
    const wanting = new Map(wanted.flatMap(({ run, slices }) => slices.map((at) => [keyAt(at), run])));
    const live = liveAmong(found);
    const all = shownSlices(surveys, wanted, live);
    const records = new Map<string, Pick<Known, 'record' | 'recordProblem'>>();
    await Promise.all(
      slicesAmong(listing, games).map(async (objects) => {
        if (all.has(keyAt(objects))) records.set(keyAt(objects), await recordOf(objects));
      }),
    );

    const details: SliceDetail[] = [];
    for (const [key, at] of all) {
      if (!survey.has(key) && !isIn(at)) continue;
      const planned = plans(at.game, at.slice) ?? { dependencies: [], wave: 1 };
      const place = {
        game: at.game.name,
        metric: at.metric,
        slice: at.slice,
        wave: planned.wave,
        dependencies: planned.dependencies.filter((to) => all.has(keyAt({ ...at, slice: to }))),
      };
      const known: Known = {
        survey: survey.get(key),
        ...(records.get(key) ?? { record: null, recordProblem: null }),
        live: live.get(key),
        run: wanting.get(key)?.record,
      };
      details.push(sliceDetail(place, known, now));
    }
    const graphs = withGraphs ? await surveyGraphs(store, listing) : [];
    return {
      store: store.uri,
      at: now,
      runs: wanted.map(({ run }) => runStatus(run)),
      slices: details,
      graphs: graphs.filter(({ graph }) => onlySlices?.includes(graph) ?? true),
      set: await setIn(now),
    };
  };
}

/**
 * The run that works at each slice: of two, the one that began later, unless only the other goes on. A run that is done works at
 * nothing, whatever its last report said: a table that is deleted later is gone.
 */
function liveAmong(runs: readonly FoundRun[]): Map<string, Live> {
  const found = new Map<string, Live>();
  for (const { game, record, progress, end, state } of runs) {
    if (state === 'done') continue;
    for (const slice of progress?.slices ?? []) {
      const key = keyOf(game, record.metric, slice.slice);
      if (found.get(key)?.state === 'running' && state !== 'running') continue;
      found.set(key, { game, slice, progress: progress!, run: record, state, problem: end?.problem ?? null });
    }
  }
  return found;
}

/** A slice's dependencies, and its wave in the graph of them. */
interface Planned {
  readonly dependencies: readonly string[];
  readonly wave: number;
}

/** Returns null for a name that is not, or no longer, a slice of the game. Results are cached, because a game takes time to make a slice. */
function newSlicePlans(): (game: StoredGame, slice: string) => Planned | null {
  const games = new Map<StoredGame, Map<string, Planned | null>>();

  function plan(game: StoredGame, known: Map<string, Planned | null>, slice: string): Planned | null {
    const before = known.get(slice);
    if (before !== undefined) return before;
    let planned: Planned | null = null;
    // Records can name anything, and kernels are made of canonical names only.
    if (isSlice(game, slice)) {
      const dependencies = [...new Set(game.slice(slice).dependencies.map((to) => to.slice))];
      const waves = dependencies.map((to) => plan(game, known, to)?.wave ?? 0);
      planned = { dependencies, wave: 1 + Math.max(0, ...waves) };
    }
    known.set(slice, planned);
    return planned;
  }

  return (game, slice) => {
    let known = games.get(game);
    if (known === undefined) games.set(game, (known = new Map()));
    return plan(game, known, slice);
  };
}
