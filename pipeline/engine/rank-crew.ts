/**
 * A crew whose partitions share nothing but the store. Every rank, a process that owns some of the partitions, has
 * such a crew and does the same steps. It does the parts of its own partitions, commits a manifest for each,
 * put-if-absent, and waits for the joined manifest. The leading rank, which owns the first partition, makes that of
 * all parts. So a barrier is an object in the store, a rank reads one object a step however many ranks there are. A
 * lost rank can be started again anywhere. Steps that are done say what the others sent, and it makes its own
 * state again from the last commit on.
 *
 * Two copies of a rank do no harm. Both write runs under names of their own, the first manifest stands, and the other
 * copy deletes what it wrote. A copy that loses a commit of labels begins again from the commit that stands ({@link
 * Overtaken}).
 */

import type { z } from 'zod';
import type { Counters } from '../../operators/core/counters.js';
import type { Interval } from '../../operators/core/interval.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Store } from '../../operators/storage/store.js';
import {
  commitManifest,
  FORMAT_VERSION,
  type ProcessRecord,
  readManifest,
  readManifests,
} from '../game/manifest.js';
import { SHARED_BY_RANKS } from '../game/mode.js';
import { partName } from '../game/slice-objects.js';
import { PartRecord, runNamesIn } from '../game/step-manifests.js';
import { type Crew, commitJoined, Overtaken, readJoined, type Step, sumOf } from './crew.js';
import type { Partition } from './partition.js';

/** A partition of this rank. */
export interface OwnPartition<Member = Partition> {
  /** Its number among the partitions of the slice. */
  readonly number: number;
  readonly partition: Member;
}

/** Whoever does parts of steps tells what they cost. */
type Counted = Pick<Partition, 'takeCounters'>;

export interface RankCrewOptions<Member = Partition> {
  readonly store: Store;
  /** Folder of the steps of the slice, and the name of the manifest of its table. */
  readonly work: string;
  readonly table: string;
  readonly game: string;
  readonly slice: string;
  readonly partitions: readonly Interval[];
  /** May be none, if there are more ranks than partitions. */
  readonly own: readonly OwnPartition<Member>[];
  /** The process, and what it took since this was asked last. */
  readonly takeProcessRecord: () => ProcessRecord;
  readonly waiting: Waiting;
  readonly alone?: () => Promise<Crew<Member>>;
}

/** How a rank waits: jobs alone know the clock. */
export interface Waiting {
  /** Waits a little; longer, the more often it has been called for the same thing. */
  pause(times: number): Promise<void>;
  /** Says what is missing, now and then. `missing` asks the store which partitions have not done the step. */
  sayMissing(step: string, times: number, missing: () => Promise<readonly number[]>): Promise<void>;
}

interface PartManifest<Part> extends PartRecord {
  readonly did: Part;
}

/** The step behind the table. */
export const VERIFY = 'verify';

/** Looks for a manifest after which a rank asks whether the slice is done altogether. */
const LOOK_AROUND = 8;

/** The questions of a rank while it waits. */
interface Awaited {
  /** The partitions that are missing. */
  readonly missing: () => Promise<readonly number[]>;
  /** The name of an object that the others need from this rank, and that is no longer in the store. */
  readonly gone: () => Promise<string | null>;
  /** Puts such an object into the store again, if this rank can. */
  readonly restore?: (name: string) => (() => Promise<unknown>) | undefined;
}

/** Looks for something until it is there. Throws Overtaken if it cannot come any more. */
async function until<T>(
  options: RankCrewOptions<unknown>,
  step: string,
  find: () => Promise<T | null>,
  awaited: Awaited,
): Promise<T> {
  for (let times = 0; ; times++) {
    const found = await find();
    if (found !== null) return found;
    if (times % LOOK_AROUND === LOOK_AROUND - 1) {
      const gone = await awaited.gone();
      // It was joined meanwhile, and then cleared away.
      const joined = gone === null ? null : await find();
      if (joined !== null) return joined;
      // Copies of the other ranks may have ended the slice, and cleared away what is waited for.
      if (await isOver(options, step)) throw new Overtaken(step);
      // Or the store has lost it: then all would wait for each other.
      const restore = gone === null ? undefined : awaited.restore?.(gone);
      if (restore !== undefined) await restore();
      else if (gone !== null) throw new Overtaken(gone, 'is gone');
    }
    await options.waiting.sayMissing(step, times, awaited.missing);
    await options.waiting.pause(times);
  }
}

