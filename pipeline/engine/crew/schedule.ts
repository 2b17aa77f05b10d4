/**
 * The schedule of a solve: its slices in the order of their waves, each of which waits, is at work, or is done. A slice begins when all
 * that it depends on is done. It is done by one worker *alone*, while the others do other slices, or by all of them as a crew. Alone
 * costs less: nothing is exchanged, and no worker waits for the slowest after every step of a round. While a slice is done by all
 * the workers of a process, nothing else is.
 *
 * Workers of one process share their memory, and decide by what is at work. Ranks share nothing but the store: which slices they do alone
 * is fixed beforehand, so that all ranks meet in the same slice of the others, and a rank claims a slice before it does it alone.
 * Tables do not depend on any of this: no value depends on the worker that solves a slice.
 */
import { isClocked } from '../../game/clocked.js';
import type { SliceCatalogue } from '../../game/game.js';
import { byWave, type PlannedSlice } from '../../game/plan.js';
import type { ProgressListener } from '../../game/progress.js';
import { type CuttableSlice, labelBytesOf } from './cut.js';
import { leastMemory } from './least-memory.js';
import { fitsMemory, type ModeChoice } from './mode.js';

export interface Assignment<Slice = PlannedSlice> {
  readonly slice: Slice;
  /** By one worker; else by all. */
  readonly alone: boolean;
}

/** Gives the rule by which a slice is one worker's, where these can be begun now or are at work here. */
export type RuleForOne<Slice> = (contending: readonly Slice[]) => (slice: Slice) => boolean;

export class Schedule<Slice extends PlannedSlice = PlannedSlice> {
  /** How many slices there are. */
  readonly size: number;
  /** Claimed by other ranks. */
  readonly elsewhere = new Set<Slice>();
  readonly #waiting: Slice[];
  readonly #atWork = new Set<Slice>();
  /** Of each slice, the dependencies that are not done: plans of thousands of slices are scanned again and again. */
  readonly #missing: Map<Slice, Set<string>>;
  readonly #workers: number;
  readonly #ruleForOne: RuleForOne<Slice>;
  #together = false;

  /** @param workers slices that may be at work at once. */
  constructor(slices: readonly Slice[], workers: number, ruleForOne: RuleForOne<Slice>) {
    this.size = slices.length;
    this.#waiting = byWave(slices);
    this.#missing = new Map(slices.map((slice) => [slice, new Set(slice.dependencies)]));
    this.#workers = workers;
    this.#ruleForOne = ruleForOne;
  }

  /** How many slices have been begun, here or elsewhere. */
  get begun(): number {
    return this.size - this.#waiting.length;
  }

