/**
 * Which slice is done next, and by how many workers. Either one worker does a slice *alone*, while the others do other slices,
 * or all of them do it as a crew. Alone costs less: nothing is exchanged, and no worker waits for the slowest after every step
 * of a round. So a slice is done alone
 *
 * - if it has one part, because it cannot be cut; or if it is solved in a worker's memory, which costs least; or
 * - if the others have enough to do meanwhile, and its labels take no more than a quarter of that worker's memory. The others
 *   have enough if it is at most one and a half times a worker's share of all slices that can be done now. For a crew of two
 *   takes three quarters of the time of one. So two alone are no later with slices up to three times as large as each other.
 *
 * Slices are begun in the order of their waves, as soon as all that they depend on is done. Tables do not depend on any of
 * this: no value depends on the worker that solves a slice.
 */
import type { Budget } from '../../operators/core/budget.js';
import { isClocked } from '../game/clocked.js';
import type { SliceCatalogue } from '../game/game.js';
import { byWave, type PlannedSlice } from '../game/plan.js';
import type { Metric } from '../game/value.js';
import { fitsClocked } from './clocked-memory.js';
import { type CuttableSlice, labelBytesOf } from './cut.js';
import { residentKernels } from './resident.js';

export interface Assignment {
  readonly slice: string;
  /** By one worker; else by all. */
  readonly alone: boolean;
}

export interface Agenda {
  /** The slice to begin now; null if something under way must be finished first, or nothing is left. */
  next(): Assignment | null;
  /** To be called when a slice is solved. */
  finish(slice: string): void;
}

export function newAgenda(
  game: Pick<SliceCatalogue<CuttableSlice>, 'slice'>,
  plan: readonly PlannedSlice[],
  workers: number,
  budget: Pick<Budget, 'memory'> & { readonly metric?: Metric },
): Agenda {
  /** Not begun yet. */
  const waiting = byWave(plan);
  const atWork = new Set<string>();
  const solved = new Set<string>();
  let together = false;
  const each = Math.floor(budget.memory / workers);

  const sizeOf = (slice: string) => game.slice(slice).size;
  const isReady = ({ dependencies }: PlannedSlice) => dependencies.every((slice) => solved.has(slice));

  function next(): Assignment | null {
    if (together || atWork.size === workers) return null;
    const ready = waiting.filter(isReady).map(({ slice }) => slice);
    const positions = [...ready, ...atWork].reduce((sum, slice) => sum + sizeOf(slice), 0);
    const mayBeAlone = (name: string): boolean => {
      const slice = game.slice(name);
      if (budget.metric !== undefined && isClocked(budget.metric)) return fitsClocked(slice, each);
      if (slice.parts === 1 || residentKernels(slice, each) !== undefined) return true;
      return 2 * workers * slice.size <= 3 * positions && 4 * labelBytesOf(slice) * workers <= budget.memory;
    };
    const alone = ready.find(mayBeAlone);
    const slice = alone ?? (atWork.size === 0 ? ready[0] : undefined);
    if (slice === undefined) return null;
    together = alone === undefined;
    atWork.add(slice);
    waiting.splice(
      waiting.findIndex((planned) => planned.slice === slice),
      1,
    );
    return { slice, alone: !together };
  }

  function finish(slice: string): void {
    atWork.delete(slice);
    solved.add(slice);
    together = false;
  }

  return { next, finish };
}
