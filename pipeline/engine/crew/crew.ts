/**
 * A crew does the steps of a slice: every partition does its part of a step. The parts are joined to one manifest, which all partitions
 * get before the next step begins. Partitions are in threads that share memory (this file), or in processes and machines that share
 * only the store (rank-crew.ts). All members do the same steps in the same order, because the manifests decide which step is next.
 */
import type { z } from 'zod';
import { allOf } from '../../../operators/core/all-of.js';
import { addCounters, type Counters, newCounters } from '../../../operators/core/counters.js';
import { isMissing } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import type { Store } from '../../../operators/storage/store.js';
import { commitManifest, type ProcessRecord, readManifest } from '../../game/manifest.js';
import type { ChosenMode } from '../../game/mode.js';
import type { RecordShape } from '../../game/record.js';
import { runsOnlyIn } from '../../game/step-manifests.js';
import type { Partition } from './partition.js';

/**
 * - `result`: the table and its verification, always committed.
 * - `committed`: a process that continues the slice begins after it.
 * - `labels`: the same, and partitions go on from the labels that they committed.
 * - `passing`: rows go from partition to partition. Committed only where partitions share nothing but the store.
 */
export type StepKind = 'result' | 'committed' | 'labels' | 'passing';

/** The cost of the parts of a step. */
export interface Took {
  readonly counters: Counters;
  /** Processes that did the parts; none where one process does all. */
  readonly processes: readonly ProcessRecord[];
}

/** `Member`: who does a part. */
export interface Step<Part, Whole extends object, Member = Partition> {
  /** Where parts lie: names a folder. */
  readonly name: string;
  readonly ply?: number | undefined;
  /** The name of the joined manifest. */
  readonly manifest: string;
  readonly kind: StepKind;
  readonly part: z.ZodType<Part>;
  readonly whole: RecordShape<Whole>;
  /** Called before parts are done, if any are. */
  begin?(): void;
  /** `again`: the part was done before the partition was lost; see {@link Partition}. */
  run(partition: Member, again: boolean): Promise<Part>;
  join(parts: readonly Part[], took: Took): Whole;
  /** Whether a manifest that is there is one of this very step; all are unless this is given. Another one is replaced. */
  isOf?(standing: Whole): boolean;
}

/** What a crew has of a step when its own parts are done: the parts of all, or what another process joined them to. */
export type Gathered<Part, Whole> = {
  /** The parts that this process did now; null if some were done before, by another process or an earlier life of this one. */
  readonly own: readonly Part[] | null;
} & ({ readonly parts: readonly Part[]; readonly took: Took } | { readonly joined: Whole });

/** Whoever does parts of steps counts what they cost. */
export type Counted = Pick<Partition, 'takeCounters'>;

export abstract class Crew<Member extends Counted = Partition> {
  /** Called with the name of each joined manifest that this process commits; `commit` does so again. */
  onCommit: (manifest: string, commit: () => Promise<unknown>) => void = () => {};

  constructor(
    protected readonly store: Store,
    readonly partitions: readonly Interval[],
    /** The partitions that this process has, by their numbers; none, if there are more processes than partitions. */
    protected readonly members: ReadonlyMap<number, Member>,
    /** How partitions work, and why. */
    readonly chosen: ChosenMode,
    /** Whether steps are committed; else only results are. */
    readonly durable: boolean,
  ) {}

  /** Whether this process joins parts and clears away what is superseded: one of all processes does. */
  get isLeading(): boolean {
    return this.members.has(0);
  }

  /** Whether a step of a kind leaves a manifest. */
  protected abstract commits(kind: StepKind): boolean;

  /** Does the parts of this process. @param done the step is joined; it is passing, and partitions need their state again. */
  protected abstract gather<Part, Whole extends object>(
    step: Step<Part, Whole, Member>,
    done: Whole | null,
  ): Promise<Gathered<Part, Whole>>;

  /** Does the step, unless it is done. @throws Overtaken if another process has committed labels in place of those of the members. */
  async step<Part, Whole extends object>(step: Step<Part, Whole, Member>): Promise<Whole> {
    const { kind, manifest } = step;
    const done = this.commits(kind) ? await this.readJoined(step) : null;
    if (done !== null && kind === 'labels' && this.members.size > 0) throw new Overtaken(manifest);
    if (done !== null && kind !== 'passing') return done;
    const gathered = await this.gather(step, done);
    const joined = 'joined' in gathered ? gathered.joined : await this.join(step, gathered);
    // The runs that the parts name are perhaps not those of the manifest that stands, and may be deleted.
    const isOwn = () => gathered.own !== null && runsOnlyIn(gathered.own, joined).length === 0;
    if (kind === 'labels' && !isOwn()) throw new Overtaken(manifest);
    return joined;
  }

