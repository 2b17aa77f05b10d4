/**
 * Threads that do the steps of sets of Syzygy files. A thread solves or verifies one ending at a time; the files of an ending are written by
 * all threads that have nothing else to do.
 */
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Audited } from '../../pipeline/audit/audit.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import type { WritingCrew } from '../../pipeline/games/chess/syzygy/files.js';
import type { ResultOf, WritingTask } from '../../pipeline/games/chess/syzygy/tasks.js';
import { newWritingMemory, type WritingMemory } from '../../pipeline/games/chess/syzygy/writer.js';
import { haltAtSignal } from '../cli/exit.js';
import type { CrewTask } from '../engines/protocol.js';
import { Remote } from '../engines/remote.js';
import { scratchIn } from '../engines/scratch-store.js';
import type { Unplaced } from '../engines/tasks.js';
import { newThread } from '../engines/thread.js';
import { type Written, writeFiles } from '../export/syzygy-files.js';
import type { Cost, Counted } from '../progress/set-records.js';

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
  /** The memory of all threads together for writing; null if each writes with its own, which solving and verifying use as well. */
  readonly together: WritingMemory | null;
}

export interface SolveCall {
  readonly step: 'solve';
  /** The ending by its own name: KQKR. */
  readonly ending: string;
  /** Tables of all that its slices convert to must be there. Its workers are threads that solve, this one among them. */
  readonly task: Unplaced<CrewTask>;
}

/** To verify the files of an ending, or to return them if they are there and right. */
interface FilesCall {
  readonly step: 'verify' | 'check';
  readonly ending: string;
}

/** To do a task of those by which threads write the files of an ending. */
export interface TaskCall {
  readonly step: 'task';
  readonly ending: string;
  readonly task: WritingTask;
}

/** To free the memory for writing. */
interface RestCall {
  readonly step: 'rest';
}

export type StepCall = SolveCall | FilesCall | TaskCall | RestCall;

export interface StepResults {
  solve: { readonly white: Counted; readonly black: Counted } | null;
  verify: readonly Audited[];
  check: readonly Written[] | null;
  task: ResultOf<WritingTask>;
  rest: null;
}

/** What a step came to, and what it cost. */
interface Done<Result> {
  readonly result: Result;
  readonly cost: Cost;
}

/** Messages of a thread while it is at a step. */
export interface CrewNotice {
  readonly type: 'note' | 'warn';
  readonly text: string;
}

export type CrewListener = (notice: CrewNotice) => void;

/** A thread, which does one step at a time. */
class CrewThread {
  readonly #remote: Remote<StepCall, CrewNotice>;
  readonly #unhalt: () => void;
  #listen: CrewListener = () => {};

  constructor(place: CrewPlace) {
    const worker = newThread('syzygy-worker.js', { workerData: place });
    this.#remote = new Remote(worker, 'the thread', (notice) => this.#listen(notice));
    this.#unhalt = haltAtSignal(() => this.#remote.end());
  }

  /** The result of a step, and what it cost this thread. */
  do<Step extends StepCall['step']>(
    call: StepCall & { readonly step: Step },
    listen: CrewListener,
  ): Promise<Done<StepResults[Step]>> {
    this.#listen = listen;
    return this.#remote.call(call);
  }

  async end(): Promise<void> {
    this.#unhalt();
    await this.#remote.end();
  }
}

type Taker = (thread: CrewThread) => void;

/**
 * Threads that take calls as they become free, those that came first first, but tasks of writing last. So an ending is written by all
 * threads that have no step to do, and a step waits for the end of one task at most. A thread starts when it is needed.
 */
export class Crew {
  readonly #place: Omit<CrewPlace, 'number'>;
  #most: number;
  readonly #scratch: Scratch;
  readonly #threads: CrewThread[] = [];
  readonly #free: CrewThread[] = [];
  readonly #steps: Taker[] = [];
  readonly #tasks: Taker[] = [];

  /** @param most threads. */
  constructor(place: Omit<CrewPlace, 'number'>, most: number) {
    this.#place = place;
    this.#most = most;
    this.#scratch = scratchIn(place.scratchFolder, 'tapes');
  }

  /** The result of a step, and what it cost its thread. */
  async do<Step extends StepCall['step']>(
    call: StepCall & { readonly step: Step },
    listen: CrewListener,
  ): Promise<Done<StepResults[Step]>> {
    const waiting = call.step === 'task' ? this.#tasks : this.#steps;
    const thread =
      this.#free.pop() ?? this.#start() ?? (await new Promise<CrewThread>((take) => waiting.push(take)));
    try {
      return await thread.do<Step>(call, listen);
    } finally {
      const next = this.#steps.shift() ?? this.#tasks.shift();
      if (next === undefined) this.#free.push(thread);
      else next(thread);
    }
  }

  /** Writes the files of an ending, unless they are there and right, or by `force`. What it costs are the times of all its threads. */
  async write(one: FiledEnding, force: boolean, listen: CrewListener): Promise<Done<readonly Written[]>> {
    const ending = one.ending.name;
    const began = performance.now();
    let cpuMs = 0;
    const call = async <Step extends 'check' | 'task'>(step: StepCall & { readonly step: Step }) => {
      const { result, cost } = await this.do<Step>(step, listen);
      cpuMs += cost.cpuMs;
      return result;
    };
    const crew: WritingCrew = {
      do: async <Task extends WritingTask>(task: Task) =>
        (await call({ step: 'task', ending, task })) as ResultOf<Task>,
    };
    const note = (text: string) => listen({ type: 'note', text });
    const found = force ? null : await call({ step: 'check', ending });
    const result = found ?? (await writeFiles(one, crew, this.#scratch, note));
    return { result, cost: { wallMs: performance.now() - began, cpuMs } };
  }

  /** Has the threads that do nothing free their memory, for one that needs more than its share. */
  async rest(): Promise<void> {
    await Promise.all(this.#free.map((thread) => thread.do({ step: 'rest' }, () => {})));
  }

  /** Calls that are not answered never are, nor are later ones. */
  async end(): Promise<void> {
    this.#most = 0;
    this.#free.length = 0;
    await Promise.all(this.#threads.splice(0).map((thread) => thread.end()));
  }

  #start(): CrewThread | undefined {
    const number = this.#threads.length;
    if (number >= this.#most) return undefined;
    const thread = new CrewThread({ ...this.#place, number });
    this.#threads.push(thread);
    return thread;
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
  const crew = new Crew({ ...shared, together: newWritingMemory(place.memory, workers) }, workers);
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const ending = one;
      made.set(ending, (await crew.write(ending, force, (notice) => listen(ending, notice))).result);
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, work));
  } finally {
    await crew.end();
  }
  return filed.flatMap((one) => made.get(one)!);
}
