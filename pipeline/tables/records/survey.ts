/** Where the work in a store stands: read from the store alone, so that anybody can watch from anywhere. */
import { DamageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import { TableManifest, VerifiedManifest } from '../../game/manifest.js';
import type { Metric } from '../../game/value.js';
import { planSlices } from '../../game/plan.js';
import { isOf } from '../verified.js';
import { type ManifestReader, objectOf, type SliceObjects, type StoredGames, slicesAmong } from './slices.js';
import { type RanksSurvey, surveyWork, type WorkSurvey } from './work-survey.js';

interface Of {
  readonly game: string;
  readonly metric: Metric;
  readonly slice: string;
}

export interface SolvedSurvey {
  readonly verified: boolean;
  /** Legal positions, of both sides to move. */
  readonly positions: number;
  /** In plies; null if no position is won. */
  readonly longestWin: number | null;
  readonly rounds: number;
  readonly requests: number;
  /** The cost of making the table, as far as its steps were committed. */
  readonly counters: Readonly<Record<string, number>>;
}

export type SliceSurvey = Of &
  (
    | { readonly at: 'solved'; readonly solved: SolvedSurvey }
    /** Begun by ranks, and not at the end; `solved` when only the verification is left. */
    | { readonly at: 'ranks'; readonly ranks: RanksSurvey; readonly solved: SolvedSurvey | null }
    /** Begun in one process. */
    | { readonly at: 'process'; readonly process: WorkSurvey }
    /** Not begun, and one that was begun, `by`, depends on it. */
    | { readonly at: 'waiting'; readonly by: string }
    | { readonly at: 'damaged'; readonly problem: string }
  );

/** The store and the slices to look at. */
export interface SurveyScope {
  readonly store: Store;
  readonly games: StoredGames;
  readonly reader: ManifestReader;
  /** Only this game, and of that only these slices (canonical names). */
  readonly game?: string;
  readonly slices?: readonly string[];
}

/**
 * One listing, and those manifests that `view.reader` has not read yet. @param now ms since 1970.
 * @throws StorageError if the store cannot be read.
 */
export async function surveyStore(view: SurveyScope, now: number): Promise<SliceSurvey[]> {
  const listing = await view.store.list(view.game === undefined ? '' : `${view.game}/`);
  return surveyListing(view, listing, now);
}

/** As {@link surveyStore}, of a listing that is there already. */
export async function surveyListing(
  view: SurveyScope,
  listing: readonly string[],
  now: number,
): Promise<SliceSurvey[]> {
  view.reader.keep(listing);
  const all = slicesAmong(listing, view.games);
  const found: SliceSurvey[] = [];
  for (const objects of all) {
    if (view.slices !== undefined && !view.slices.includes(objects.slice)) continue;
    const survey = await surveySlice(view, objects, now);
    if (survey !== null) found.push(survey);
  }
  return [...found, ...waitingFor(found, all)];
}

async function surveySlice(
  view: SurveyScope,
  objects: SliceObjects,
  now: number,
): Promise<SliceSurvey | null> {
  const of: Of = { game: objects.game.name, metric: objects.metric, slice: objects.slice };
  try {
    const solved = await surveyTable(view.reader, objects);
    if (solved?.verified) return { ...of, at: 'solved', solved };
    const work = await surveyWork(view, objects, solved !== null, now);
    if (work !== null && 'partitions' in work) return { ...of, at: 'ranks', ranks: work, solved };
    if (solved !== null) return { ...of, at: 'solved', solved };
    return work === null ? null : { ...of, at: 'process', process: work };
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    return { ...of, at: 'damaged', problem: error.message };
  }
}

async function surveyTable(reader: ManifestReader, objects: SliceObjects): Promise<SolvedSurvey | null> {
  const named = (name: string) =>
    objects.names.includes(name) ? [objectOf(objects, name)] : ([] as string[]);
  const [table] = await reader.read(named('table.json'), TableManifest);
  if (table === undefined) return null;
  const [verified] = await reader.read(named('verified.json'), VerifiedManifest);
  const wins = table.longestWin.filter((plies) => plies !== null);
  return {
    verified: verified !== undefined && isOf(verified, table),
    positions: table.positions[0] + table.positions[1],
    longestWin: wins.length === 0 ? null : Math.max(...wins),
    rounds: table.rounds,
    requests: table.requests,
    counters: table.counters,
  };
}

/** Slices that unfinished ones depend on, not begun and without a table. */
function waitingFor(found: readonly SliceSurvey[], all: readonly SliceObjects[]): SliceSurvey[] {
  const key = ({ metric, slice }: Pick<Of, 'metric' | 'slice'>, game: string) => `${game}/${metric}/${slice}`;
  const there = new Set(
    all
      .filter(({ names }) => names.some((name) => name === 'table.json' || name.startsWith('steps/')))
      .map((objects) => key(objects, objects.game.name)),
  );
  const waiting: SliceSurvey[] = [];
  for (const { at, game, metric, slice } of found) {
    if (at !== 'ranks' && at !== 'process') continue;
    const known = all.find((objects) => objects.game.name === game)!.game;
    for (const planned of planSlices(known, [slice])) {
      const missing: Of = { game, metric, slice: planned.slice };
      if (there.has(key(missing, game))) continue;
      there.add(key(missing, game));
      waiting.push({ ...missing, at: 'waiting', by: slice });
    }
  }
  return waiting;
}
