/** The state of the work in a store, read from the store alone, so that any process can watch it. */
import { DamageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import { TableManifest, VerifiedManifest } from '../../game/manifest.js';
import { planSlices } from '../../game/plan.js';
import { stepFolder } from '../../game/slice-objects.js';
import type { Metric } from '../../game/value.js';
import { isVerificationOf } from '../verified.js';
import type { PhaseRecord, RoundRecord } from './record-shapes.js';
import { phaseOf, type SliceSteps, stepsAmong } from './slice-steps.js';
import { type ManifestReader, objectOf, type SliceObjects, type StoredGames, slicesAmong } from './slices.js';

interface SliceId {
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

/** How far a slice under way has come, by the manifests of its steps; the same for one process and for ranks. */
export interface WorkSurvey {
  /** "count" or "lookup", or the name of another solver, which shows no more than that it has begun. */
  readonly strategy: string;
  /** The phase after the last that is joined. */
  readonly phase: 'enumerate' | 'convert' | 'edges' | 'rounds' | 'finish' | 'verify' | null;
  /** The last round that is joined; 0 if none is. */
  readonly round: number;
  /** Positions won or lost in the steps that are joined. */
  readonly labelled: number;
  /** Legal positions of both sides to move; null if they are not counted yet. */
  readonly legal: number | null;
  readonly requests: number;
  /** The sum over the steps that are joined; null if none is. */
  readonly counters: Readonly<Record<string, number>> | null;
  /** How long ago a step was joined, or a part of it was done, in ms; null if none was. */
  readonly quietMs: number | null;
  /** Each round that is joined. */
  readonly rounds: readonly RoundRecord[];
}

/** A slice that ranks solve together. */
export interface RanksSurvey extends WorkSurvey {
  readonly partitions: number;
  /** The step at hand: the phase, or a step of its rounds; the partitions whose parts are done, and those that all wait for. */
  readonly step: {
    readonly name: string;
    readonly done: readonly number[];
    readonly missing: readonly number[];
  };
  /** Processes that did parts so far, by rank. */
  readonly seen: readonly SeenRank[];
  /** The phases that are over. */
  readonly phases: readonly PhaseRecord[];
  /** Greatest resident set of all processes that did parts, bytes; null if none did. */
  readonly peakRss: number | null;
}

/** A process; a rank that was started again elsewhere is there twice if parts of both are the last of their partitions. */
export interface SeenRank {
  readonly rank: number;
  readonly host: string;
  /** The partitions whose last part it did. */
  readonly partitions: readonly number[];
  /** How long ago it ended a part, in ms. */
  readonly quietMs: number;
}

export type SliceSurvey = SliceId &
  (
    | { readonly at: 'solved'; readonly solved: SolvedSurvey }
    /** Begun by ranks and not finished; `solved` when only the verification is left. */
    | { readonly at: 'ranks'; readonly ranks: RanksSurvey; readonly solved: SolvedSurvey | null }
    /** Begun in one process. */
    | { readonly at: 'process'; readonly process: WorkSurvey }
    /** Not begun. The slice `by`, which is begun, depends on it. */
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
 * One listing, and those manifests that `scope.reader` has not read yet. @param now ms since 1970.
 * @param listing of the store, if it is there already. @throws StorageError if the store cannot be read.
 */
export async function surveyStore(
  scope: SurveyScope,
  now: number,
  listing?: readonly string[],
): Promise<SliceSurvey[]> {
  const { store, game, games, reader, slices } = scope;
  const listed = listing ?? (await store.list(game === undefined ? '' : `${game}/`));
  reader.keep(listed);
  const all = slicesAmong(listed, games);
  const found: SliceSurvey[] = [];
  for (const objects of all) {
    if (slices !== undefined && !slices.includes(objects.slice)) continue;
    const survey = await surveySlice(scope, objects, now);
    if (survey !== null) found.push(survey);
  }
  return [...found, ...waitingFor(found, all)];
}

async function surveySlice(
  scope: SurveyScope,
  objects: SliceObjects,
  now: number,
): Promise<SliceSurvey | null> {
  const id: SliceId = { game: objects.game.name, metric: objects.metric, slice: objects.slice };
  try {
    const solved = await surveyTable(scope.reader, objects);
    if (solved?.verified) return { ...id, at: 'solved', solved };
    const work = await surveyWork(scope, objects, solved !== null, now);
    if (work !== null && 'partitions' in work) return { ...id, at: 'ranks', ranks: work, solved };
    if (solved !== null) return { ...id, at: 'solved', solved };
    return work === null ? null : { ...id, at: 'process', process: work };
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    return { ...id, at: 'damaged', problem: error.message };
  }
}

async function surveyTable(reader: ManifestReader, objects: SliceObjects): Promise<SolvedSurvey | null> {
  const { table, verified } = await readTable(reader, objects);
  if (table === undefined) return null;
  const wins = table.longestWin.filter((plies) => plies !== null);
  return {
    verified,
    positions: both(table.positions),
    longestWin: wins.length === 0 ? null : Math.max(...wins),
    rounds: table.rounds,
    requests: table.requests,
    counters: table.counters,
  };
}

/** The manifest of the table of a slice, and whether its verification is of that table. @throws DamageError */
export async function readTable(reader: ManifestReader, objects: SliceObjects) {
  const named = (name: string) => (objects.names.includes(name) ? [objectOf(objects, name)] : []);
  const [table] = await reader.read(named('table.json'), TableManifest);
  if (table === undefined) return { table, verified: false };
  const [verified] = await reader.read(named('verified.json'), VerifiedManifest);
  return { table, verified: verified !== undefined && isVerificationOf(verified, table) };
}

const both = (pair: readonly [number, number]): number => pair[0] + pair[1];

/** Null if the work has not begun. @param solved only the verification is left. */
async function surveyWork(
  { store, reader }: SurveyScope,
  objects: SliceObjects,
  solved: boolean,
  now: number,
): Promise<WorkSurvey | RanksSurvey | null> {
  const [listed] = stepsAmong(objects);
  if (listed === undefined) return null;
  const { strategy } = listed;
  if (!listed.isByCrew) {
    const nothing = { phase: null, round: 0, labelled: 0, legal: null, requests: 0, counters: null };
    return { strategy, ...nothing, quietMs: null, rounds: [] };
  }
  const steps = await listed.read(reader);
  const [plan, enumerated] = [steps.get('plan'), steps.get('enumerate')];
  const rounds = steps.rounds();
  const phase = phaseAtHand(steps, objects, solved);
  const total = (what: (round: RoundRecord) => number) => rounds.reduce((sum, round) => sum + what(round), 0);
  const work: WorkSurvey = {
    strategy,
    phase,
    round: Math.max(0, (steps.commit?.to ?? 1) - 1, ...rounds.map(({ ply }) => ply)),
    labelled: (enumerated === undefined ? 0 : both(enumerated.lost)) + total(({ won, lost }) => won + lost),
    legal: enumerated === undefined ? null : both(enumerated.legal),
    requests: total(({ requests }) => requests),
    counters: steps.counters(),
    quietMs: await quietMs(store, steps, now),
    rounds,
  };
  if (plan === undefined) return work;
  return {
    ...work,
    partitions: plan.partitions.length,
    step: stepAtHand(steps, plan.partitions, phase),
    seen: seenRanks(steps, now),
    phases: steps.phases(null).filter((each) => each.phase !== phase),
    peakRss: steps.peakRss,
  };
}

type Phase = NonNullable<WorkSurvey['phase']>;

function phaseAtHand(steps: SliceSteps, { game, slice }: SliceObjects, solved: boolean): Phase {
  if (solved) return 'verify';
  if (steps.get('enumerate') === undefined) return 'enumerate';
  if (steps.get('convert') === undefined) return 'convert';
  if (steps.get('edges') === undefined && game.slice(slice).unmoves === undefined) return 'edges';
  return steps.commit?.done === true ? 'finish' : 'rounds';
}

/** Time since the last sign of life: the shorter of that by the clocks of those who did parts, and that by the clock of the store. */
async function quietMs(store: Store, steps: SliceSteps, now: number): Promise<number | null> {
  // A rank that does rounds for all leaves nothing but commits.
  const isByOne = steps.get('plan') === undefined || steps.commit?.few === true;
  const last = isByOne ? steps.listed.joined.at(-1) : undefined;
  const at = last === undefined ? null : await store.modified(steps.listed.nameOf(last));
  const { lastEnd } = steps;
  const silences = [
    ...(lastEnd === null ? [] : [now - lastEnd]),
    ...(at === null ? [] : [now + (await store.clockAhead()) - at]),
  ];
  return silences.length === 0 ? null : Math.max(0, Math.min(...silences));
}

function stepAtHand(
  { listed, commit }: SliceSteps,
  all: readonly unknown[],
  phase: Phase,
): RanksSurvey['step'] {
  const partitions = [...all.keys()];
  const open = listed.parts.findLast(({ step }) => phaseOf(step) === phase && !listed.isJoined(step));
  if (open !== undefined) {
    const done = open.partitions;
    const missing = partitions.filter((partition) => !done.includes(partition));
    return { name: stepFolder(open.step), done, missing };
  }
  // The rank of the first partition does the rounds while they have few requests.
  const isHandedOver = phase === 'rounds' && commit?.few === true;
  return { name: phase, done: [], missing: isHandedOver ? partitions.slice(0, 1) : partitions };
}

function seenRanks(steps: SliceSteps, now: number): SeenRank[] {
  const seen = new Map<string, SeenRank>();
  for (const [partition, { rank, host, started, wallMs }] of steps.lastProcesses()) {
    const known = seen.get(`${rank} ${host}`);
    const quiet = Math.max(0, now - started - wallMs);
    const partitions = [...(known?.partitions ?? []), partition].sort((a, b) => a - b);
    seen.set(`${rank} ${host}`, {
      rank,
      host,
      partitions,
      quietMs: Math.min(known?.quietMs ?? quiet, quiet),
    });
  }
  return [...seen.values()].sort((a, b) => a.rank - b.rank);
}

/** Slices that unfinished ones depend on, not begun and without a table. */
function waitingFor(found: readonly SliceSurvey[], all: readonly SliceObjects[]): SliceSurvey[] {
  const key = (game: string, metric: Metric, slice: string) => `${game}/${metric}/${slice}`;
  const there = new Set(
    all
      .filter(({ names }) => names.some((name) => name === 'table.json' || name.startsWith('steps/')))
      .map(({ game, metric, slice }) => key(game.name, metric, slice)),
  );
  const waiting: SliceSurvey[] = [];
  for (const { at, game, metric, slice } of found) {
    if (at !== 'ranks' && at !== 'process') continue;
    const known = all.find((objects) => objects.game.name === game)!.game;
    for (const planned of planSlices(known, [slice])) {
      const missing = key(game, metric, planned.slice);
      if (there.has(missing)) continue;
      there.add(missing);
      waiting.push({ game, metric, slice: planned.slice, at: 'waiting', by: slice });
    }
  }
  return waiting;
}
