/** The page's knowledge: the last snapshot and all changes since, and which run and slice are shown. */
import type { RunChange, RunSnapshot, RunStatus, SliceStatus } from '../../server/monitor/monitor-answers.js';

export const keyOf = ({ game, metric, slice }: Pick<SliceStatus, 'game' | 'metric' | 'slice'>): string =>
  `${game}/${metric}/${slice}`;

/** All that lies in the store, in place of a run. */
export const EVERYTHING = 'everything';

export interface Model {
  store: string;
  /** Oldest first. */
  readonly runs: Map<string, RunStatus>;
  readonly slices: Map<string, SliceStatus>;
  /** The server's clock shows this plus `performance.now()`. */
  clock: number;
  /** The run that was asked for, or EVERYTHING; null: the latest. */
  askedRun: string | null;
  /** Null: the one at work. */
  askedSlice: string | null;
}

export function newModel(): Model {
  return { store: '', runs: new Map(), slices: new Map(), clock: 0, askedRun: null, askedSlice: null };
}

export function takeSnapshot(model: Model, { store, at, runs, slices }: RunSnapshot): void {
  model.store = store;
  model.clock = at - performance.now();
  model.runs.clear();
  model.slices.clear();
  for (const run of runs) model.runs.set(run.run, run);
  for (const slice of slices) model.slices.set(keyOf(slice), slice);
}

export function takeChange(model: Model, { at, runs, slices, gone }: RunChange): void {
  model.clock = at - performance.now();
  for (const run of runs) model.runs.set(run.run, run);
  for (const slice of slices) model.slices.set(keyOf(slice), slice);
  for (const key of gone) model.slices.delete(key);
}

/** The run that is shown; null: everything in the store. Unless one was asked for, the last that runs, or the last. */
export function shownRun({ runs, askedRun }: Model): RunStatus | null {
  if (askedRun === EVERYTHING) return null;
  const asked = askedRun === null ? undefined : runs.get(askedRun);
  if (asked !== undefined) return asked;
  const all = [...runs.values()];
  return all.findLast(({ state }) => state === 'running') ?? all.at(-1) ?? null;
}

/** The slices of the run that is shown: those it wants and all they convert to. */
export function shownSlices(model: Model): SliceStatus[] {
  const run = shownRun(model);
  if (run === null) return [...model.slices.values()];
  const found = new Map<string, SliceStatus>();
  const visit = (slice: string): void => {
    const key = keyOf({ ...run, slice });
    const status = model.slices.get(key);
    if (status === undefined || found.has(key)) return;
    found.set(key, status);
    status.dependencies.forEach(visit);
  };
  run.wanted.forEach(visit);
  return [...found.values()];
}

/** The slice that is shown: the one asked for, or one at work, or that of those wanted that took most. */
export function shownSlice(model: Model, slices: readonly SliceStatus[]): SliceStatus | null {
  const asked = slices.find((slice) => keyOf(slice) === model.askedSlice);
  if (asked !== undefined) return asked;
  const largest = (of: readonly SliceStatus[]) => of.toSorted((a, b) => a.wave - b.wave).at(-1);
  const wanted = new Set(shownRun(model)?.wanted);
  const most = slices
    .filter(({ slice }) => wanted.has(slice))
    .toSorted((a, b) => (a.requests ?? 0) - (b.requests ?? 0))
    .at(-1);
  return largest(slices.filter(({ state }) => state === 'working')) ?? most ?? largest(slices) ?? null;
}
