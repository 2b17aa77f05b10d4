/**
 * An engine of several workers. Each has a partition of a slice, made again for every slice, or does a slice alone.
 * Where the calling thread knows the game, it is a worker of a crew itself. A thread that only waits for the others
 * costs memory and time to start. All other workers are threads, which live as long as the engine. Parcels go through
 * the calling thread, which passes on only their directories: the rows lie in shared memory.
 */
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
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
import type { FindingCrew, FoundPart } from './finders.js';
import { unpackError } from './packed-error.js';
import type { Call, PlaceOfWork, Reply, WorkerPlace } from './protocol.js';
import { endWaiting, takeWorker } from './worker-threads.js';

interface Thread {
  /** Passes on what the thread has reported so far. */
  takeReports(): void;
  /** The partition may be called before it is open. */
  open(setup: PartitionSetup, report: (done: number) => void): Partition;
  alone(task: AloneTask, progress: ProgressListener): Promise<unknown>;
  find: FindingCrew['find'];
  /** See doPieces of pipeline/graph/pieces.ts. */
  pieces(
    all: readonly ImportPiece[],
    next: Int32Array,
    report: (done: number) => void,
  ): Promise<NumberedPiece[]>;
  close(): Promise<void>;
}

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
    threads[i] ??= startThread({ ...place, scratchPrefix: `worker-${i}`, attempt }, i);
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

function startThread(place: Omit<WorkerPlace, 'reports'>, number: number): Thread {
  const { port1: reported, port2: reports } = new MessageChannel();
  const worker = takeWorker();
  const whole: WorkerPlace = { ...place, reports };
  worker.postMessage(whole, [reports]);
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 0;
  /** Counters of the partition, since they were taken last. */
  const counters = newCounters();
  let report: (done: number) => void = () => {};
  let progress: ProgressListener = () => {};
  let found: (part: FoundPart) => void = () => {};
  let death: Error | undefined;

  function die(error: Error): void {
    death ??= error;
    for (const { reject } of pending.values()) reject(death);
    pending.clear();
  }

  function takeReports(): void {
    for (let got = receiveMessageOnPort(reported); got !== undefined; got = receiveMessageOnPort(reported)) {
      report(got.message as number);
    }
  }

  reported.on('message', (done: number) => report(done));
  reported.unref();
  worker.on('message', (reply: Reply) => {
    // Reports of before come first.
    takeReports();
    if (reply.type === 'progress') return reply.progress.forEach(progress);
    if (reply.type === 'found') return found(reply.part);
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.type === 'result') {
      if (reply.counters !== null) addCounters(counters, reply.counters);
      call?.resolve(reply.value);
    } else call?.reject(unpackError(reply.error));
  });
  worker.on('messageerror', (error) =>
    die(new Error(`worker ${number} sent what cannot be read: ${error.message}`)),
  );
  worker.on('error', (error) => die(error));
  worker.on('exit', (code) =>
    die(new Error(`worker ${number} ended with code ${code} before its work was done`)),
  );

  function send(call: Unsent): Promise<unknown> {
    if (death !== undefined) return Promise.reject(death);
    const id = next++;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      worker.postMessage({ ...call, id });
    });
  }

  return {
    takeReports,
    open(setup, listener) {
      report = listener;
      takeCounters(counters);
      const opened = send({ type: 'open', setup });
      // The first call reports a failure.
      opened.catch(() => {});
      return partitionCalledBy(
        (method, args) => {
          const called = send({ type: 'call', method, args });
          called.catch(() => {});
          return opened.then(() => called);
        },
        () => takeCounters(counters),
      );
    },
    alone(task, listener) {
      progress = listener;
      return send({ type: 'alone', task });
    },
    find(task, listener) {
      found = listener;
      return send({ type: 'find', task }) as Promise<boolean>;
    },
    pieces(pieces, next, listener) {
      report = listener;
      return send({ type: 'pieces', pieces, next }) as Promise<NumberedPiece[]>;
    },
    async close() {
      await worker.terminate();
    },
  };
}