  /** A slice that is not done, the first that waits if there is any; undefined if all are done. */
  get missing(): Slice | undefined {
    return [...this.#waiting, ...this.elsewhere, ...this.#atWork][0];
  }

  /** Begins a slice; null if something at work must be finished first, or nothing is left. */
  next(): Assignment<Slice> | null {
    if (this.#together || this.#atWork.size === this.#workers) return null;
    const isReady = (slice: Slice) => this.#missing.get(slice)!.size === 0;
    const ready = this.#waiting.filter(isReady);
    const isForOne = this.#ruleForOne([...ready, ...this.#atWork]);
    const forOne = ready.find(isForOne);
    const slice = forOne ?? this.#waiting.find((slice) => !isForOne(slice));
    if (slice === undefined) return null;
    if (forOne === undefined && (this.#atWork.size > 0 || !isReady(slice))) return null;
    this.#waiting.splice(this.#waiting.indexOf(slice), 1);
    this.#atWork.add(slice);
    this.#together = forOne === undefined;
    return { slice, alone: !this.#together };
  }

  /** The slice that was begun is another rank's. */
  leave(slice: Slice): void {
    this.#atWork.delete(slice);
    this.elsewhere.add(slice);
  }

  /** The rank that had claimed the slice is lost: the slice waits again. */
  takeBack(slice: Slice): void {
    this.elsewhere.delete(slice);
    this.#waiting.unshift(slice);
  }

  /** The slice is done, here or elsewhere. */
  finish(slice: Slice): void {
    if (this.#atWork.delete(slice)) this.#together = false;
    this.elsewhere.delete(slice);
    for (const missing of this.#missing.values()) missing.delete(slice.slice);
  }
}

/**
 * The schedule of workers that share `memory`. A slice is done by one of them
 *
 * - if it has one part, because it cannot be cut; or if it is done in a worker's memory, which costs least; or
 * - if the others have enough to do meanwhile, and its labels take no more than a quarter of that worker's memory. The others
 *   have enough if it is at most one and a half times a worker's share of all slices that can be done now. For a crew of two
 *   takes three quarters of the time of one. So two alone are no later with slices up to three times as large as each other.
 *
 * A slice that is solved in memory only and does not fit a worker's share is done by one with the memory of all. A slice with parts too wide
 * for such a share is done by as many as the memory has room for.
 */
export function scheduleOfWorkers(
  game: Pick<SliceCatalogue<CuttableSlice>, 'slice'>,
  plan: readonly PlannedSlice[],
  workers: number,
  { memory, ...how }: Pick<ModeChoice, 'memory' | 'metric' | 'strategy'>,
): Schedule {
  const each = Math.floor(memory / workers);
  return new Schedule(plan, workers, (contending) => {
    const positions = contending.reduce((sum, { slice }) => sum + game.slice(slice).size, 0);
    return (planned) => {
      const slice = game.slice(planned.slice);
      const fits = fitsMemory(slice, { ...how, memory: each });
      if (fits || isClocked(how.metric)) return fits;
      const othersAreBusy = 2 * workers * slice.size <= 3 * positions;
      if (leastMemory(game, slice, how.strategy, how.metric).bytes > each) return false;
      return slice.parts === 1 || (othersAreBusy && 4 * labelBytesOf(slice, how.metric) * workers <= memory);
    };
  });
}

/** Who does the slices of a schedule. */
export interface Workers<Slice, Done> {
  together(slice: Slice): Promise<Done>;
  alone(slice: Slice): Promise<Done>;
  readonly progress: ProgressListener;
  /** Of ranks, which share a store. */
  readonly ranks?: {
    /** Whether the slice is this rank's to do alone. */
    claim(slice: Slice): Promise<boolean>;
    /** What is done of the slice, by any rank; null if it is not. */
    find(slice: Slice): Promise<Done | null>;
    /** Waits for other ranks, for the `times`-th time in a row: this slice is missing. */
    wait(slice: Slice, times: number): Promise<void>;
    /** Whether a slice that another rank had claimed can be claimed again, because that rank is lost. */
    isForsaken(slice: Slice): Promise<boolean>;
  };
}

/** Waits of a rank after which it looks whether the ranks for which it waits are lost. */
const LOOK_FOR_LOST = 16;

export interface SliceResult<Done> {
  readonly done: Done;
  /** Whether other slices were being done at the same time, in this process. */
  readonly accompanied: boolean;
}

/**
 * Does all slices.
 * @returns the results by the name of the slice.
 * @throws the error of the first slice to fail.
 */
export async function doAll<Slice extends PlannedSlice, Done>(
  schedule: Schedule<Slice>,
  { together, alone, progress, ranks }: Workers<Slice, Done>,
): Promise<Map<string, SliceResult<Done>>> {
  const running = new Map<Slice, Promise<{ slice: Slice; done: Done | null }>>();
  const accompanied = new Set<Slice>();
  const results = new Map<string, SliceResult<Done>>();

  function finish(slice: Slice, done: Done): void {
    results.set(slice.slice, { done, accompanied: accompanied.has(slice) });
    schedule.finish(slice);
  }

  /** Null: another rank does it. */
  async function begin({ slice, alone: byOne }: Assignment<Slice>, number: number): Promise<Done | null> {
    const found = await ranks?.find(slice);
    if (found) return found;
    if (ranks !== undefined && byOne && !(await ranks.claim(slice))) return null;
    const name = slice.slice;
    const shared = ranks === undefined ? {} : { together: !byOne };
    progress({ type: 'slice', slice: name, number, of: schedule.size, ...shared });
    const done = await (byOne ? alone : together)(slice);
    progress({ type: 'finished', slice: name });
    return done;
  }

  for (let times = 0; schedule.missing !== undefined; ) {
    for (const slice of schedule.elsewhere) {
      const found = await ranks!.find(slice);
      if (found !== null) finish(slice, found);
    }
    for (let next = schedule.next(); next !== null; next = schedule.next()) {
      const { slice } = next;
      const done = begin(next, schedule.begun);
      running.set(
        slice,
        done.then((done) => ({ slice, done })),
      );
      if (running.size > 1) for (const each of running.keys()) accompanied.add(each);
    }
    if (running.size > 0) {
      const { slice, done } = await Promise.race(running.values());
      running.delete(slice);
      if (done === null) schedule.leave(slice);
      else finish(slice, done);
      times = 0;
    } else if (schedule.missing !== undefined) {
      await ranks!.wait(schedule.missing, times++);
      if (times % LOOK_FOR_LOST === 0)
        for (const slice of schedule.elsewhere) if (await ranks!.isForsaken(slice)) schedule.takeBack(slice);
    }
  }
  return results;
}
