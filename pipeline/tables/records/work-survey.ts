/** How far a slice under way has come, by the manifests of its steps; the same for one process and for ranks. */
import type { Store } from '../../../operators/storage/store.js';
import { plyOf, type SliceStep, type StepName, stepFolder } from '../../game/slice-objects.js';
import type { PhaseRecord, RoundRecord } from './record-shapes.js';
import { lastEnd, lastProcesses, peakOf, phasesOf, roundsOf } from './history.js';
import {
  countersOf,
  isByCrew,
  isJoined,
  type JoinedSteps,
  manifestOf,
  readSteps,
  type StepObjects,
  stepsAmong,
} from './joined-steps.js';
import type { ManifestReader, SliceObjects } from './slices.js';

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
  /** The step at hand: the phase, or a step of its rounds. */
  readonly step: StepSurvey;
  /** Processes that did parts so far, by rank. */
  readonly seen: readonly SeenRank[];
  /** The phases that are over. */
  readonly phases: readonly PhaseRecord[];
  /** Greatest resident set of all processes that did parts, bytes; null if none did. */
  readonly peakRss: number | null;
}

export interface StepSurvey {
  readonly name: string;
  /** The partitions whose parts are done, and those that all wait for. */
  readonly done: readonly number[];
  readonly missing: readonly number[];
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

const both = (pair: readonly [number, number]): number => pair[0] + pair[1];

/** Null if the work has not begun. @param solved only the verification is left. */
export async function surveyWork(
  { store, reader }: { readonly store: Store; readonly reader: ManifestReader },
  objects: SliceObjects,
  solved: boolean,
  now: number,
): Promise<WorkSurvey | RanksSurvey | null> {
  const [listed] = stepsAmong(objects.names);
  if (listed === undefined) return null;
  const { strategy } = listed;
  if (!isByCrew(listed)) {
    const nothing = { legal: null, counters: null, quietMs: null };
    return { strategy, phase: null, round: 0, labelled: 0, requests: 0, ...nothing, rounds: [] };
  }
  const steps = await readSteps(reader, objects, listed);
  const { enumerated, plan } = steps;
  const rounds = roundsOf(steps);
  const phase = phaseOf(steps, objects, solved);
  const work: WorkSurvey = {
    strategy,
    phase,
    round: Math.max(0, (steps.epochs.at(-1)?.to ?? 1) - 1, ...rounds.map(({ ply }) => ply)),
    labelled: rounds.reduce(
      (sum, { won, lost }) => sum + won + lost,
      enumerated === null ? 0 : both(enumerated.lost),
    ),
    legal: enumerated === null ? null : both(enumerated.legal),
    requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
    counters: countersOf(steps),
    quietMs: await quietMs(store, objects, { listed, steps }, now),
    rounds,
  };
  if (plan === null) return work;
  return {
    ...work,
    partitions: plan.partitions.length,
    step: stepAtHand(steps, listed, phase),
    seen: seenRanks(steps, now),
    phases: phasesOf(steps, null).filter((each) => each.phase !== phase),
    peakRss: peakOf(steps),
  };
}

function phaseOf(
  { enumerated, converted, edges, epochs }: JoinedSteps,
  { game, slice }: SliceObjects,
  solved: boolean,
): NonNullable<WorkSurvey['phase']> {
  if (solved) return 'verify';
  if (enumerated === null) return 'enumerate';
  if (converted === null) return 'convert';
  if (edges === null && game.slice(slice).unmoves === undefined) return 'edges';
  return epochs.at(-1)?.done === true ? 'finish' : 'rounds';
}

/** The steps that one process commits. */
const COMMITTED: ReadonlySet<StepName> = new Set(['enumerate', 'convert', 'edges', 'commit']);

/** Time since the last sign of life: by the clocks of those who did parts, else by that of the store. */
async function quietMs(
  store: Store,
  objects: SliceObjects,
  { listed, steps }: { readonly listed: StepObjects; readonly steps: JoinedSteps },
  now: number,
): Promise<number | null> {
  // A rank that does rounds for all leaves nothing but commits.
  const isAlone = steps.plan === null || steps.epochs.at(-1)?.few === true;
  const last = isAlone ? listed.joined.findLast(({ name }) => COMMITTED.has(name)) : undefined;
  const at = last === undefined ? null : await store.modified(manifestOf(objects, listed, last));
  const end = lastEnd(steps.parts.flatMap(({ parts }) => parts));
  if (at === null && end === null) return null;
  return Math.max(0, now - Math.max(at ?? 0, end ?? 0));
}

function stepAtHand(
  { plan, epochs }: JoinedSteps,
  listed: StepObjects,
  phase: NonNullable<WorkSurvey['phase']>,
): StepSurvey {
  const all = plan!.partitions.map((_, partition) => partition);
  const isOfPhase = (step: SliceStep) => {
    if (phase === 'rounds') return plyOf(step) !== undefined;
    return step.name === phase || (phase === 'edges' && step.name === 'moves');
  };
  const open = listed.parts.findLast(({ step }) => isOfPhase(step) && !isJoined(listed, step));
  if (open !== undefined) {
    const { step, partitions: done } = open;
    return {
      name: stepFolder(step),
      done,
      missing: all.filter((partition) => !done.includes(partition)),
    };
  }
  // The rank of the first partition does the rounds while they have few requests.
  const isAlone = phase === 'rounds' && epochs.at(-1)?.few === true;
  return { name: phase, done: [], missing: isAlone ? all.slice(0, 1) : all };
}

function seenRanks(steps: JoinedSteps, now: number): SeenRank[] {
  const seen = new Map<string, { rank: number; host: string; partitions: number[]; quietMs: number }>();
  for (const [partition, { rank, host, started, wallMs }] of lastProcesses(steps)) {
    const key = `${rank} ${host}`;
    const quiet = Math.max(0, now - started - wallMs);
    const known = seen.get(key) ?? { rank, host, partitions: [], quietMs: quiet };
    known.partitions.push(partition);
    known.quietMs = Math.min(known.quietMs, quiet);
    seen.set(key, known);
  }
  for (const { partitions } of seen.values()) partitions.sort((a, b) => a - b);
  return [...seen.values()].sort((a, b) => a.rank - b.rank);
}
