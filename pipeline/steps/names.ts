/**
 * Phases of a slice that is solved by steps, and the names under which they lie in the store. Names follow from the slice
 * alone, so any process that knows the store can find what is done and do what is not.
 */
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../game.js';
import { workPrefix } from '../phases/context.js';
import { slicePrefix } from '../table/names.js';
import { type Metric, metrics } from '../value.js';

/** A phase whose tasks are partitions of the slice. `round` labels what is won or lost in `ply` plies. */
export type PartitionPhase =
  | { readonly type: 'start' | 'finish' | 'verify' }
  | { readonly type: 'round'; readonly ply: number };

export type Phase = PartitionPhase | { readonly type: 'whole' };

/** A slice to be solved by steps, in a store. */
export interface SliceWork {
  readonly store: Store;
  readonly game: Game;
  readonly metric: Metric;
  /** Canonical name. */
  readonly slice: string;
}

/** What names are made of. */
export interface SliceAt {
  readonly game: { readonly name: string };
  readonly metric: Metric;
  readonly slice: string;
}

/** Where the passing runs and the manifests of the tasks lie. */
export function stepsFolder({ game, metric, slice }: SliceAt): string {
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
export function phaseFolder(work: SliceAt, phase: Phase): string {
  return `${stepsFolder(work)}/${phaseName(phase)}`;
}

/** The manifest of a task: there when, and only when, the task is done. */
export function taskName(work: SliceAt, phase: Phase, task: number): string {
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
