/** Threads of an engine that find the positions of a keyed game together with the coordinating thread. */
import type { Budget } from '../../operators/core/budget.js';
import { addCounters, type Counters } from '../../operators/core/counters.js';
import { Halted } from '../../pipeline/graph/exchange.js';
import type { Beginning, EndedStride, OtherReaders, Readers } from '../../pipeline/graph/read-share.js';
import {
  type ExchangeMemory,
  newExchangeMemory,
  openExchange,
} from '../../pipeline/graph/shared-exchange.js';

export interface FoundGame {
  /** The module of the game. */
  readonly path: string;
  /** The part of the memory for finding positions, all shares together. */
  readonly toReach: Budget;
}

/** The share of a thread. */
export interface FindTask extends FoundGame {
  readonly self: number;
  readonly memory: ExchangeMemory;
  /** One number: the positions that all have done since it was looked at. */
  readonly done: Int32Array;
  readonly beginning: Beginning;
  /** For each to keep what is read. */
  readonly budget: Budget;
  readonly commitRows: number;
}

/** The part of a stride that a thread has. Counts are those since the last part: of the import, and of finding positions. */
export interface FoundPart {
  readonly stride: EndedStride;
  readonly counters: Counters;
  readonly reached: Counters;
}

export interface FindingCrew {
  /**
   * Does a share in the thread `task.self`, from 1 on. `ended` takes its part of each stride. Resolves to false if another
   * thread has failed. @throws what ended the share.
   */
  find(task: FindTask, ended: (part: FoundPart) => void): Promise<boolean>;
}

/** Bytes of the slots of the exchange, of those for the positions. */
const EXCHANGE_SHARE = 1 / 32;

export interface FinderOptions {
  readonly workers: number;
  /** Threads start with the first call. */
  readonly crew: () => FindingCrew;
  /** Takes what the other threads count. */
  readonly reached: Counters;
}

export function threadFinders(game: FoundGame, options: FinderOptions): Readers {
  const { workers } = options;
  return {
    workers,
    start(beginning, { budget, commitRows, report }) {
      const memory = newExchangeMemory(workers, game.toReach.memory * EXCHANGE_SHARE);
      const done = new Int32Array(new SharedArrayBuffer(4));
      return startFinders({ ...game, memory, done, beginning, budget, commitRows }, options, report);
    },
  };
}

function startFinders(
  task: Omit<FindTask, 'self'>,
  { crew, reached }: FinderOptions,
  report: (done: number) => void,
): OtherReaders {
  const { memory, done } = task;
  const exchange = openExchange(memory, 0);
  const threads = crew();
  const finders = Array.from({ length: memory.of - 1 }, (_, i) =>
    startFinder(threads, { ...task, self: i + 1 }, () => exchange.fail(i + 1)),
  );
  return {
    exchange,
    report: (own) => report(own + Atomics.exchange(done, 0, 0)),
    async ended(first, counters) {
      const parts = await Promise.all(finders.map((finder) => finder.ended()));
      for (const part of parts) {
        addCounters(counters, part.counters);
        addCounters(reached, part.reached);
      }
      return [first, ...parts.map(({ stride }) => stride)];
    },
    async fault() {
      const faults = await Promise.all(finders.map((finder) => finder.fault));
      const first = faults.find((fault) => fault !== null);
      return first ?? new Error("assertion failed: who halts for another's fault hears of it");
    },
    async close() {
      await Promise.all(finders.map((finder) => finder.fault));
    },
  };
}

interface Finder {
  /** Its part of the next stride. @throws Halted if another has failed, else what ended it. */
  ended(): Promise<FoundPart>;
  /** Kept when it does nothing more: its error, or null if it has none of its own. */
  readonly fault: Promise<Error | null>;
}

/** `failed`: called when it does nothing more, and is not at the end of its share. */
function startFinder(crew: FindingCrew, task: FindTask, failed: () => void): Finder {
  const parts: FoundPart[] = [];
  let waiting: { resolve(part: FoundPart): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;

  function take(part: FoundPart): void {
    if (waiting === null) parts.push(part);
    else waiting.resolve(part);
    waiting = null;
  }

  function fail(error: Error | null): Error | null {
    failure = error ?? new Halted('another has failed');
    waiting?.reject(failure);
    waiting = null;
    failed();
    return error;
  }

  return {
    fault: crew.find(task, take).then((isWhole) => (isWhole ? null : fail(null)), fail),
    ended() {
      const part = parts.shift();
      if (part !== undefined) return Promise.resolve(part);
      if (failure !== null) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
  };
}