  /** The joined manifest of a step; null if the step is not done. */
  protected async readJoined<Whole extends object>({
    manifest,
    whole,
    isOf,
  }: Pick<Step<never, Whole>, 'manifest' | 'whole' | 'isOf'>): Promise<Whole | null> {
    const found = await readManifest(this.store, manifest, whole);
    return found !== null && (isOf?.(found) ?? true) ? found : null;
  }

  /** Joins parts, and commits that. @returns what is committed: if another attempt was first, that one stands. */
  private async join<Part, Whole extends object>(
    { kind, manifest, whole: shape, join, isOf }: Step<Part, Whole, Member>,
    { parts, took }: { readonly parts: readonly Part[]; readonly took: Took },
  ): Promise<Whole> {
    const whole = join(parts, took);
    if (!this.commits(kind)) return whole;
    const commit = () => commitManifest(this.store, manifest, whole, shape);
    this.onCommit(manifest, commit);
    for (;;) {
      const standing = await commit();
      if (standing === whole || (isOf?.(standing) ?? true)) return standing;
      await this.store.delete(manifest);
    }
  }

  /** Whether one partition may do rounds for all, where a barrier costs more than a round with few requests. */
  get handsOver(): boolean {
    return false;
  }

  /**
   * For rounds that one partition does for all: a crew of one partition that has all parts. Null in the
   * processes that wait for it. The crew must have no rounds open.
   */
  takeOver?(): Promise<MemoryCrew | null>;

  /** The manifest of a step that another process does for all, once it is there. */
  awaited?<Whole extends object>(manifest: string, shape: RecordShape<Whole>): Promise<Whole>;

  /** Calls every partition of this process, without leaving a trace. */
  async each(call: (partition: Member) => Promise<void>): Promise<void> {
    await allOf([...this.members.values()].map(call));
  }

  /**
   * Deletes this process's share of objects that are no longer needed. All processes get the same names. If one process deleted
   * them all, the others would wait for it at the next barrier.
   */
  async deleteShare(names: readonly string[]): Promise<void> {
    const { length } = this.partitions;
    await deleteAll(
      this.store,
      names.filter((_, i) => this.members.has(i % length)),
    );
  }
}

/** A crew whose members share memory with this thread, or are in it. */
export class MemoryCrew<Member extends Counted = Partition> extends Crew<Member> {
  protected override commits(kind: StepKind): boolean {
    return kind === 'result' || (this.durable && kind !== 'passing');
  }

  protected override async gather<Part, Whole extends object>(
    step: Step<Part, Whole, Member>,
  ): Promise<Gathered<Part, Whole>> {
    const members = [...this.members.values()];
    step.begin?.();
    const parts = await allOf(members.map((member) => step.run(member, false)));
    const counters = sumOf(members.map((member) => member.takeCounters()));
    return { parts, own: parts, took: { counters, processes: [] } };
  }
}

export function sumOf(all: readonly Counters[]): Counters {
  const sum = newCounters();
  for (const each of all) addCounters(sum, each);
  return sum;
}

/**
 * Another process committed labels first, or a manifest is gone that was committed. The slice is to be opened again, from what is
 * committed now.
 */
export class Overtaken extends Error {
  constructor(manifest: string, what = 'was committed by another process') {
    super(`${manifest} ${what}`);
  }
}

/**
 * A run that is not there may have been deleted by another process, which is further. It counts as lost when this many attempts
 * in a row miss the same run. Each attempt that misses another run has found a newer commit.
 */
const MAX_VAIN = 8;

/**
 * Calls `attempt` again as long as another process is ahead of it: each call begins with what is committed then. No work is
 * lost by that, since every attempt writes runs under names of its own.
 */
export async function contested<T>(attempt: () => Promise<T>, report: (what: string) => void): Promise<T> {
  let missed = '';
  for (let vain = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      const isGone = isMissing(error);
      if (isGone) {
        vain = error.message === missed ? vain + 1 : 1;
        missed = error.message;
      }
      if (!(error instanceof Overtaken) && !(isGone && vain < MAX_VAIN)) throw error;
      report(`opened again, from what is committed: ${error.message}`);
    }
  }
}
