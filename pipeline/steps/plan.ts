/**
 * How a slice is cut into steps. A *phase* is a set of tasks that do not depend on each other; between phases stands a
 * barrier. A slice is either one task (`whole`) or cut into partitions of parts, a task each in every phase:
 *
 *   start ─▶ round 1 ─▶ round 2 ─▶ … ─▶ finish ─▶ (table) ─▶ verify
 *
 * Names of phases and tasks follow from the slice alone, so any process that knows the store can find what is done and
 * do what is not.
 */
import { z } from 'zod';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/names.js';
import { commitManifest, FORMAT_VERSION, readManifest } from '../manifest.js';
import { cutParts } from '../phases/context.js';
import { type SliceAt, type SliceWork, stepsFolder } from './names.js';

const count = z.number().int().nonnegative();

/** The partitions of a slice: fixed by the first who begins it, because all phases must be cut alike. */
export const StepPlan = z.object({
  version: z.literal(FORMAT_VERSION),
  game: z.string(),
  slice: z.string(),
  step: z.literal('plan'),
  parts: count,
  partitions: z.array(z.object({ from: count, to: count })).min(1),
});
export type StepPlan = z.infer<typeof StepPlan>;

function planName(work: SliceAt): string {
  return `${stepsFolder(work)}/plan.json`;
}

/** Cuts a slice into as many partitions (at most one a part), or returns how it was cut before. */
export async function fixPlan(work: SliceWork, partitions: number): Promise<StepPlan> {
  const { parts } = work.game.slice(work.slice);
  const plan: StepPlan = {
    version: FORMAT_VERSION,
    game: work.game.name,
    slice: work.slice,
    step: 'plan',
    parts,
    partitions: cutParts(parts, partitions),
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
