/**
 * How a slice is cut into steps. A *phase* is a set of tasks that do not depend on each other; between phases stands a
 * barrier. A slice is either one task (`whole`) or cut into ranges of parts, a task each in every phase:
 *
 *   start ─▶ round 1 ─▶ round 2 ─▶ … ─▶ finish ─▶ (table) ─▶ verify
 *
 * Names of phases and tasks follow from the slice alone, so any process that knows the store can find what is done and
 * do what is not.
 */
import { z } from 'zod';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/names.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game, Slice } from '../game.js';
import { commitManifest, FORMAT_VERSION, readManifest } from '../manifest.js';
import { type Interval, workPrefix } from '../phases/context.js';
import { cutParts } from '../solvers/external/engine.js';
import { slicePrefix } from '../table/table.js';
import { type Metric, metrics } from '../value.js';

/** A phase whose tasks are ranges of the slice. `round` labels what is won or lost in `ply` plies. */
export type RangePhase =
  | { readonly type: 'start' | 'finish' | 'verify' }
  | { readonly type: 'round'; readonly ply: number };

export type Phase = RangePhase | { readonly type: 'whole' };

/** A slice to be solved by steps, in a store. */
export interface SliceWork {
  readonly store: Store;
  readonly game: Game;
  readonly metric: Metric;
  /** Canonical name. */
  readonly slice: string;
}

const count = z.number().int().nonnegative();

/** The ranges of a slice: fixed by the first who begins it, because all phases must be cut alike. */
export const StepPlan = z.object({
  version: z.literal(FORMAT_VERSION),
  game: z.string(),
  slice: z.string(),
  step: z.literal('plan'),
  parts: count,
  ranges: z.array(z.object({ from: count, to: count })).min(1),
});
export type StepPlan = z.infer<typeof StepPlan>;

/** Where the passing runs and the manifests of the tasks lie. */
export function stepsFolder({ game, metric, slice }: Omit<SliceWork, 'store'>): string {
  return workPrefix(slicePrefix(game.name, metric, slice), 'count');
}

export function phaseName(phase: Phase): string {
  return phase.type === 'round' ? `round-${String(phase.ply).padStart(5, '0')}` : phase.type;
}

/** The phase of a name, or null. */
export function phaseOf(name: string): Phase | null {
  const round = /^round-(\d{5,})$/.exec(name);
  if (round !== null) return { type: 'round', ply: Number(round[1]) };
  if (name === 'whole' || name === 'start' || name === 'finish' || name === 'verify') return { type: name };
  return null;
}

/** The folder of a phase in the store. */
export function phaseFolder(work: Omit<SliceWork, 'store'>, phase: Phase): string {
  return `${stepsFolder(work)}/${phaseName(phase)}`;
}

/** The manifest of a task: there when, and only when, the task is done. */
export function taskName(work: Omit<SliceWork, 'store'>, phase: Phase, task: number): string {
  return `${phaseFolder(work, phase)}/task-${String(task).padStart(5, '0')}.json`;
}

/** The number of the task whose manifest has this last part of a name, or null. */
export function taskOf(name: string): number | null {
  const match = /^task-(\d{5,})\.json$/.exec(name);
  return match === null ? null : Number(match[1]);
}

/** Takes the folder of a phase apart: game, metric, slice, phase. Null if it is none. */
export function parsePhaseFolder(
  name: string,
): { game: string; metric: Metric; slice: string; phase: Phase } | null {
  const match = /^([^/]+)\/([^/]+)\/([^/]+)\/steps\/count\/([^/]+)$/.exec(name);
  const phase = match === null ? null : phaseOf(match[4]!);
  if (match === null || phase === null || !metrics.includes(match[2] as Metric)) return null;
  return { game: match[1]!, metric: match[2] as Metric, slice: match[3]!, phase };
}

/**
 * Bytes of labels a position costs both sides together (pipeline/labels.ts), and the fraction of its memory that a task
 * gives them: a range whose labels all fit reads each of them once a round.
 */
const LABEL_BYTES = 2 * (1 + 1 / 8);
const LABEL_SHARE = 0.4;
/** A slice with fewer positions a side is one task: its rounds would be shorter than the barriers between them. */
const WHOLE_POSITIONS = 2 ** 23;

/**
 * Cuts a slice into ranges for tasks of `memory` bytes; a single range means that it is to be solved whole.
 * @param ranges how many are wanted (a slice has no more ranges than parts); by default what memory asks for.
 */
export function cutSlice(slice: Slice, memory: number, ranges?: number): Interval[] {
  if (ranges !== undefined) return cutParts(slice.parts, ranges);
  if (slice.size < WHOLE_POSITIONS) return cutParts(slice.parts, 1);
  return cutParts(slice.parts, Math.ceil((slice.size * LABEL_BYTES) / (LABEL_SHARE * memory)));
}

function planName(work: Omit<SliceWork, 'store'>): string {
  return `${stepsFolder(work)}/plan.json`;
}

/** Fixes the ranges of a slice, or returns those that were fixed before. */
export async function fixPlan(work: SliceWork, ranges: readonly Interval[]): Promise<StepPlan> {
  const plan: StepPlan = {
    version: FORMAT_VERSION,
    game: work.game.name,
    slice: work.slice,
    step: 'plan',
    parts: work.game.slice(work.slice).parts,
    ranges: [...ranges],
  };
  return commitManifest(work.store, planName(work), plan, StepPlan);
}

/** The plan of a slice; null if it has none. A plan for another index is a StorageError. */
export async function readPlan(work: SliceWork): Promise<StepPlan | null> {
  const plan = await readManifest(work.store, planName(work), StepPlan);
  const { parts } = work.game.slice(work.slice);
  if (plan !== null && (plan.parts !== parts || plan.slice !== work.slice)) {
    const object = objectName(work.store, planName(work));
    throw new StorageError(object, `describes another index of ${work.slice} than this version uses`);
  }
  return plan;
}

export async function needPlan(work: SliceWork): Promise<StepPlan> {
  const plan = await readPlan(work);
  if (plan !== null) return plan;
  throw new UserError(
    `${work.slice} has no plan in ${work.store.uri}: "mergemate solve" or "plan" makes one`,
  );
}
