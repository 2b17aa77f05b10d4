/**
 * An engine of several workers. Each has a partition of a slice, made again for every slice, or does a slice alone.
 * If the calling thread has the game, it is a worker of the crew itself. A thread that only waits for the others
 * costs memory and time to start. All other workers are threads, which live as long as the engine. Parcels go through
 * the calling thread, which passes on only their directories: the rows lie in shared memory.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { addCounters, newCounters, takeCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import type { Counted } from '../../pipeline/engine/crew/crew.js';
import type { AloneResults, AloneTask, Engine } from '../../pipeline/engine/crew/engine.js';
import {
  callMember,
  LocalPartition,
  memberCalledBy,
  type Partition,
  type PartitionSetup,
  type PartitionWorld,
} from '../../pipeline/engine/crew/partition.js';
import { memoryCarrier } from '../../pipeline/engine/phases/exchange.js';
import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';
import type { ImportOptions } from '../../pipeline/graph/import-options.js';
import type { Importer, ImportPartition, ImportSetup } from '../../pipeline/graph/import-partition.js';
import type { Answered, Call, PlaceOfWork, PostedSource, WorkerPlace } from './protocol.js';
import { Remote } from './remote.js';
import { endWaiting, takeWorker } from './worker-threads.js';

interface LocalEngineOptions {
  readonly workers: number;
  /** See PartitionSetup. */
  readonly attempt: string;
  /** Where the calling thread does the first partition of a crew; without, it does none. */
  readonly own?: OwnWorld;
}

/** A graph is known only when it is imported: before the first partition is opened. */
export interface OwnWorld extends Omit<PartitionWorld, 'report' | 'game'> {
  readonly game: PartitionWorld['game'] | undefined;
}

export interface LocalEngine extends Engine {
  /** Partitions of an import: the first in this thread, which has the source. */
  openImport(
    setups: readonly ImportSetup[],
    options: ImportOptions,
    source: PostedSource,
  ): Promise<Importer[]>;
}

export function localEngine(place: PlaceOfWork, { workers, attempt, own }: LocalEngineOptions): LocalEngine {
  /** By the number of the partition that they have in a crew; one more, where the calling thread has the first. */
  const threads: Thread[] = [];
  const first = own === undefined ? 0 : 1;
  /** Numbers of the threads that do slices alone. */
  const taken = new Set<number>();

  function thread(i: number): Thread {
    threads[i] ??= new Thread({ ...place, scratchPrefix: `worker-${i}`, attempt }, i);
    return threads[i];
  }

  /** While this thread works, no message of another reaches it. */
  const besides = (report: (done: number) => void) => (done: number) => {
    report(done);
    for (const thread of threads) thread?.takeReports();
  };

  /** A member in this thread. The calls of the others are on their way before this one begins. */
  function here<Member extends Counted>(type: { readonly prototype: Member }, member: Member) {
    return memberCalledBy(
      type,
      (method, args) => Promise.resolve().then(() => callMember(member, method, args)),
      () => member.takeCounters(),
    );
  }

  function partitionHere(
    { game, ...world }: OwnWorld,
    setup: PartitionSetup,
    report: (done: number) => void,
  ) {
    assert(game !== undefined, 'a graph is imported before it is solved');
    return here(LocalPartition, new LocalPartition(setup, { ...world, game, report: besides(report) }));
  }

  return {
    workers,
    attempt,
    async open(setups, report) {
      assert(taken.size === 0, 'nobody works alone beside a crew');
      return setups.map((setup, i) =>
        own !== undefined && i === 0 ? partitionHere(own, setup, report) : thread(i).open(setup, report),
      );
    },
    async alone<Kind extends AloneTask['kind']>(
      task: AloneTask & { readonly kind: Kind },
      progress: ProgressListener,
    ) {
      let i = first;
      while (taken.has(i)) i++;
      assert(i < first + workers, 'there are as many slices at work as workers');
      taken.add(i);
      try {
        return (await thread(i).alone(task, progress)) as AloneResults[Kind];
      } finally {
        taken.delete(i);
      }
    },
    async openImport(setups, options, source) {
      // Those who solve other games do without.
      const { ImportPartition } = await import('../../pipeline/graph/import-partition.js');
      return setups.map((setup, i) => {
        if (i > 0) return thread(i).openImport(ImportPartition, setup, source, options.report);
        const world = { ...options, report: besides(options.report), carrier: memoryCarrier(setup.shared) };
        return here(ImportPartition, new ImportPartition(setup, world));
      });
    },
    async close() {
      await Promise.all([endWaiting(), ...threads.map((thread) => thread.close())]);
    },
  };
}

/** A worker in a thread of its own, which does one call after the other. */
class Thread {
  private readonly remote: Remote<Call, readonly Progress[]>;
  private readonly reports: MessagePort;
  /** Counters of the partition, since they were taken last. */
  private readonly counters = newCounters();
  private report: (done: number) => void = () => {};
  private progress: ProgressListener = () => {};

  constructor(place: Omit<WorkerPlace, 'reports'>, number: number) {
    const { port1, port2 } = new MessageChannel();
    this.reports = port1;
    this.remote = new Remote(takeWorker(), `worker ${number}`, (all) => {
      this.takeReports();
      all.forEach(this.progress);
    });
    // Where it fails, so do the calls behind it.
    this.remote.call({ type: 'settle', place: { ...place, reports: port2 } }, [port2]).catch(() => {});
    port1.on('message', (done: number) => this.report(done));
    port1.unref();
  }

  /** Passes on what the thread has reported so far. */
  takeReports(): void {
    for (let got = receiveMessageOnPort(this.reports); got; got = receiveMessageOnPort(this.reports))
      this.report(got.message as number);
  }

  private async send(call: Call): Promise<unknown> {
    try {
      const { value, counters } = await this.remote.call<Answered>(call);
      if (counters !== null) addCounters(this.counters, counters);
      return value;
    } finally {
      // What it reported before it answered comes first.
      this.takeReports();
    }
  }

  open(setup: PartitionSetup, report: (done: number) => void): Partition {
    return this.openMember(LocalPartition, { type: 'open', setup }, report);
  }

  openImport(
    type: typeof ImportPartition,
    setup: ImportSetup,
    source: PostedSource,
    report: (done: number) => void,
  ): Importer {
    return this.openMember(type, { type: 'import', setup, source }, report);
  }

  /** The member may be called before it is open. */
  private openMember<Member extends object>(
    type: { readonly prototype: Member },
    call: Call,
    report: (done: number) => void,
  ): Pick<Member, keyof Member> {
    this.report = report;
    takeCounters(this.counters);
    const opened = this.send(call);
    // The first call reports a failure.
    opened.catch(() => {});
    return memberCalledBy(
      type,
      (method, args) => {
        const called = this.send({ type: 'call', method, args });
        called.catch(() => {});
        return opened.then(() => called);
      },
      () => takeCounters(this.counters),
    );
  }

  alone(task: AloneTask, progress: ProgressListener): Promise<unknown> {
    this.progress = progress;
    return this.send({ type: 'alone', task });
  }

  close(): Promise<void> {
    return this.remote.end();
  }
}
