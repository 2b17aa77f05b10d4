/**
 * A crew whose partitions share nothing but the store. Every rank, a process that owns some of the partitions, has such a crew and
 * does the same steps. It does the parts of its own partitions, commits a manifest for each, put-if-absent, and waits for the joined
 * manifest. The leading rank, which owns the first partition, makes that of all parts. So a barrier is an object in the store, and a
 * rank reads one object a step however many ranks there are. A lost rank can be started again anywhere. The manifests of steps that
 * are done tell it what the others sent, and it makes its own state again from the last commit on.
 *
 * Two copies of a rank do no harm. Both write runs under names of their own, the first manifest stands, and the other copy deletes
 * what it wrote. A copy that loses a commit of labels begins again from the commit that stands ({@link Overtaken}).
 */
import type { Counters } from '../../../operators/core/counters.js';
import type { Interval } from '../../../operators/core/interval.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import type { Store } from '../../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import { commitManifest, type ProcessRecord, readManifest, readManifests } from '../../game/manifest.js';
import { SHARED_BY_RANKS } from '../../game/mode.js';
import type { RecordShape } from '../../game/record.js';
import { partName } from '../../game/slice-objects.js';
import { type PartOf, partOf, runsOnlyIn } from '../../game/step-manifests.js';
import { type Counted, Crew, type Gathered, type MemoryCrew, Overtaken, type Step, sumOf } from './crew.js';
import type { Partition } from './partition.js';

export interface RankCrewOptions<Member> {
  readonly store: Store;
  /** Folder of the steps of the slice, and the name of the manifest of its table. */
  readonly work: string;
  readonly table: string;
  readonly game: string;
  readonly slice: string;
  readonly partitions: readonly Interval[];
  /** The partitions of this rank, by their numbers. */
  readonly members: ReadonlyMap<number, Member>;
  /** The process, and what it took since the last call. */
  readonly takeProcessRecord: () => ProcessRecord;
  readonly waiting: Waiting;
  /** Opens the crew of one partition that does rounds for all; absent if none ever does. */
  readonly openTakeOver?: (() => Promise<MemoryCrew>) | undefined;
}

/** How a rank waits: jobs alone know the clock. */
export interface Waiting {
  /** Waits a little; longer, the more often it has been called for the same thing. */
  pause(times: number): Promise<void>;
  /** Reports every few seconds what the rank waits for. `missing` reads from the store which partitions have not done the step. */
  reportMissing(step: string, times: number, missing: () => Promise<readonly number[]>): Promise<void>;
}

/** Every crew of a process writes runs under names of its own. */
export function newAttempts(attempt: string): () => string {
  let number = 0;
  return () => `${attempt}${number++ === 0 ? '' : `-${number}`}`;
}

/** The step after the table is written. */
export const VERIFY = 'verify';

/** Looks for a manifest after which a rank looks for signs that it will never come. */
const LOOK_AROUND = 8;

export class RankCrew<Member extends Counted = Partition> extends Crew<Member> {
  /** Manifests of this rank that other ranks may not have read yet; and of those that it commits alone, how they are put again. */
  private readonly unread = new Map<string, (() => Promise<unknown>) | null>();

  constructor(private readonly options: RankCrewOptions<Member>) {
    super(options.store, options.partitions, options.members, SHARED_BY_RANKS, true);
    this.onCommit = (manifest) => this.unread.set(manifest, null);
  }

  protected override commits(): boolean {
    return true;
  }

  protected override async gather<Part, Whole extends object>(
    step: Step<Part, Whole, Member>,
    done: Whole | null,
  ): Promise<Gathered<Part, Whole>> {
    const own = await this.doOwn(step, done !== null);
    if (done !== null) return { own, joined: done };
    const missing = () => this.missingParts(step.name);
    const gathered = await this.until(step.name, missing, async () => {
      if (this.isLeading && (await missing()).length === 0) {
        const parts = await this.readParts(step);
        // Parts are deleted only once the joined manifest is there.
        if (parts.length === this.partitions.length) {
          const counters = sumOf(parts.map((part) => part.counters as unknown as Counters));
          const took = { counters, processes: parts.map(({ ran }) => ran) };
          return { own, parts: parts.map(({ did }) => did), took };
        }
      }
      const joined = await this.readJoined(step);
      return joined && { own, joined };
    });
    // All parts were there, so all ranks have read the manifests before.
    this.unread.clear();
    return gathered;
  }

