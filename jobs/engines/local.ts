/**
 * An engine of several workers. Each has a partition of a slice, made again for every slice, or does a slice alone.
 * Where the calling thread knows the game, it is a worker of a crew itself. A thread that only waits for the others
 * costs memory and time to start. All other workers are threads, which live as long as the engine. Parcels go through
 * the calling thread, which passes on only their directories: the rows lie in shared memory.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { addCounters, newCounters, takeCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import type { AloneResults, AloneTask, Engine } from '../../pipeline/engine/engine.js';
import {
  callPartition,
  LocalPartition,
  type Partition,
  type PartitionSetup,
  type PartitionWorld,
  partitionCalledBy,
} from '../../pipeline/engine/partition.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { DonePiece, ImportCrew, ImportPiece, NumberedPiece } from '../../pipeline/graph/pieces.js';
import type { FindingCrew, FindTask, FoundPart } from './finders.js';
import { unpackError } from './packed-error.js';
import type { Call, PlaceOfWork, Reply, WorkerPlace } from './protocol.js';
import { endWaiting, takeWorker } from './worker-threads.js';

type Unsent = Call extends infer C ? (C extends Call ? Omit<C, 'id'> : never) : never;

export interface LocalEngineOptions {
  readonly workers: number;
  /** See PartitionSetup. */
  readonly attempt: string;
  /** Where the calling thread does the first partition of a crew, and the pieces of an import; without, it does none. */
  readonly own?: OwnWorld;
}

/** A graph is known only when it is imported: before the first partition is opened. */
export interface OwnWorld extends Omit<PartitionWorld, 'report' | 'game'> {
  readonly game: PartitionWorld['game'] | undefined;
}

export type LocalEngine = Engine & ImportCrew & FindingCrew;

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

  function here({ game, ...world }: OwnWorld, setup: PartitionSetup, report: (done: number) => void) {
    assert(game !== undefined, 'a graph is imported before it is solved');
    const partition = new LocalPartition(setup, { ...world, game, report: besides(report) });
    return partitionCalledBy(
      (method, args) =>
        // The calls of the others are on their way before this one begins.
        Promise.resolve().then(() => callPartition(partition, method, args)),
      () => partition.takeCounters(),
    );
  }

  async function piecesHere(
    world: OwnWorld,
    pieces: readonly ImportPiece[],
    next: Int32Array,
    report: (done: number) => void,
  ): Promise<NumberedPiece[]> {
    // Those who solve other games do without.
    const { doPieces } = await import('../../pipeline/graph/pieces.js');
    return doPieces(pieces, next, { ...world, report: besides(report) });
  }

  return {
    workers,
    sharing: 'memory',
    attempt,
    async open(setups, report) {
      assert(taken.size === 0, 'nobody works alone beside a crew');
      return setups.map((setup, i) =>
        own !== undefined && i === 0 ? here(own, setup, report) : thread(i).open(setup, report),
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
    find: (task, ended) => thread(task.self).find(task, ended),
    pieces: async <Kind extends ImportPiece['kind']>(
      pieces: readonly (ImportPiece & { readonly kind: Kind })[],
      report: (done: number) => void,
    ) => {
      const next = new Int32Array(new SharedArrayBuffer(4));
      const all: Promise<NumberedPiece[]>[] = [];
      // The others begin before this thread does.
      for (let i = first; i < Math.min(workers, pieces.length); i++)
        all.push(thread(i).pieces(pieces, next, report));
      if (own !== undefined) all.push(piecesHere(own, pieces, next, report));
      const done = (await Promise.all(all)).flat();
      return done.sort((a, b) => a.number - b.number) as unknown as DonePiece<Kind>[];
    },
    async close() {
      await Promise.all([endWaiting(), ...threads.map((thread) => thread.close())]);
    },
  };
}

/** A worker in a thread of its own, which does one call after the other. */
class Thread {
  private readonly worker = takeWorker();
  private readonly reports: MessagePort;
  private readonly pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private next = 0;
  /** Counters of the partition, since they were taken last. */
  private readonly counters = newCounters();
  private report: (done: number) => void = () => {};
  private progress: ProgressListener = () => {};
  private found: (part: FoundPart) => void = () => {};
  private death: Error | undefined;

  constructor(place: Omit<WorkerPlace, 'reports'>, number: number) {
    const { port1, port2 } = new MessageChannel();
    this.reports = port1;
    const whole: WorkerPlace = { ...place, reports: port2 };
    this.worker.postMessage(whole, [port2]);
    port1.on('message', (done: number) => this.report(done));
    port1.unref();
    const die = (how: string) => this.die(new Error(`worker ${number} ${how}`));
    this.worker.on('message', (reply: Reply) => this.take(reply));
    this.worker.on('messageerror', (error) => die(`sent what cannot be read: ${error.message}`));
    this.worker.on('error', (error) => this.die(error));
    this.worker.on('exit', (code) => die(`ended with code ${code} before its work was done`));
  }

  private die(error: Error): void {
    this.death ??= error;
    for (const { reject } of this.pending.values()) reject(this.death);
    this.pending.clear();
  }

  private take(reply: Reply) {
    // Reports of before come first.
    this.takeReports();
    if (reply.type === 'progress') return reply.progress.forEach(this.progress);
    if (reply.type === 'found') return this.found(reply.part);
    const call = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if (reply.type === 'error') return call?.reject(unpackError(reply.error));
    if (reply.counters !== null) addCounters(this.counters, reply.counters);
    call?.resolve(reply.value);
  }

  /** Passes on what the thread has reported so far. */
  takeReports(): void {
    for (let got = receiveMessageOnPort(this.reports); got; got = receiveMessageOnPort(this.reports))
      this.report(got.message as number);
  }

  private send(call: Unsent): Promise<unknown> {
    if (this.death !== undefined) return Promise.reject(this.death);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ ...call, id });
    });
  }

  /** The partition may be called before it is open. */
  open(setup: PartitionSetup, report: (done: number) => void): Partition {
    this.report = report;
    takeCounters(this.counters);
    const opened = this.send({ type: 'open', setup });
    // The first call reports a failure.
    opened.catch(() => {});
    return partitionCalledBy(
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

  find(task: FindTask, found: (part: FoundPart) => void): Promise<boolean> {
    this.found = found;
    return this.send({ type: 'find', task }) as Promise<boolean>;
  }

  /** See doPieces of pipeline/graph/pieces.ts. */
  pieces(
    pieces: readonly ImportPiece[],
    next: Int32Array,
    report: (done: number) => void,
  ): Promise<NumberedPiece[]> {
    this.report = report;
    return this.send({ type: 'pieces', pieces, next }) as Promise<NumberedPiece[]>;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
