/**
 * An engine with a thread for each worker. Threads live as long as the engine. Each has a partition of a slice, made anew for
 * every slice, or does a slice alone. Parcels go through the calling thread, which passes on only their directories: the rows
 * lie in shared memory.
 */
import { Worker } from 'node:worker_threads';
import { addCounters, newCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import type { DonePiece, ImportCrew, ImportPiece } from '../../pipeline/graph/pieces.js';
import type { Partition, PartitionSetup } from '../../pipeline/partition/partition.js';
import type { ProgressListener } from '../../pipeline/solve/progress.js';
import type { AloneResults, AloneTask, Engine } from '../../pipeline/solvers/external/engine.js';
import { unpackError } from './packed-error.js';
import type { Call, PartitionCall, PlaceOfWork, Reply, WorkerPlace } from './protocol.js';

interface Thread {
  open(setup: PartitionSetup, report: (done: number) => void): Promise<Partition>;
  alone(task: AloneTask, progress: ProgressListener): Promise<unknown>;
  piece(piece: ImportPiece, report: (done: number) => void): Promise<unknown>;
  close(): Promise<void>;
}

type Unsent = Call extends infer C ? (C extends Call ? Omit<C, 'id'> : never) : never;

/** @param attempt see PartitionSetup. @param atOnce whether threads are started before they have anything to do. */
export function localEngine(
  place: PlaceOfWork,
  workers: number,
  attempt: string,
  atOnce = false,
): Engine & ImportCrew {
  const threads: Thread[] = [];
  /** Numbers of the threads that do slices alone. */
  const taken = new Set<number>();

  function thread(i: number): Thread {
    threads[i] ??= startThread({ ...place, scratchPrefix: `worker-${i}`, attempt }, i);
    return threads[i];
  }

  if (atOnce) for (let i = 0; i < workers; i++) thread(i);

  return {
    workers,
    attempt,
    open(setups, report) {
      assert(taken.size === 0, 'nobody works alone beside a crew');
      return Promise.all(setups.map((setup, i) => thread(i).open(setup, report)));
    },
    async alone<Kind extends AloneTask['kind']>(
      task: AloneTask & { readonly kind: Kind },
      progress: ProgressListener,
    ) {
      let i = 0;
      while (taken.has(i)) i++;
      assert(i < workers, 'there are as many slices at work as workers');
      taken.add(i);
      try {
        return (await thread(i).alone(task, progress)) as AloneResults[Kind];
      } finally {
        taken.delete(i);
      }
    },
    pieces: <Kind extends ImportPiece['kind']>(
      pieces: readonly (ImportPiece & { readonly kind: Kind })[],
      report: (done: number) => void,
    ) => Promise.all(pieces.map((piece, i) => thread(i).piece(piece, report) as Promise<DonePiece<Kind>>)),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

const METHODS: Record<PartitionCall, true> = {
  resident: true,
  enumerate: true,
  convert: true,
  emitEdges: true,
  writeEdges: true,
  openRounds: true,
  expand: true,
  ask: true,
  answer: true,
  round: true,
  commit: true,
  closeRounds: true,
  finish: true,
  verify: true,
};

function startThread(place: WorkerPlace, number: number): Thread {
  const worker = new Worker(new URL('./local-worker.js', import.meta.url), { workerData: place });
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 0;
  /** Counters of the partition, since they were taken last. */
  let counters = newCounters();
  let report: (done: number) => void = () => {};
  let progress: ProgressListener = () => {};
  let death: Error | undefined;

  function die(error: Error): void {
    death ??= error;
    for (const { reject } of pending.values()) reject(death);
    pending.clear();
  }

  worker.on('message', (reply: Reply) => {
    if (reply.type === 'report') return report(reply.done);
    if (reply.type === 'progress') return reply.progress.forEach(progress);
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
    async open(setup, listener) {
      report = listener;
      counters = newCounters();
      await send({ type: 'open', setup });
      const methods = Object.keys(METHODS).map((method) => [
        method,
        (...args: unknown[]) => send({ type: 'call', method: method as PartitionCall, args }),
      ]);
      const takeCounters = () => {
        const taken = counters;
        counters = newCounters();
        return taken;
      };
      return { ...Object.fromEntries(methods), takeCounters } as Partition;
    },
    alone(task, listener) {
      progress = listener;
      return send({ type: 'alone', task });
    },
    piece(piece, listener) {
      report = listener;
      return send({ type: 'piece', piece });
    },
    async close() {
      await worker.terminate();
    },
  };
}
