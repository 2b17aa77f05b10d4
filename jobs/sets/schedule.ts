/**
 * The order of a set's steps. Workers take one step each. An ending is solved when all that it converts to has tables; its files are
 * verified when those of all that it leads to are written. What was begun is finished first, so that few tables wait: while one
 * worker writes the files of an ending, another solves the next. Among equal steps the ending with the fewest men comes first, then the
 * smallest.
 *
 * Tables are freed when every ending that is made of them is verified. No step begins that might need more space than is allowed.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import type { SetStep } from '../progress/set-records.js';
import { bytes } from '../ui/numbers.js';
import { keptOf, scratchOf } from './disk.js';
import { indicesOf, type Unit } from './units.js';

interface SetSchedulePlan {
  readonly game: Pick<Game, 'slice'>;
  /** In the order of preference. */
  readonly units: readonly Unit[];
  /** The steps of each unit that remain; an empty list if the unit is done. */
  readonly steps: ReadonlyMap<Unit, readonly SetStep[]>;
  /** Slices that have tables. */
  readonly standing: ReadonlySet<string>;
  readonly workers: number;
  /** Whether tables go that no ending is made of any more. */
  readonly frees: boolean;
  /** Bytes of space that are allowed; undefined: as many as there are. */
  readonly disk?: number | undefined;
}

export interface Assignment {
  readonly unit: Unit;
  readonly step: SetStep;
  /** Nothing else can be done at the same time, so that all workers may do it together. */
  readonly isSole: boolean;
}

const PREFERENCE: Readonly<Record<SetStep, number>> = { verify: 0, write: 1, solve: 2 };

export class SetSchedule {
  /** Bytes of tables and files at present, as far as they are of this set. */
  kept = 0;
  /** Bytes of scratch of the steps at work. */
  scratch = 0;
  readonly #plan: SetSchedulePlan;
  readonly #left: Map<Unit, SetStep[]>;
  readonly #atWork = new Map<Unit, SetStep>();
  readonly #standing: Set<string>;
  readonly #reached: ReadonlyMap<Unit, ReadonlySet<Unit>>;

  constructor(plan: SetSchedulePlan) {
    this.#plan = plan;
    this.#left = new Map(plan.units.map((unit) => [unit, [...(plan.steps.get(unit) ?? [])]]));
    this.#standing = new Set(plan.standing);
    this.#reached = new Map(plan.units.map((unit) => [unit, unit.reached()]));
    for (const slice of this.#standing) this.kept += indicesOf(plan.game, slice);
    for (const unit of plan.units) {
      if (unit.filed !== null && !this.#isLeft(unit, 'write')) this.kept += keptOf(unit, 'write');
    }
  }

  /** The steps that are not done, those at work among them. */
  get left(): { unit: Unit; step: SetStep }[] {
    return [...this.#left].flatMap(([unit, steps]) => steps.map((step) => ({ unit, step })));
  }

  /** Whether a unit is done: solved, written and verified. */
  isDone(unit: Unit): boolean {
    return this.#left.get(unit)!.length === 0;
  }

  /**
   * Begins a step. Null if something at work must end first, or nothing is left. Throws UserError if nothing is at work and the next step
   * needs more space than is allowed.
   */
  next(): Assignment | null {
    const { workers, disk = Number.POSITIVE_INFINITY } = this.#plan;
    if (this.#atWork.size === workers) return null;
    const ready = this.#ready();
    const found = ready.find(({ unit, step }) => this.#spaceWith(unit, step) <= disk);
    if (found === undefined) {
      if (ready.length > 0 && this.#atWork.size === 0) throw this.#tooLarge(ready[0]);
      return null;
    }
    const { unit, step } = found;
    this.#atWork.set(unit, step);
    this.kept += keptOf(unit, step);
    this.scratch += scratchOf(this.#plan.game, unit, step);
    return { unit, step, isSole: ready.length === 1 && this.#atWork.size === 1 };
  }

  /** The step of a unit at work is done. Returns the slices whose tables are to be deleted. */
  finish(unit: Unit): string[] {
    const step = this.#left.get(unit)!.shift()!;
    this.#atWork.delete(unit);
    this.scratch -= scratchOf(this.#plan.game, unit, step);
    if (step === 'solve') for (const slice of unit.slices) this.#standing.add(slice);
    return this.#plan.frees ? this.#free() : [];
  }

  #isLeft(unit: Unit, step: SetStep): boolean {
    return this.#left.get(unit)!.includes(step);
  }

  #ready(): { unit: Unit; step: SetStep }[] {
    const ready = this.#plan.units.flatMap((unit) => {
      const step = this.#left.get(unit)![0];
      return step === undefined || this.#atWork.has(unit) || !this.#mayBegin(unit, step)
        ? []
        : { unit, step };
    });
    return ready.sort((a, b) => PREFERENCE[a.step] - PREFERENCE[b.step]);
  }

  #mayBegin(unit: Unit, step: SetStep): boolean {
    if (step === 'verify')
      return [...this.#reached.get(unit)!].every((other) => !this.#isLeft(other, 'write'));
    return [...unit.before].every((other) => !this.#isLeft(other, 'solve'));
  }

  #spaceWith(unit: Unit, step: SetStep): number {
    return this.kept + this.scratch + keptOf(unit, step) + scratchOf(this.#plan.game, unit, step);
  }

  #tooLarge({ unit, step }: { unit: Unit; step: SetStep }): UserError {
    const hint = this.#plan.frees ? '' : '; --free-tables needs less';
    return new UserError(
      `--disk: about ${bytes(this.#spaceWith(unit, step))} are needed at ${unit.name}, ${bytes(this.#plan.disk!)} are allowed${hint}`,
    );
  }

  /** The slices of tables that no unit is made of which is not done; they count as gone from now on. */
  #free(): string[] {
    const needed = new Set<string>();
    for (const [unit, steps] of this.#left) {
      if (steps.length === 0) continue;
      for (const slice of [...unit.slices, ...(unit.filed?.slices ?? [])]) needed.add(slice);
      // What is still to be solved needs the tables of all that it converts to.
      if (steps[0] === 'solve')
        for (const other of unit.before) for (const slice of other.slices) needed.add(slice);
    }
    const freed = [...this.#standing].filter((slice) => !needed.has(slice));
    for (const slice of freed) {
      this.#standing.delete(slice);
      this.kept -= indicesOf(this.#plan.game, slice);
    }
    return freed;
  }
}

interface DiskNeeds {
  /** The most that is there at once, in bytes. */
  readonly most: number;
  /** The ending at which that is. */
  readonly at: string;
  /** The part of it that is scratch. */
  readonly scratch: number;
}

/** The space of a plan whose steps are done one after the other, whatever is allowed. */
export function diskNeeds(plan: Omit<SetSchedulePlan, 'workers' | 'disk'>): DiskNeeds {
  const schedule = new SetSchedule({ ...plan, workers: 1, disk: undefined });
  let needs: DiskNeeds = { most: 0, at: '', scratch: 0 };
  for (let next = schedule.next(); next !== null; next = schedule.next()) {
    const { kept, scratch } = schedule;
    if (kept + scratch > needs.most) needs = { most: kept + scratch, at: next.unit.name, scratch };
    schedule.finish(next.unit);
  }
  return needs;
}
