/** One look at a store: all of its manifests and records, as the monitor shows them. */
import { DamageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { recordNumbers, SliceRecord } from '../../../pipeline/tables/records/record-shapes.js';
import {
  ManifestReader,
  objectOf,
  type SliceObjects,
  type StoredGame,
  type StoredGames,
  slicesAmong,
} from '../../../pipeline/tables/records/slices.js';
import { type SliceSurvey, surveyStore } from '../../../pipeline/tables/records/survey.js';
import { nameOf, withoutPlaces } from '../places.js';
import { newFilesLookout } from './files.js';
import type { RunSnapshot, SliceDetail } from './monitor-answers.js';
import { type FoundRun, readRuns, runStatus } from './runs.js';
import { type Known, type Live, sliceDetail, sliceStatus } from './slice-detail.js';
import { newSlicePlans } from './slice-plan.js';

export interface Look {
  readonly snapshot: RunSnapshot;
  /** By "game/metric/slice". */
  readonly details: ReadonlyMap<string, SliceDetail>;
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
export function newLookout(
  store: Store,
  games: StoredGames,
  files?: Store | undefined,
): (now: number) => Promise<Look> {
  const reader = new ManifestReader(store);
  const placeless = withoutPlaces(files === undefined ? [store] : [store, files]);
  const withoutPlace = <T extends { readonly problem: string | null }>(known: T): T =>
    known.problem === null ? known : { ...known, problem: placeless(known.problem) };
  const setIn = files === undefined ? () => null : newFilesLookout(files);
  const plans = newSlicePlans();
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
    const listing = await store.list('');
    const surveys = await surveyStore({ store, games, reader }, now, listing);
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

    const details = new Map<string, SliceDetail>();
    for (const [key, at] of all) {
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
      details.set(key, withoutPlace(sliceDetail(place, known, now)));
    }
    return {
      snapshot: {
        store: nameOf(store),
        at: now,
        runs: wanted.map(({ run }) => withoutPlace(runStatus(run))),
        slices: [...details.values()].map(sliceStatus),
        set: await setIn(now),
      },
      details,
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
