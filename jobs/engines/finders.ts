/** Threads that find the positions of a keyed game together with the coordinating thread. */
import { Worker } from 'node:worker_threads';
import type { Budget } from '../../operators/core/budget.js';
import { addCounters, type Counters } from '../../operators/core/counters.js';
import { Halted } from '../../pipeline/graph/reachable/exchange.js';
import {
  type ExchangeMemory,
  newExchangeMemory,
  openExchange,
} from '../../pipeline/graph/reachable/shared-exchange.js';
import type { Beginning, EndedStride, OtherReaders, Readers } from '../../pipeline/graph/read-share.js';
import { giveRulesRoom } from '../heap.js';
import { type PackedError, unpackError } from './packed-error.js';

/** Where they work: the module of the game, the store, and the folder of scratch. */
export interface FinderPlace {
  readonly path: string;
  readonly store: string;
  readonly scratchFolder: string;
  /** The part of the memory for finding positions, all shares together. */
  readonly toReach: Budget;
}

/** The first message to a thread. */
export interface FinderTask extends FinderPlace {
  readonly self: number;
  readonly memory: ExchangeMemory;
  /** One number: the positions that all have done since it was looked at. */
  readonly done: Int32Array;
  readonly beginning: Beginning;
  /** For each to keep what is read. */
  readonly budget: Budget;
  readonly commitRows: number;
}

/** From a thread. Counts are those since the last message: of the import, and of finding positions. */
export type FinderReply =
  | {
      readonly type: 'ended';
      readonly stride: EndedStride;
      readonly counters: Counters;
      readonly reached: Counters;
    }
  /** Null: another has failed. */
  | { readonly type: 'failed'; readonly error: PackedError | null };

type Ended = Extract<FinderReply, { readonly type: 'ended' }>;

/** Bytes of the slots of the exchange, of those for the positions. */
const EXCHANGE_SHARE = 1 / 32;

/** `reached`: takes what the other threads count. */
export function threadFinders(place: FinderPlace, workers: number, reached: Counters): Readers {
  return {
    workers,
    start(beginning, { budget, commitRows, report }) {
      const memory = newExchangeMemory(workers, place.toReach.memory * EXCHANGE_SHARE);
      const done = new Int32Array(new SharedArrayBuffer(4));
      const task = { ...place, memory, done, beginning, budget, commitRows };
      return startFinders(task, { reached, report });
    },
  };
}

interface FoundCounts {
  readonly reached: Counters;
  readonly report: (done: number) => void;
}

function startFinders(task: Omit<FinderTask, 'self'>, { reached, report }: FoundCounts): OtherReaders {
  const { memory, done } = task;
  const exchange = openExchange(memory, 0);
  giveRulesRoom();
  const threads = Array.from({ length: memory.of - 1 }, (_, i) =>
    startFinder({ ...task, self: i + 1 }, () => exchange.fail(i + 1)),
  );
  return {
    exchange,
    report: (own) => report(own + Atomics.exchange(done, 0, 0)),
    async ended(first, counters) {
      const parts = await Promise.all(threads.map((thread) => thread.ended()));
      for (const part of parts) {
        addCounters(counters, part.counters);
        addCounters(reached, part.reached);
      }
      return [first, ...parts.map(({ stride }) => stride)];
    },
    async fault() {
      const faults = await Promise.all(threads.map((thread) => thread.fault));
      const first = faults.find((fault) => fault !== null);
      return first ?? new Error("assertion failed: who halts for another's fault hears of it");
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface Finder {
  /** Its part of the next stride. @throws Halted if another has failed, else what ended it. */
  ended(): Promise<Ended>;
  /** Kept when it has failed: its error, or null because of another's. */
  readonly fault: Promise<Error | null>;
  close(): Promise<void>;
}

/** `died`: called when it does nothing more. */
function startFinder(task: FinderTask, died: () => void): Finder {
  const worker = new Worker(new URL('./finder-worker.js', import.meta.url), { workerData: task });
  const parts: Ended[] = [];
  let waiting: { resolve(part: Ended): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;
  let resolveFault: (fault: Error | null) => void = () => {};
  const fault = new Promise<Error | null>((resolve) => {
    resolveFault = resolve;
  });

  function fail(error: Error | null): void {
    failure ??= error ?? new Halted('another has failed');
    resolveFault(error);
    waiting?.reject(failure);
    waiting = null;
    died();
  }

  worker.on('message', (reply: FinderReply) => {
    if (reply.type === 'failed') return fail(reply.error && unpackError(reply.error));
    if (waiting === null) parts.push(reply);
    else waiting.resolve(reply);
    waiting = null;
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`a thread that finds positions ended with code ${code}`)));

  return {
    fault,
    ended() {
      const part = parts.shift();
      if (part !== undefined) return Promise.resolve(part);
      if (failure !== null) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    async close() {
      await worker.terminate();
    },
  };
}
