/** Threads that do the steps of sets of Syzygy files: each does a step of one ending, and then another. */
import { Worker } from 'node:worker_threads';
import type { Audited } from '../../pipeline/audit/audit.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { haltAtSignal } from '../cli/exit.js';
import { Remote } from '../engines/remote.js';
import type { Written } from '../export/syzygy-files.js';
import type { Cost, Counted } from './ledger.js';

/** The place of a thread. */
export interface CrewPlace {
  readonly number: number;
  /** URIs of the store of tables, of the folder of the files. */
  readonly store: string;
  readonly out: string;
  readonly plies: Plies;
  readonly force: boolean;
  /** Bytes of buffers of the thread. */
  readonly memory: number;
  /** Each thread has a folder of its own below it. */
  readonly scratchFolder: string;
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

/** To write or verify the files of an ending. */
export interface FilesCall {
  readonly step: 'write' | 'verify';
  readonly ending: string;
}

export type StepCall = SolveCall | FilesCall;

export interface StepResults {
  solve: { readonly white: Counted; readonly black: Counted } | null;
  write: readonly Written[];
  verify: readonly Audited[];
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

/**
 * Makes the files of all endings with so many threads. The last come first: they are the largest, and should not be made when
 * the other threads have nothing to do. Returns the files in the order of the endings. Rejects with the first error of a thread.
 */
export async function makeByCrew(
  place: Omit<CrewPlace, 'number'>,
  workers: number,
  filed: readonly FiledEnding[],
  listen: (one: FiledEnding, notice: CrewNotice) => void,
): Promise<Written[]> {
  const made = new Map<FiledEnding, readonly Written[]>();
  const waiting = [...filed];
  const threads = Array.from(
    { length: Math.min(workers, filed.length) },
    (_, number) => new CrewThread({ ...place, number }),
  );
  const work = async (thread: CrewThread): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const ending = one;
      const call = { step: 'write', ending: ending.ending.name } as const;
      const { result } = await thread.do(call, (notice) => listen(ending, notice));
      made.set(ending, result);
    }
  };
  try {
    await Promise.all(threads.map(work));
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
  return filed.flatMap((one) => made.get(one)!);
}
