/**
 * A crew does the steps of a slice: every partition does its part of a step. The parts are joined to one manifest,
 * which all partitions get before the next step begins. Who is in the crew is hidden here. Partitions are in threads
 * that share memory (this file), or in processes and machines that share only the store (rank-crew.ts). All members
 * do the same steps in the same order, because the manifests decide which step is next.
 */

import type { z } from 'zod';
import { allOf } from '../../operators/core/all-of.js';
import { addCounters, type Counters, newCounters } from '../../operators/core/counters.js';
import type { Interval } from '../../operators/core/interval.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Store } from '../../operators/storage/store.js';
import { commitManifest, type ProcessRecord, readManifest } from '../game/manifest.js';
import type { ChosenMode } from '../game/mode.js';
import type { Partition } from './partition.js';

/**
 * - `result`: the table and its verification, always committed.
 * - `committed`: whoever continues the slice begins behind it.
 * - `commit`: the same for labels; partitions go on from what they committed.
 * - `passing`: rows go from partition to partition. Committed only where partitions share nothing but the store.
 */
export type StepKind = 'result' | 'committed' | 'commit' | 'passing';

/**
 * Another process committed labels first, or a manifest is gone that was committed. The slice is to be opened again, from what is
 * committed now.
 */
export class Overtaken extends Error {
  constructor(manifest: string, what = 'was committed by another process') {
    super(`${manifest} ${what}`);
  }
}

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
  /** The name of the joined manifest. */
  readonly manifest: string;
  readonly kind: StepKind;
  readonly part: z.ZodType<Part>;
  readonly whole: z.ZodType<Whole>;
  /** Called before parts are done, if any are. */
  begin?(): void;
  /** `again`: the part was done before the partition was lost; see {@link Partition}. */
  run(partition: Member, again: boolean): Promise<Part>;
  join(parts: readonly Part[], took: Took): Whole;
  /** Whether a manifest that is there is one of this very step; all do unless this is given. One that does not is replaced. */
  isOf?(standing: Whole): boolean;
}

/** The joined manifest of a step; null if the step is not done. */
export async function readJoined<Whole extends object>(
  store: Store,
  step: Pick<Step<unknown, Whole>, 'manifest' | 'whole' | 'isOf'>,
): Promise<Whole | null> {
  const found = await readManifest(store, step.manifest, step.whole);
  return found !== null && (step.isOf?.(found) ?? true) ? found : null;
}

/** Commits the joined manifest of a step, and returns what is committed: if another attempt was first, that one stands. */
export async function commitJoined<Whole extends object>(
  store: Store,
  step: Pick<Step<unknown, Whole>, 'manifest' | 'whole' | 'isOf'>,
  whole: Whole,
): Promise<Whole> {
  for (;;) {
    const standing = await commitManifest(store, step.manifest, whole, step.whole);
    if (standing === whole || (step.isOf?.(standing) ?? true)) return standing;
    await store.delete(step.manifest);
  }
}

export interface Crew<Member = Partition> {
  readonly partitions: readonly Interval[];
  /** Whether steps are committed; else only results are. */
  readonly durable: boolean;
  /** How its partitions work, and why. */
  readonly chosen: ChosenMode;
  /** Whether this process joins parts and clears away what is superseded: one of all processes does. */
  readonly isLeading: boolean;
  /** Whether this process has the partition of this number. */
  owns(partition: number): boolean;
  /** Does the step, unless it is done. */
  step<Part, Whole extends object>(step: Step<Part, Whole, Member>): Promise<Whole>;
  /** Calls every partition of this process, without leaving a trace. */
  each(call: (partition: Member) => Promise<void>): Promise<void>;
  /**
   * Where a barrier costs more than a round with few requests, the crew of one partition does such rounds. Null in
   * the processes that wait for it. The crew must have no rounds open.
   */
  alone?(): Promise<Crew<Member> | null>;
  /** The manifest of a step that others do, once it is there. */
  awaited?<Whole extends object>(manifest: string, shape: z.ZodType<Whole>): Promise<Whole>;
}

export interface MemoryCrewOptions {
  readonly partitions: readonly Interval[];
  /** In the order of their intervals; calls of different members may run at the same time. */
  readonly members: readonly Partition[];
  readonly store: Store;
  readonly durable: boolean;
  readonly chosen: ChosenMode;
}

/** A crew whose members share memory with this thread, or are in it. */
export function memoryCrew({ partitions, members, store, durable, chosen }: MemoryCrewOptions): Crew {
  return {
    partitions,
    durable,
    chosen,
    isLeading: true,
    owns: () => true,
    async step(step) {
      const isCommitted = step.kind === 'result' || (durable && step.kind !== 'passing');
      const done = isCommitted ? await readJoined(store, step) : null;
      // Another process has committed the labels that the members hold: their runs are not those that it names, and may be deleted.
      if (done !== null && step.kind === 'commit') throw new Overtaken(step.manifest);
      if (done !== null) return done;
      step.begin?.();
      const parts = await allOf(members.map((member) => step.run(member, false)));
      const whole = step.join(parts, {
        counters: sumOf(members.map((each) => each.takeCounters())),
        processes: [],
      });
      if (!isCommitted) return whole;
      const standing = await commitJoined(store, step, whole);
      if (standing !== whole && step.kind === 'commit') throw new Overtaken(step.manifest);
      return standing;
    },
    async each(call) {
      await allOf(members.map(call));
    },
  };
}

/**
 * Deletes this process's share of objects that nobody needs any more. All processes get the same names. If one process deleted
 * them all, the others would wait for it at the next barrier.
 */
export async function deleteShare(
  store: Store,
  { partitions, owns }: Crew,
  names: readonly string[],
): Promise<void> {
  await deleteAll(
    store,
    names.filter((_, i) => owns(i % partitions.length)),
  );
}

export function sumOf(all: readonly Counters[]): Counters {
  const sum = newCounters();
  for (const each of all) addCounters(sum, each);
  return sum;
}