/** The objects that this rank has put into the store, which the others may wait for. */
interface OwnObjects {
  /** The leading rank has joined a step. */
  joined(manifest: string): void;
  /** This rank has made a commit for all. `restore` puts it into the store again: some rank may not have read it. */
  doneAlone(manifest: string, restore: () => Promise<unknown>): void;
  /** The questions of a rank while it waits for the others' parts of a step. */
  awaitedOf(step: string): Awaited;
}

function newOwnObjects(options: RankCrewOptions<unknown>): OwnObjects {
  const { store, work, own } = options;
  let lastJoined: string | null = null;
  /** The commits made alone since then. */
  const alone = new Map<string, () => Promise<unknown>>();

  async function goneOf(step: string): Promise<string | null> {
    const ownParts = own.map(({ number }) => `${work}/${partName(step, number)}`);
    const joined = lastJoined === null ? [] : [lastJoined];
    for (const name of [...ownParts, ...joined, ...alone.keys()])
      if ((await store.size(name)) === null) return name;
    return null;
  }

  return {
    joined(manifest) {
      lastJoined = manifest;
      alone.clear();
    },
    doneAlone: (manifest, restore) => void alone.set(manifest, restore),
    awaitedOf: (step) => ({
      missing: () => missingParts(options, step),
      gone: () => goneOf(step),
      restore: (name) => alone.get(name),
    }),
  };
}

export function rankCrew<Member extends Counted = Partition>(options: RankCrewOptions<Member>): Crew<Member> {
  const { store, partitions, own, alone } = options;
  const owns = (partition: number) => own.some(({ number }) => number === partition);
  const isLeading = owns(0);
  const objects = newOwnObjects(options);

  async function joinParts<Part, Whole extends object>(step: Step<Part, Whole, Member>): Promise<Whole> {
    const isJoined = () => readJoined(store, step);
    const found = await until(
      options,
      step.name,
      async () => ((await missingParts(options, step.name)).length === 0 ? 'parts' : isJoined()),
      objects.awaitedOf(step.name),
    );
    if (found !== 'parts') return found;
    const parts = await readParts(options, step);
    // Parts are cleared away only behind a joined manifest.
    if (parts.length < partitions.length) return joinParts(step);
    const took = { counters: sumOf(parts.map(countersOf)), processes: parts.map((part) => part.ran) };
    const whole = step.join(
      parts.map((part) => part.did),
      took,
    );
    const standing = await commitJoined(store, step, whole);
    objects.joined(step.manifest);
    return standing;
  }

  const untilJoined = <Part, Whole extends object>(step: Step<Part, Whole, Member>): Promise<Whole> =>
    until(options, step.name, () => readJoined(store, step), objects.awaitedOf(step.name));

  /** A crew of this rank alone, whose commits the other ranks wait for. */
  const remembered = (crew: Crew<Member>): Crew<Member> => ({
    ...crew,
    async step(step) {
      const done = await crew.step(step);
      if (step.kind === 'commit') objects.doneAlone(step.manifest, () => commitJoined(store, step, done));
      return done;
    },
  });

  return {
    partitions,
    chosen: SHARED_BY_RANKS,
    durable: true,
    isLeading,
    owns,
    async step(step) {
      const done = await readJoined(store, step);
      if (done !== null && (step.kind === 'result' || step.kind === 'committed')) return done;
      const { isOvertaken, named } = await doOwn(options, step, done !== null);
      const joined = done ?? (isLeading ? await joinParts(step) : await untilJoined(step));
      if (step.kind !== 'commit') return joined;
      // If the step was joined and its parts cleared away meanwhile, the part of this rank was committed in vain. The
      // runs that it names are not those of the joined manifest, and may be deleted.
      const joinedRuns = new Set(runNamesIn(joined));
      if (isOvertaken || named.some((run) => !joinedRuns.has(run))) throw new Overtaken(step.manifest);
      return joined;
    },
    async each(call) {
      for (const { partition } of own) await call(partition);
    },
    ...(alone === undefined ? {} : { alone: async () => (isLeading ? remembered(await alone()) : null) }),
    // The leading rank does what is awaited, and alone.
    awaited: (manifest, shape) =>
      until(options, manifest, () => readManifest(store, manifest, shape), {
        missing: async () => [0],
        gone: async () => null,
      }),
  };
}

