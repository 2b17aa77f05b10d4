/**
 * A launcher starts the ranks of a job, and starts those again that are lost. It knows nothing of games: the store alone says
 * how far they are and whether they are done. It ends all ranks when one fails for good, and gives up when ranks are lost again
 * and again while the store does not change.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Progress } from '../../pipeline/game/progress.js';

export interface LaunchOptions {
  /** Program and arguments of a rank, without its number: found by the same path on every machine. */
  readonly command: readonly string[];
  readonly ranks: number;
  /** Name of the job, the same for every process that asks for these ranks: one that finds the ranks at work starts no others. */
  readonly job: string;
  /** Bytes of buffers of each rank. */
  readonly memory: number;
  /** Folder for the output of each rank; null for none. */
  readonly logFolder: string | null;
  /** Whether everything is solved. */
  readonly isDone: () => Promise<boolean>;
  /** Changes whenever ranks get something done. */
  readonly mark: () => Promise<string>;
  /** Error of a rank that failed for good, if it left one in the store. */
  readonly problem: () => Promise<Error | null>;
  /** Takes a message about ranks. */
  readonly report: (what: string) => void;
  /** Takes the progress of ranks, where there is a channel to them. */
  readonly listen: (progress: readonly Progress[]) => void;
}

export interface Launcher {
  /** Returns when all ranks ended well. @throws the error of a rank that failed for good; StorageError if losses go on. */
  run(): Promise<void>;
  /** Ends ranks that still run. */
  close(): Promise<void>;
}

/** Losses in a row without progress before a launcher gives up: with their pauses, more than a store's restart. */
const MOST_VAIN = 8;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** Counts losses. The returned function waits before the lost rank may be started again; throws if that was in vain too often. */
export function newPatience({ mark, report }: Pick<LaunchOptions, 'mark' | 'report'>) {
  const lost = new Map<string, { readonly mark: string; readonly times: number }>();
  return async (who: string, problem: string): Promise<void> => {
    const before = lost.get(who);
    // A store that does not answer shows no progress.
    const now = await mark().catch(() => before?.mark ?? '');
    const times = before?.mark === now ? before.times + 1 : 1;
    lost.set(who, { mark: now, times });
    if (times >= MOST_VAIN) throw new StorageError(who, `lost ${times} times without progress: ${problem}`);
    report(`${who} was lost and is started again: ${problem}`);
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS));
  };
}

/** The last line that a rank printed, without our name before it, or null if it printed nothing. */
export function lastLine(text: string): string | null {
  const line = text.trimEnd().split('\n').at(-1)!.trim();
  return line.replace(/^mergemate: /, '') || null;
}

/** Throws UserError if it cannot be made. */
export function makeLogFolder(folder: string | null): void {
  try {
    if (folder !== null) mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UserError(`${folder}: no folder for logs can be made: ${(error as Error).message}`);
  }
}
