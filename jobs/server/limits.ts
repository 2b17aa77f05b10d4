/** Limits on a request, and a gate that limits how many are answered at once. */
import { HttpProblem } from './problems.js';

export interface Limits {
  /** Characters of a path with its query. */
  readonly url: number;
  /** Bytes of all headers. */
  readonly headers: number;
  /** Bytes of a body. */
  readonly body: number;
  /** Positions of a batch. */
  readonly batch: number;
  /** Milliseconds in which the headers, and the whole request, must have come. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Milliseconds after which an answer that is not there yet is given up. */
  readonly answerMs: number;
  /** Requests that look something up at once, and those that may wait for it. */
  readonly running: number;
  readonly waiting: number;
  readonly connections: number;
  /** Milliseconds that requests have to end when the server stops. */
  readonly stopMs: number;
}

export const LIMITS: Limits = {
  url: 2048,
  headers: 16 << 10,
  body: 256 << 10,
  batch: 1000,
  headersMs: 10_000,
  requestMs: 20_000,
  answerMs: 30_000,
  running: 16,
  waiting: 256,
  connections: 2048,
  stopMs: 5_000,
};

/** Lets a number of tasks run at once and a number wait, in the order they came. */
export interface Gate {
  /** Throws HttpProblem 503 if too many wait already, and if `signal` is aborted before it is the task's turn. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

export function newGate({ running: most, waiting: mostWaiting }: Pick<Limits, 'running' | 'waiting'>): Gate {
  let running = 0;
  /** A Set keeps the order of insertion, and gives up who no longer waits. */
  const queue = new Set<() => void>();

  function turn(signal: AbortSignal | undefined): Promise<void> {
    if (queue.size >= mostWaiting) throw busy();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(begin);
        reject(new HttpProblem(503, 'the request was given up while it waited'));
      };
      queue.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    async run(task, signal) {
      // A task that another's end let in takes its place: `running` stays as it is.
      if (running < most) running++;
      else await turn(signal);
      try {
        return await task();
      } finally {
        const [next] = queue;
        if (next === undefined) running--;
        else {
          queue.delete(next);
          next();
        }
      }
    },
  };
}

function busy(): HttpProblem {
  return new HttpProblem(503, 'too many requests are being answered: try again', { 'Retry-After': '1' });
}