/**
 * Does the parts of this rank's partitions that are not done, and makes the state of the others again.
 * @returns whether another process has committed one of them first; and the runs that the parts of this one name.
 */
async function doOwn<Part, Whole extends object, Member extends Counted>(
  { store, work, game, slice, own, takeProcessRecord }: RankCrewOptions<Member>,
  step: Step<Part, Whole, Member>,
  isJoined: boolean,
): Promise<{ readonly isOvertaken: boolean; readonly named: readonly string[] }> {
  const shape = partShape(step.part);
  let isOvertaken = false;
  const named: string[] = [];
  if (!isJoined) step.begin?.();
  for (const { number, partition } of own) {
    const name = `${work}/${partName(step.name, number)}`;
    const again = isJoined || (await store.size(name)) !== null;
    isOvertaken ||= again;
    if (again && step.kind !== 'passing') continue;
    const did = await step.run(partition, again);
    const counters = { ...partition.takeCounters() };
    if (again) continue;
    const head = { version: FORMAT_VERSION, game, slice, step: 'part', partition: number } as const;
    const part: PartManifest<Part> = { ...head, counters, ran: takeProcessRecord(), did };
    const standing = await commitManifest(store, name, part, shape);
    if (standing === part) {
      named.push(...runNamesIn(did));
      continue;
    }
    isOvertaken = true;
    // Labels that did not change are still in the runs that they were in: both name those.
    const needed = new Set(runNamesIn(standing.did));
    await deleteAll(
      store,
      runNamesIn(did).filter((run) => !needed.has(run)),
    );
  }
  return { isOvertaken, named };
}

/** The numbers of the partitions whose part of the step is not in the store. */
async function missingParts(
  { store, work, partitions }: RankCrewOptions<unknown>,
  step: string,
): Promise<number[]> {
  const there = new Set(await store.list(`${work}/${step}/`));
  return partitions.flatMap((_, number) => (there.has(`${work}/${partName(step, number)}`) ? [] : [number]));
}

/** Whether the step belongs to a table that is there. The verification has a manifest that stays. */
async function isOver({ store, table }: RankCrewOptions<unknown>, step: string): Promise<boolean> {
  return step !== VERIFY && (await store.size(table)) !== null;
}

/** The parts of a step, by partition; those that are not there are left out. */
function readParts<Part, Whole extends object>(
  { store, work, partitions }: RankCrewOptions<unknown>,
  step: Pick<Step<Part, Whole>, 'name' | 'part'>,
): Promise<PartManifest<Part>[]> {
  const shape = partShape(step.part);
  const names = partitions.map((_, number) => `${work}/${partName(step.name, number)}`);
  return readManifests(names, (name) => readManifest(store, name, shape));
}

/** By the shape of what was done. A shape is compiled when it is first used, so it is made once and not for each round. */
const partShapes = new WeakMap<z.ZodType, z.ZodType>();

function partShape<Part>(did: z.ZodType<Part>): z.ZodType<PartManifest<Part>> {
  const shape = partShapes.get(did) ?? PartRecord.extend({ did });
  partShapes.set(did, shape);
  return shape as z.ZodType<PartManifest<Part>>;
}

function countersOf({ counters }: PartRecord): Counters {
  return counters as unknown as Counters;
}
