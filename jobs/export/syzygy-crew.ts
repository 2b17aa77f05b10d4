/** Threads that make Syzygy's files: each makes those of an ending, and then those of another. */
import { Worker } from 'node:worker_threads';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { Remote } from '../engines/remote.js';
import { haltAtSignal } from '../exit.js';
import type { Written } from './syzygy-files.js';

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
  readonly scratchFolder: string;
}

/** Messages of a thread while it writes the files of an ending; a call names the ending. */
export interface CrewNotice {
  readonly type: 'note' | 'warn';
  readonly text: string;
}

export interface CrewListener {
  note(one: FiledEnding, text: string): void;
  warn(text: string): void;
}

/**
 * Makes the files of all endings with so many threads. The last come first: they are the largest, and should not be made when
 * the other threads have nothing to do. Returns the files in the order of the endings. Rejects with the first error of a thread.
 */
export async function makeByCrew(
  place: Omit<CrewPlace, 'number'>,
  workers: number,
  filed: readonly FiledEnding[],
  listener: CrewListener,
): Promise<Written[]> {
  const made = new Map<FiledEnding, readonly Written[]>();
  const waiting = [...filed];
  const ends: (() => Promise<void>)[] = [];
  const work = async (number: number): Promise<void> => {
    let one: FiledEnding | undefined;
    const remote = new Remote<string, CrewNotice>(
      new Worker(new URL('./syzygy-worker.js', import.meta.url), { workerData: { ...place, number } }),
      'the thread',
      ({ type, text }) => (type === 'note' ? listener.note(one!, text) : listener.warn(text)),
    );
    const ended = haltAtSignal(() => remote.end());
    ends.push(() => {
      ended();
      return remote.end();
    });
    for (one = waiting.pop(); one !== undefined; one = waiting.pop())
      made.set(one, await remote.call<readonly Written[]>(one.ending.name));
  };
  try {
    await Promise.all(Array.from({ length: Math.min(workers, filed.length) }, (_, number) => work(number)));
  } finally {
    await Promise.all(ends.map((end) => end()));
  }
  return filed.flatMap((one) => made.get(one)!);
}
