/**
 * The gate that every request which reads tables passes. It limits the work that is done at once, and thereby memory. Requests wait for
 * requests of the same kind only, so lookups are answered while scans run. Among the requests that wait, clients take turns, so that a
 * client with many requests delays its own and not those of others.
 */
import type { Limits } from './limits.js';
import { HttpProblem } from './problems.js';

/** A lookup of a position or a line, a batch of positions, a scan of tables, or the plan of a solve. */
export type TurnKind = 'lookup' | 'batch' | 'scan' | 'plan';

export interface Turn {
  readonly kind: TurnKind;
  /** The share of its kind's limit that the task takes: the positions of a batch; 1 unless given. */
  readonly weight?: number;
  /** The address of the client. */
  readonly client: string;
  /** If it is aborted before the task's turn comes, the task leaves the queue. */
  readonly signal?: AbortSignal | undefined;
}

export type GateLimits = Pick<Limits, 'running' | 'positions' | 'scans' | 'plans' | 'waiting'>;

export class Gate {
  readonly #queues: Readonly<Record<TurnKind, Queue>>;

  constructor({ running, positions, scans, plans, waiting }: GateLimits) {
    this.#queues = {
      lookup: new Queue(running, waiting),
      batch: new Queue(positions, waiting),
      scan: new Queue(scans, waiting),
      plan: new Queue(plans, waiting),
    };
  }

  /** Tasks at work, of all kinds. */
  get running(): number {
    return this.#sum((queue) => queue.running);
  }

  /** Tasks that wait for their turn, of all kinds. */
  get waiting(): number {
    return this.#sum((queue) => queue.waiting);
  }

  /** Throws HttpProblem 503 if too many wait already, and if the turn's signal is aborted before the turn comes. */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T> {
    return this.#queues[turn.kind].run(turn, task);
  }

  #sum(of: (queue: Queue) => number): number {
    return Object.values(this.#queues).reduce((sum, queue) => sum + of(queue), 0);
  }
}

interface Waiting {
  readonly weight: number;
  begin(): void;
  refuse(problem: HttpProblem): void;
}

/** The tasks of one kind. */
class Queue {
  running = 0;
  waiting = 0;
  #load = 0;
  /** By client, in the order in which they take turns. */
  readonly #clients = new Map<string, Waiting[]>();

  constructor(
    readonly most: number,
    readonly mostWaiting: number,
  ) {}

  async run<T>({ weight = 1, client, signal }: Turn, task: () => Promise<T>): Promise<T> {
    if (signal?.aborted) throw givenUp();
    if (this.waiting === 0 && this.#hasRoom(weight)) this.#take(weight);
    else await this.#turn(weight, client, signal);
    try {
      return await task();
    } finally {
      this.running--;
      this.#load -= weight;
      this.#next();
    }
  }

  #hasRoom(weight: number): boolean {
    return this.running === 0 ? this.most > 0 : this.#load + weight <= this.most;
  }

  #take(weight: number): void {
    this.running++;
    this.#load += weight;
  }

  #turn(weight: number, client: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.waiting >= this.mostWaiting) this.#displaceFor(client);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(client, waiting);
        reject(givenUp());
        // It may have stood in the way of lighter tasks.
        this.#next();
      };
      const waiting: Waiting = {
        weight,
        begin() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        refuse(problem) {
          signal?.removeEventListener('abort', leave);
          reject(problem);
        },
      };
      const own = this.#clients.get(client);
      if (own === undefined) this.#clients.set(client, [waiting]);
      else own.push(waiting);
      this.waiting++;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Makes room for a client's new task: refuses the last task of the client with most, or throws if no client has clearly more. */
  #displaceFor(client: string): void {
    const own = this.#clients.get(client)?.length ?? 0;
    let [longest, most] = ['', 0];
    for (const [name, { length }] of this.#clients) if (length > most) [longest, most] = [name, length];
    if (most <= own + 1) throw busy();
    const last = this.#clients.get(longest)!.at(-1)!;
    this.#remove(longest, last);
    last.refuse(busy());
  }

  #remove(client: string, waiting: Waiting): void {
    const own = this.#clients.get(client)!;
    own.splice(own.indexOf(waiting), 1);
    if (own.length === 0) this.#clients.delete(client);
    this.waiting--;
  }

  /** Begins the tasks that there is room for: of each client the first, in turns. */
  #next(): void {
    for (;;) {
      const [first] = this.#clients;
      if (first === undefined) return;
      const [client, own] = first;
      const [waiting] = own;
      if (!this.#hasRoom(waiting.weight)) return;
      this.#remove(client, waiting);
      // Behind all others.
      if (own.length > 0) {
        this.#clients.delete(client);
        this.#clients.set(client, own);
      }
      this.#take(waiting.weight);
      waiting.begin();
    }
  }
}

function busy(): HttpProblem {
  return new HttpProblem(503, 'too many requests are being answered: try again', { 'Retry-After': '1' });
}

function givenUp(): HttpProblem {
  return new HttpProblem(503, 'the request was given up while it waited', { 'Retry-After': '5' });
}
