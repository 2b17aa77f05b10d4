/** Threads that do the steps of sets of Syzygy files: each does a step of one ending, and then another. */
import { Worker } from 'node:worker_threads';
import type { Audited } from '../../pipeline/audit/audit.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import type { ResultOf, WritingTask } from '../../pipeline/games/chess/syzygy/tasks.js';
import { newWritingMemory, type WritingMemory } from '../../pipeline/games/chess/syzygy/writer.js';
import { haltAtSignal } from '../cli/exit.js';
import { Remote } from '../engines/remote.js';
import { scratchIn } from '../engines/scratch-store.js';
import { type Written, writeFiles } from '../export/syzygy-files.js';
import type { Cost, Counted } from './ledger.js';

/** The place of a thread. */
export interface CrewPlace {
  readonly number: number;
  /** URIs of the store of tables, of the folder of the files. */
  readonly store: string;
  readonly out: string;
  readonly plies: Plies;
  /** Bytes of buffers of the thread. */
  readonly memory: number;
  /** Each thread has a folder of its own below it. */
  readonly scratchFolder: string;
  /** Where several threads write an ending together: their memory. */
  readonly together: WritingMemory | null;
}

export interface SolveCall {
  readonly step: 'solve';
  /** The ending by its own name: KQKR. */
  readonly ending: string;
  /** The slices to be solved. Tables of all that they convert to must be there. */
  readonly slices: readonly string[];
  readonly standing: readonly string[];
  readonly strategy: Strategy;
  readonly verify: boolean;
  readonly budget: { readonly memory: number; readonly fanIn: number; readonly batchRows: number };
  /** Threads that solve, this one among them. */
  readonly workers: number;
}

/** To write the files of an ending unless they are right, to verify them, or to return them if they are there and right. */
export interface FilesCall {
  readonly step: 'write' | 'verify' | 'check';
  readonly ending: string;
}

/** To do a task of those by which several threads write the files of an ending. */
export interface TaskCall {
  readonly step: 'task';
  readonly ending: string;
  readonly task: WritingTask;
}

export type StepCall = SolveCall | FilesCall | TaskCall;

export interface StepResults {
  solve: { readonly white: Counted; readonly black: Counted } | null;
  write: readonly Written[];
  verify: readonly Audited[];
  check: readonly Written[] | null;
  task: ResultOf<WritingTask>;
}

/** Messages of a thread while it is at a step. */
export interface CrewNotice {
  readonly type: 'note' | 'warn';
  readonly text: string;
}

type CrewListener = (notice: CrewNotice) => void;

/** A thread, which does one step at a time. */
export class CrewThread {
  readonly #remote: Remote<StepCall, CrewNotice>;
  readonly #unhalt: () => void;
  #listen: CrewListener = () => {};

  constructor(place: CrewPlace) {
    const worker = new Worker(new URL('./syzygy-worker.js', import.meta.url), { workerData: place });
    this.#remote = new Remote(worker, 'the thread', (notice) => this.#listen(notice));
    this.#unhalt = haltAtSignal(() => this.#remote.end());
  }

  /** The result of a step, and what it cost this thread. */
  do<Step extends StepCall['step']>(
    call: StepCall & { readonly step: Step },
    listen: CrewListener,
  ): Promise<{ readonly result: StepResults[Step]; readonly cost: Cost }> {
    this.#listen = listen;
    return this.#remote.call(call);
  }

  async end(): Promise<void> {
    this.#unhalt();
    await this.#remote.end();
  }
}

/** Threads that take calls as they become free, those that came first first. */
class Pool {
  readonly #threads: readonly CrewThread[];
  readonly #free: CrewThread[];
  readonly #waiting: ((thread: CrewThread) => void)[] = [];

  constructor(threads: readonly CrewThread[]) {
    this.#threads = threads;
    this.#free = [...threads];
  }

  async do<Step extends StepCall['step']>(
    call: StepCall & { readonly step: Step },
    listen: CrewListener,
  ): Promise<StepResults[Step]> {
    const thread = this.#free.pop() ?? (await new Promise<CrewThread>((take) => this.#waiting.push(take)));
    try {
      return (await thread.do<Step>(call, listen)).result;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(thread);
      else next(thread);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

/**
 * Makes the files of all endings with so many threads. An ending is written by all that are free, so the last one keeps all of them busy. The
 * last come first: they are the largest. Returns the files in the order of the endings. Rejects with the first error of a thread.
 */
export async function makeByCrew(
  place: Omit<CrewPlace, 'number' | 'together'> & { readonly force: boolean },
  workers: number,
  filed: readonly FiledEnding[],
  listen: (one: FiledEnding, notice: CrewNotice) => void,
): Promise<Written[]> {
  const { force, ...shared } = place;
  const made = new Map<FiledEnding, readonly Written[]>();
  const waiting = [...filed];
  const together = newWritingMemory(place.memory, workers);
  const memory = Math.floor(place.memory / workers);
  const threads = Array.from(
    { length: workers },
    (_, number) => new CrewThread({ ...shared, number, memory, together }),
  );
  const pool = new Pool(threads);
  const scratch = scratchIn(place.scratchFolder, 'tapes');
  const makeOne = async (one: FiledEnding): Promise<readonly Written[]> => {
    const ending = one.ending.name;
    const hear = (notice: CrewNotice) => listen(one, notice);
    const found = force ? null : await pool.do({ step: 'check', ending }, hear);
    if (found !== null) return found;
    const crew = {
      do: async <Task extends WritingTask>(task: Task) =>
        (await pool.do({ step: 'task', ending, task }, hear)) as ResultOf<Task>,
    };
    return writeFiles(one, crew, scratch, (text) => hear({ type: 'note', text }));
  };
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) made.set(one, await makeOne(one));
  };
  try {
    await Promise.all(threads.map(work));
  } finally {
    await pool.end();
  }
  return filed.flatMap((one) => made.get(one)!);
}