  override get handsOver(): boolean {
    return this.options.openTakeOver !== undefined;
  }

  override async takeOver(): Promise<MemoryCrew | null> {
    if (!this.isLeading) return null;
    const crew = await this.options.openTakeOver!();
    crew.onCommit = (manifest, commit) => this.unread.set(manifest, commit);
    return crew;
  }

  override awaited<Whole extends object>(manifest: string, shape: RecordShape<Whole>): Promise<Whole> {
    // The leading rank does what is awaited.
    const missing = async () => [0];
    return this.until(manifest, missing, () => readManifest(this.store, manifest, shape));
  }

  /** The parts that were done now: null if another process had done one of them, or commits it first. */
  private async doOwn<Part>(
    step: Step<Part, object, Member>,
    isJoined: boolean,
  ): Promise<readonly Part[] | null> {
    const { store } = this;
    const { game, slice, takeProcessRecord } = this.options;
    const shape = partOf(step.part);
    const own: Part[] = [];
    if (!isJoined) step.begin?.();
    for (const [partition, member] of this.members) {
      const name = this.partName(step.name, partition);
      const again = isJoined || (await store.size(name)) !== null;
      if (!isJoined) this.unread.set(name, null);
      if (again && step.kind !== 'passing') continue;
      const did = await step.run(member, again);
      const counters = { ...member.takeCounters() };
      if (again) continue;
      const head = { version: FORMAT_VERSION, game, slice, step: 'part', ply: step.ply, partition } as const;
      const part: PartOf<Part> = { ...head, counters, ran: takeProcessRecord(), did };
      const standing = await commitManifest(store, name, part, shape);
      if (standing === part) own.push(did);
      // Labels that did not change are still in the runs that they were in: both name those.
      else await deleteAll(store, runsOnlyIn(did, standing.did));
    }
    return own.length === this.members.size ? own : null;
  }

  /** Looks for something until it is there. @throws Overtaken if it cannot come any more. */
  private async until<T>(
    step: string,
    missing: () => Promise<readonly number[]>,
    find: () => Promise<T | null>,
  ): Promise<T> {
    const { waiting } = this.options;
    for (let times = 0; ; times++) {
      const found = await find();
      if (found !== null) return found;
      if (times % LOOK_AROUND === LOOK_AROUND - 1) {
        const lost = await this.lostManifest();
        // It was joined meanwhile, and then cleared away.
        const joined = lost === undefined ? null : await find();
        if (joined !== null) return joined;
        // Copies of the other ranks may have ended the slice, and cleared away what is waited for. The verification's manifest stays.
        if (step !== VERIFY && (await this.store.size(this.options.table)) !== null)
          throw new Overtaken(step);
        // Or the store has lost it, or other processes began again and have deleted it: then all would wait for each other.
        if (lost?.put === null) throw new Overtaken(lost.name, 'is gone');
        await lost?.put();
      }
      await waiting.reportMissing(step, times, missing);
      await waiting.pause(times);
    }
  }

  /** A manifest of this rank that others need, and that is no longer in the store. */
  private async lostManifest() {
    for (const [name, put] of this.unread) if ((await this.store.size(name)) === null) return { name, put };
    return undefined;
  }

  private partName(step: string, partition: number): string {
    return `${this.options.work}/${partName(step, partition)}`;
  }

  /** The partitions whose part of the step is not in the store. */
  private async missingParts(step: string): Promise<number[]> {
    const there = new Set(await this.store.list(`${this.options.work}/${step}/`));
    return [...this.partitions.keys()].filter((partition) => !there.has(this.partName(step, partition)));
  }

  /** The parts of a step, by partition; those that are not there are left out. */
  private readParts<Part>({ name, part }: Step<Part, object, Member>): Promise<PartOf<Part>[]> {
    const names = [...this.partitions.keys()].map((partition) => this.partName(name, partition));
    return readManifests(names, (each) => readManifest(this.store, each, partOf(part)));
  }
}
