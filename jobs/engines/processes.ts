/** Ranks as child processes of this one. They end with it, however it ends: the channel to it breaks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATOR } from '../allocator.js';
import { ExitCode, tidyAtExit } from '../exit.js';
import type { FromRank } from '../ranks/be-rank.js';
import { type Launcher, type LaunchOptions, lastLine, makeLogFolder, newPatience } from './launcher.js';
import { unpackError } from './packed-error.js';

/** Enough of a rank's output to have its last line. */
const TAIL = 4096;

/** How a rank ended: well if `problem` is null; for good if there is an `error`, else it is to be started again. */
interface Ended {
  readonly problem: string | null;
  readonly error: Error | null;
}

export function processesLauncher(options: LaunchOptions): Launcher {
  const { command, ranks, logFolder } = options;
  const running = new Set<ChildProcess>();
  // Ranks answer SIGTERM at once and remove their scratch files.
  const stop = tidyAtExit(() => {
    for (const child of running) child.kill('SIGTERM');
  });
  const patience = newPatience(options);
  let closed = false;

  function startRank(rank: number): Promise<Ended> {
    const [program, ...args] = command as [string, ...string[]];
    const child = spawn(program, [...args, '--rank', String(rank)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...ALLOCATOR },
    });
    running.add(child);
    let tail = '';
    let error: Error | null = null;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-TAIL)));
    keepOutput(child, rank);
    child.on('message', (message: FromRank) => {
      if (message.type === 'progress') options.listen(message.progress);
      else error = unpackError(message.error);
    });
    return new Promise((resolve) => {
      child.on('error', (failure) => {
        running.delete(child);
        resolve({ problem: `cannot be started: ${failure.message}`, error: null });
      });
      child.on('close', (code, signal) => {
        running.delete(child);
        if (code === ExitCode.ok) return resolve({ problem: null, error: null });
        const problem =
          signal === null ? (lastLine(tail) ?? `ended with code ${code}`) : `killed by ${signal}`;
        const isFinal = code === ExitCode.bug || code === ExitCode.failed;
        resolve({ problem, error: isFinal ? (error ?? new Error(`rank ${rank}: ${problem}`)) : null });
      });
    });
  }

  function keepOutput(child: ChildProcess, rank: number): void {
    if (logFolder === null) return void child.stdout!.resume();
    const log = createWriteStream(join(logFolder, `rank-${rank}.log`), { flags: 'a' });
    // A log that cannot be written is no reason to give up the work.
    log.on('error', () => {});
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => log.write(text));
    child.on('close', () => log.end());
  }

  async function keepRank(rank: number): Promise<void> {
    while (!closed) {
      const { problem, error } = await startRank(rank);
      if (closed || problem === null) return;
      if (error !== null) throw error;
      await patience(`rank ${rank}`, problem);
    }
  }

  return {
    async run() {
      makeLogFolder(logFolder);
      await Promise.all(Array.from({ length: ranks }, (_, rank) => keepRank(rank)));
    },
    async close() {
      closed = true;
      const ends = [...running].map((child) => new Promise((resolve) => child.on('close', resolve)));
      stop();
      await Promise.all(ends);
    },
  };
}
