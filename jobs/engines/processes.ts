/**
 * Ranks as child processes of this one. They end with it, however it ends: the channel to it breaks. A rank that is lost is started again;
 * one that fails for good ends all; and losses again and again while nothing new comes into the store end the attempt.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../operators/core/errors.js';
import { writing } from '../../operators/storage/errno.js';
import type { Progress } from '../../pipeline/game/progress.js';
import { ExitCode, tidyAtExit } from '../cli/exit.js';
import { ALLOCATOR } from '../runtime/process-memory.js';
import type { FromRank } from './be-rank.js';
import { unpackError } from './packed-error.js';

interface RankProcessesOptions {
  /** Program and arguments of a rank, without its number. */
  readonly command: readonly string[];
  readonly ranks: number;
  /** Folder for the output of each rank; undefined for none. */
  readonly logFolder: string | undefined;
  /** Changes whenever ranks get something done. */
  readonly mark: () => Promise<string>;
  /** Takes a message about a rank that was lost. */
  readonly report: (what: string) => void;
  readonly listen: (progress: readonly Progress[]) => void;
}

/** Enough of a rank's output to have its last line. */
const TAIL = 4096;
/** Losses in a row without progress before ranks are given up: with their pauses, more than a store's restart. */
const MOST_VAIN = 8;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** How a rank ended: well if `problem` is null; for good if there is an `error`, else it is to be started again. */
interface Ended {
  readonly problem: string | null;
  readonly error: Error | null;
}

export class RankProcesses {
  readonly #options: RankProcessesOptions;
  readonly #running = new Set<ChildProcess>();
  // Ranks answer SIGTERM at once and remove their scratch files.
  readonly #stop = tidyAtExit(() => {
    for (const child of this.#running) child.kill('SIGTERM');
  });
  #closed = false;

  constructor(options: RankProcessesOptions) {
    this.#options = options;
  }

  /** Returns when all ranks ended well. @throws the error of a rank that failed for good; StorageError if losses go on. */
  async run(): Promise<void> {
    const { ranks, logFolder } = this.#options;
    if (logFolder !== undefined) writing(logFolder, () => mkdirSync(logFolder, { recursive: true }));
    await Promise.all(Array.from({ length: ranks }, (_, rank) => this.#keepRank(rank)));
  }

  /** Ends ranks that still run. */
  async close(): Promise<void> {
    this.#closed = true;
    const ends = [...this.#running].map((child) => new Promise((resolve) => child.on('close', resolve)));
    this.#stop();
    await Promise.all(ends);
  }

  async #keepRank(rank: number): Promise<void> {
    const { mark, report } = this.#options;
    let before: string | null = null;
    for (let vain = 1; ; vain++) {
      const { problem, error } = await this.#startRank(rank);
      if (this.#closed || problem === null) return;
      if (error !== null) throw error;
      // A store that does not answer shows no progress.
      const now = await mark().catch(() => before ?? '');
      if (now !== before) vain = 1;
      before = now;
      if (vain >= MOST_VAIN)
        throw new StorageError(`rank ${rank}`, `lost ${vain} times without progress: ${problem}`);
      report(`rank ${rank} was lost and is started again: ${problem}`);
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (vain - 1), LONGEST_PAUSE_MS));
      if (this.#closed) return;
    }
  }

  #startRank(rank: number): Promise<Ended> {
    const [program, ...args] = this.#options.command as [string, ...string[]];
    const child = spawn(program, [...args, '--rank', String(rank)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...ALLOCATOR },
    });
    this.#running.add(child);
    let tail = '';
    let error: Error | null = null;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-TAIL)));
    this.#keepOutput(child, rank);
    child.on('message', (message: FromRank) => {
      if (message.type === 'progress') this.#options.listen(message.progress);
      else error = unpackError(message.error);
    });
    return new Promise((resolve) => {
      child.on('error', (failure) => {
        this.#running.delete(child);
        resolve({ problem: `cannot be started: ${failure.message}`, error: null });
      });
      child.on('close', (code, signal) => {
        this.#running.delete(child);
        if (code === ExitCode.ok) return resolve({ problem: null, error: null });
        const problem =
          signal === null ? (lastLine(tail) ?? `ended with code ${code}`) : `killed by ${signal}`;
        const isFinal = code === ExitCode.bug || code === ExitCode.failed;
        resolve({ problem, error: isFinal ? (error ?? new Error(`rank ${rank}: ${problem}`)) : null });
      });
    });
  }

  #keepOutput(child: ChildProcess, rank: number): void {
    const { logFolder } = this.#options;
    if (logFolder === undefined) return void child.stdout!.resume();
    const log = createWriteStream(join(logFolder, `rank-${rank}.log`), { flags: 'a' });
    // A log that cannot be written is no reason to give up the work.
    log.on('error', () => {});
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => log.write(text));
    child.on('close', () => log.end());
  }
}

/** The last line that a rank printed, without our name before it, or null if it printed nothing. */
function lastLine(text: string): string | null {
  const line = text.trimEnd().split('\n').at(-1)!.trim();
  return line.replace(/^mergemate: /, '') || null;
}
